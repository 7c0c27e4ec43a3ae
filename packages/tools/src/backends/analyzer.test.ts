/** Analyses at a real door, with a GitHub of this machine: what a call answers, keeps and costs, and what it refuses for nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { grantCredits, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { jsonOf, send } from "@svc/testkit/contract/service"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { packTar } from "modern-tar"
import { gzipSync, inflateRawSync } from "node:zlib"

const shop = {
  "package.json": `{\n  "name": "shop",\n  "main": "src/index.ts",\n  "scripts": { "test": "cat src/price.ts" }\n}\n`,
  "src/index.ts": `import { price } from "./price.ts"\n\nexport const total = () => price() * 2\n`,
  "src/price.ts": `export function price(): number {\n  return 21\n}\n`
}
const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}.ts`, "x\n"]))
const repositories: Readonly<Record<string, Readonly<Record<string, string>>>> = { shop, many }

const tarball = (files: Readonly<Record<string, string>>) =>
  packTar(
    Object.entries(files).map(([path, body]) => ({
      header: { name: `a-1/${path}`, type: "file" as const, size: Buffer.byteLength(body) },
      body
    }))
  )

const TOKEN = "github_pat_1234567890"

/** The tool server, whose GitHub has these repositories, and `hidden` for who has the token. */
const fetched: Array<string> = []
const serverWith = (environment: Readonly<Record<string, string>>) =>
  Layer.unwrap(Effect.gen(function*() {
    const port = yield* receiver(({ headers, url = "" }, response) => {
      fetched.push(url)
      const name = /^\/repos\/a\/(\w+)\/tarball$/u.exec(url)?.[1] ?? ""
      const files = name === "hidden" && headers.authorization === `Bearer ${TOKEN}` ? shop : repositories[name]
      if (files === undefined) response.writeHead(404).end()
      else void tarball(files).then((tar) => response.end(gzipSync(tar)))
    })
    return layerWith({ CONFINED: "bubblewrap", GITHUB_API_URL: `http://127.0.0.1:${port}`, ...environment })
  }))
const serverWithGithub = serverWith({})

const Answer = Schema.Struct({
  snapshot_id: Schema.String,
  status: Schema.String,
  artifact_count: Schema.Int,
  programs_executed: Schema.Array(Schema.String),
  artifacts: Schema.Array(Schema.Struct({ path: Schema.String, free: Schema.Boolean, sha256: Schema.String, evidence: Schema.String })),
  skipped: Schema.Struct({ count: Schema.Int, files: Schema.Array(Schema.Struct({ path: Schema.String, reason: Schema.String })) })
})
const decode = Schema.decodeUnknownEffect(Answer)

const Rpc = Schema.fromJsonString(
  Schema.Struct({
    result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Unknown), isError: Schema.optionalKey(Schema.Boolean) })
  })
)
const decodeRpc = Schema.decodeEffect(Rpc)

const call = Effect.fnUntraced(function*(name: string, key: string, args: object, mode = "standard") {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  const answer = yield* send("POST", "/mcp", { key, headers: { "X-Agent-Mode": mode }, body })
  const { result } = yield* decodeRpc(answer.text)
  return { content: result.structuredContent, isError: result.isError ?? false, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})

const inline = (files: Readonly<Record<string, string>>) => ({
  project_name: "shop",
  files: Object.entries(files).map(([path, content]) => ({ path, content }))
})

const payer = Effect.gen(function*() {
  const caller = yield* openCaller("Acme")
  yield* grantCredits(caller, 10_000)
  return caller
})

const snapshotsOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly status: string }>`SELECT status FROM snapshots WHERE account_id = ${account}`).map(({ status }) => status)
})

const github_url = "https://github.com/a/shop"

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "analyses", () => {
  layer(serverWithGithub, { excludeTestServices: true, timeout: "120 seconds" })("at a door", (it) => {
    it.effect("of a repository answer 201 with its snapshot, for the price of the mode", () =>
      Effect.gen(function*() {
        const { id, key } = yield* payer
        const answer = yield* send("POST", "/v1/analyze", { key, body: { github_url } })
        assert.strictEqual(answer.status, 201, answer.text)
        assert.strictEqual(answer.headers["x-svc-request-cost"], "300")
        const analysis = yield* decode(jsonOf(answer))
        assert.strictEqual(analysis.status, "completed")
        assert.strictEqual(analysis.artifact_count, analysis.artifacts.length)
        assert.include(analysis.programs_executed, "search")
        const place = { path: "architecture-summary.md", offset: 0, limit: 10_000 }
        const { text } = yield* (yield* SnapshotStore).artifact(id, analysis.snapshot_id, place)
        assert.include(text, "`src/index.ts` exporting `total` (`package.json:3`, `src/index.ts:3`)")
      }))

    it.effect("tell how far they are to a client that asks", () =>
      Effect.gen(function*() {
        const { key } = yield* openCaller("Acme")
        const headers = { accept: "application/json, text/event-stream", "X-Agent-Mode": "lite" }
        const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
        const opened = yield* send("POST", "/mcp", { key, headers, body: { jsonrpc: "2.0", id: 1, method: "initialize", params: client } })
        const session = { ...headers, "mcp-session-id": opened.headers["mcp-session-id"] ?? "", "mcp-protocol-version": "2025-06-18" }
        const params = { name: "analyze_files", arguments: inline(shop), _meta: { progressToken: "p" } }
        const { text } = yield* send("POST", "/mcp", {
          key,
          headers: session,
          body: { jsonrpc: "2.0", id: 2, method: "tools/call", params }
        })
        const steps = Array.from(
          text.matchAll(/"progressToken":"p","progress":(\d+),"total":5,"message":"([^"]+)"/gu),
          ([, at, what]) => [at, what]
        )
        assert.deepStrictEqual(steps.slice(-3), [["3", "reading files"], ["4", "commands were run"], ["5", "artifacts are made"]])
        assert.include(text, "snapshot_id")
      }))

    it.effect("of files name what was skipped, and keep no card number", () =>
      Effect.gen(function*() {
        const { id, key } = yield* payer
        const files = {
          ...shop,
          "card.ts": "pay(\"4242424242424242\")\n",
          "node_modules/a.js": "a",
          "web/.gitignore": "*.log",
          "web/a.log": "x"
        }
        const { cents, content } = yield* call("analyze_files", key, inline(files))
        const { skipped, snapshot_id } = yield* decode(content)
        assert.strictEqual(cents, 300)
        assert.deepStrictEqual(skipped, {
          count: 2,
          files: [
            { path: "node_modules/a.js", reason: "vendored or built: it lies in node_modules" },
            { path: "web/a.log", reason: "a .gitignore leaves it out" }
          ]
        })
        const kept = (yield* (yield* SnapshotStore).content(id, snapshot_id)).files
        assert.deepStrictEqual(kept.map(({ path }) => path), ["card.ts", "package.json", "src/index.ts", "src/price.ts", "web/.gitignore"])
        assert.strictEqual(inflateRawSync(kept[0]?.deflated ?? "").toString(), "pay(\"************4242\")\n")
      }))

    it.effect("are free in lite, also on the free plan, and give the free artifacts", () =>
      Effect.gen(function*() {
        const { key } = yield* openCaller("Acme")
        const { cents, content } = yield* call("analyze_files", key, inline(shop), "lite")
        const { artifacts, status } = yield* decode(content)
        assert.deepStrictEqual([cents, status], [0, "completed"])
        assert.isTrue(artifacts.every(({ free }) => free))
        const refused = yield* send("POST", "/v1/analyze", { key, body: { github_url } })
        assert.strictEqual(refused.status, 402)
        assert.strictEqual(jsonOf(refused)["error_code"], "TIER_REQUIRED")
      }))

    it.effect("beyond the plan, of what is not there and of what is no repository are refused for nothing", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openCaller("Acme")
        const refusalOf = Effect.fnUntraced(function*(url: string) {
          const { cents, content, isError } = yield* call("analyze_repo", key, { github_url: url }, "lite")
          assert.deepStrictEqual([cents, isError], [0, true])
          return content["error"] as { readonly code: string; readonly message: string }
        })
        const tooMany = yield* refusalOf("https://github.com/a/many")
        assert.strictEqual(tooMany.code, "file_limit")
        assert.include(tooMany.message, "201 files")
        const missing = yield* refusalOf("https://github.com/a/private")
        assert.strictEqual(missing.code, "fetch_failed")
        assert.include(missing.message, "POST /v1/account/github-token")
        assert.strictEqual((yield* refusalOf("https://gitlab.com/a/shop")).code, "invalid_url")
        const outside = yield* call("analyze_files", key, inline({ "../a.ts": "x" }), "lite")
        assert.deepInclude(outside.content["error"], { code: "invalid_request" })
        assert.deepStrictEqual(yield* snapshotsOf(id), [])
      }))

    it.effect("of a private repository are made with the token of the account, and of no other", () =>
      Effect.gen(function*() {
        const [owner, other] = [yield* openCaller("Owner"), yield* openCaller("Other")]
        const stored = yield* send("POST", "/v1/account/github-token", { key: owner.key, body: { token: TOKEN } })
        assert.strictEqual(stored.status, 204, stored.text)
        const analyze = (key: string) => call("analyze_repo", key, { github_url: "https://github.com/a/hidden" }, "lite")
        assert.strictEqual((yield* decode((yield* analyze(owner.key)).content)).status, "completed")
        assert.deepInclude((yield* analyze(other.key)).content["error"], { code: "fetch_failed" })
      }))

    it.effect("without a key are free and belong to nobody, three an hour", () =>
      Effect.gen(function*() {
        const analyze = send("POST", "/v1/analyze", { body: { github_url } })
        const first = yield* analyze
        assert.strictEqual(first.status, 201, first.text)
        const { artifacts, snapshot_id } = yield* decode(jsonOf(first))
        assert.isNotEmpty(artifacts)
        assert.isTrue(artifacts.every(({ free }) => free))
        const { id } = yield* openCaller("Anybody")
        assert.strictEqual((yield* (yield* SnapshotStore).get(id, snapshot_id)).status, "completed")
        assert.deepStrictEqual([(yield* analyze).status, (yield* analyze).status, (yield* analyze).status], [201, 201, 429])
        for (const github_url of ["ftp://x", "foo", 7]) {
          const wrong = yield* send("POST", "/v1/analyze", { body: { github_url } })
          assert.strictEqual(wrong.status, 400)
          assert.match(String(jsonOf(wrong)["message"]), /github_url/u)
        }
        assert.strictEqual((yield* send("POST", "/v1/analyze", { body: { github: "foo" } })).status, 401)
        assert.strictEqual((yield* send("POST", "/v1/analyze", { body: { github_url: "https://a.example/b" } })).status, 400)
      }))

    it.effect("make no headings of what the caller calls the project", () =>
      Effect.gen(function*() {
        const { id, key } = yield* payer
        const words = ["shop", "# One", "# Two", "# Three", "# Four"]
        const project_name = `${words[0]}\n${words[1]}\u2028${words[2]}\u2029${words[3]}\u0085${words[4]}`
        const given = { ...inline(shop), project_name, goals: ["sell\n# Five"] }
        const { snapshot_id } = yield* decode((yield* call("analyze_files", key, given)).content)
        const store = yield* SnapshotStore
        const { description } = yield* store.content(id, snapshot_id)
        assert.deepStrictEqual(description, { project_name: words.join(" "), goals: ["sell # Five"] })
        assert.strictEqual((yield* store.get(id, snapshot_id)).project_name, words.join(" "))
      }))

    it.effect("can be gone on with by a program, for nothing, until the source is discarded", () =>
      Effect.gen(function*() {
        const { id, key } = yield* payer
        const { snapshot_id } = yield* decode((yield* call("analyze_files", key, inline(shop), "lite")).content)
        const run = (name: string, as = key) => send("POST", `/v1/snapshots/${snapshot_id}/programs/${name}`, { key: as })
        const again = yield* run("search")
        assert.strictEqual(again.status, 200, again.text)
        assert.strictEqual(again.headers["x-svc-request-cost"] ?? "0", "0")
        assert.deepInclude(jsonOf(again), { snapshot_id, program: "search" })
        assert.strictEqual((yield* run("none")).status, 404)
        const other = yield* openCaller("Other")
        const foreign = yield* run("search", other.key)
        assert.deepStrictEqual([foreign.status, jsonOf(foreign)["error"]], [404, "snapshot_not_found"])
        assert.strictEqual((yield* run("search", "svck_test_none")).status, 401)
        yield* (yield* SnapshotStore).discard(id, snapshot_id)
        const discarded = yield* run("search")
        assert.deepStrictEqual([discarded.status, jsonOf(discarded)["error"]], [409, "content_discarded"])
      }))
  })

  layer(serverWith({ TOOLS_ANONYMOUS_CALLS_PER_MINUTE: "5" }), { excludeTestServices: true, timeout: "120 seconds" })(
    "of a network that asks too often",
    (it) => {
      it.effect("are refused before anything is fetched, also where each of them fails", () =>
        Effect.gen(function*() {
          const before = fetched.length
          const analyze = send("POST", "/v1/analyze", { body: { github_url: "https://github.com/a/none" } })
          const answers = yield* Effect.all(Array.from({ length: 6 }, () => analyze))
          assert.deepStrictEqual(
            answers.map((answer) => [answer.status, jsonOf(answer)["error"]]),
            [
              ...Array.from({ length: 3 }, () => [502, "fetch_failed"]),
              ...Array.from({ length: 2 }, () => [429, "snapshot_limit"]),
              [429, "rate_limited"]
            ]
          )
          for (const { headers, status } of answers) assert.strictEqual(Number(headers["retry-after"] ?? 0) > 0, status === 429)
          assert.strictEqual(fetched.length - before, 3)
        }))
    }
  )
})
