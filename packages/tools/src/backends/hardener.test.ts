/** Hardening at a real door: free in every mode, over a snapshot of a free analysis, with patches that apply and no secret in them. */
import { assert, describe, layer } from "@effect/vitest"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { send } from "@svc/testkit/contract/service"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const Rpc = Schema.fromJsonString(Schema.Struct({
  result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Unknown), isError: Schema.optionalKey(Schema.Boolean) })
}))
const decodeRpc = Schema.decodeEffect(Rpc)

const Item = Schema.Struct({
  priority: Schema.Int,
  rule: Schema.String,
  severity: Schema.String,
  path: Schema.String,
  line: Schema.Int,
  patch: Schema.optionalKey(Schema.String)
})
const Answer = Schema.Struct({
  snapshot_id: Schema.String,
  plan: Schema.Array(Item),
  patch: Schema.String,
  searched: Schema.Struct({ files: Schema.Int, agent_files: Schema.Int, model_calls: Schema.Int }),
  skipped: Schema.Struct({ count: Schema.Int, files: Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String })) })
})
const decode = Schema.decodeUnknownEffect(Answer)

const call = Effect.fnUntraced(function*(key: string, args: object, mode = "standard", name = "svc_improve_my_agent") {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  const answer = yield* send("POST", "/mcp", { key, headers: { "X-Agent-Mode": mode }, body })
  const { result } = yield* decodeRpc(answer.text)
  const cents = Number(answer.headers["x-svc-request-cost"] ?? 0)
  return { content: result.structuredContent, isError: result.isError ?? false, cents, text: answer.text }
})

const SECRET = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`
const agent = `import OpenAI from "openai"\n\nconst client = new OpenAI()\n\nexport const run = async (question) => {\n` +
  `  const answer = await client.chat.completions.create({ model: "m", messages: [{ role: "user", content: question }] })\n` +
  `  return eval(answer.choices[0].message.content)\n}\n`
const files = [
  { path: "./agent.js", content: agent },
  { path: "key.js", content: `import OpenAI from "openai"\nconst client = new OpenAI()\nconst key = "${SECRET}"\n` },
  { path: "card.js", content: `import OpenAI from "openai"\nconst client = new OpenAI()\npay("4242424242424242")\n` },
  { path: "node_modules/a.js", content: "a" }
]

const snapshotsOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly status: string }>`SELECT status FROM snapshots WHERE account_id = ${account}`).map(({ status }) => status)
})

/** What `git apply` says of a patch for a file. */
const applies = (path: string, text: string, patch: string) => {
  const folder = mkdtempSync(join(tmpdir(), "harden-"))
  try {
    writeFileSync(join(folder, path), text)
    execFileSync("git", ["apply", "--check"], { cwd: folder, input: patch })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "hardening", () => {
  layer(layerWith({ CONFINED: "bubblewrap" }), { excludeTestServices: true, timeout: "120 seconds" })("at a door", (it) => {
    it.effect("gives a plan with places, patches that apply, and a snapshot of the free artifacts", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openCaller("Acme")
        const { cents, content, text } = yield* call(key, { project_name: "agent", files })
        assert.strictEqual(cents, 0)
        const { patch, plan, searched, skipped, snapshot_id } = yield* decode(content)
        assert.deepStrictEqual(plan.map(({ line, path, rule, severity }) => [severity, rule, `${path}:${line}`]), [
          ["critical", "output-executed", "agent.js:7"],
          ["critical", "secret-in-code", "key.js:3"],
          ["medium", "no-token-limit", "agent.js:6"],
          ["low", "no-timeout", "agent.js:3"],
          ["low", "no-timeout", "card.js:2"],
          ["low", "no-timeout", "key.js:2"]
        ])
        // No patch shows lines of a file with a secret or with a number that was masked.
        assert.deepStrictEqual(plan.flatMap((item) => item.patch === undefined ? [] : [item.path]), ["agent.js", "agent.js"])
        for (const item of plan) if (item.patch !== undefined) applies("agent.js", agent, item.patch)
        applies("agent.js", agent, patch)
        for (const secret of [SECRET, "4242424242424242"]) assert.notInclude(text, secret)
        assert.deepStrictEqual(searched, { files: 3, agent_files: 3, model_calls: 1 })
        assert.deepStrictEqual(skipped.files.map(({ path }) => path), ["node_modules/a.js"])
        assert.deepStrictEqual(yield* snapshotsOf(id), ["completed"])
        const snapshot = yield* call(key, { snapshot_id }, "standard", "get_snapshot")
        const artifacts = snapshot.content["artifacts"] as ReadonlyArray<{ readonly free: boolean }>
        assert.isNotEmpty(artifacts)
        assert.isTrue(artifacts.every(({ free }) => free))
      }))

    it.effect("is free in every mode and under both names, and never gives what an analysis is paid for", () =>
      Effect.gen(function*() {
        const { key } = yield* openCaller("Acme")
        const { cents, content } = yield* call(key, { files: files.slice(0, 1) }, "engineer", "improve_my_agent_with_axis")
        const { snapshot_id } = yield* decode(content)
        assert.strictEqual(cents, 0)
        const snapshot = yield* call(key, { snapshot_id }, "standard", "get_snapshot")
        assert.isTrue((snapshot.content["artifacts"] as ReadonlyArray<{ readonly free: boolean }>).every(({ free }) => free))
      }))

    it.effect("counts among the analyses of the plan, and is refused for nothing beyond it or with paths that lead out", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openCaller("Acme")
        const outside = yield* call(key, { files: [{ path: "../a.js", content: "a" }] })
        assert.deepInclude(outside.content["error"], { code: "invalid_request" })
        assert.deepStrictEqual(yield* snapshotsOf(id), [])
        assert.isFalse((yield* call(key, { files: files.slice(0, 1) })).isError)
        // Nine more of the month's ten.
        const store = yield* SnapshotStore
        for (let n = 0; n < 9; n++) yield* store.begin({ by: { account: id, perMonth: 10 }, description: { project_name: "shop" } })
        const beyond = yield* call(key, { files: files.slice(0, 1) })
        assert.deepStrictEqual([beyond.isError, beyond.cents], [true, 0])
        assert.deepInclude(beyond.content["error"], { code: "snapshot_limit" })
      }))
  })

  layer(layerWith({ CONFINED: "none" }), { excludeTestServices: true, timeout: "120 seconds" })("without a wall", (it) => {
    it.effect("is absent, costs nothing, and leaves no snapshot", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openCaller("Acme")
        const { cents, content } = yield* call(key, { files })
        assert.strictEqual(cents, 0)
        assert.deepInclude(content, { _not_configured: true, reason: "backend_absent" })
        assert.deepStrictEqual(yield* snapshotsOf(id), [])
      }))
  })
})
