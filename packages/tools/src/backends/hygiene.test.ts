/** Hygiene at a real door: what each mode gives and costs, that no secret comes back, and what is refused for nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { grantCredits, layerLogging, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { send } from "@svc/testkit/contract/service"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Rpc = Schema.fromJsonString(Schema.Struct({
  result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Unknown), isError: Schema.optionalKey(Schema.Boolean) })
}))
const decodeRpc = Schema.decodeEffect(Rpc)

const ask = (key: string, args: object, mode = "standard") =>
  send("POST", "/mcp", {
    key,
    headers: { "X-Agent-Mode": mode },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "svc_hygiene", arguments: args } }
  })

const call = Effect.fnUntraced(function*(key: string, args: object, mode = "standard") {
  const answer = yield* ask(key, args, mode)
  const { result } = yield* decodeRpc(answer.text)
  return {
    content: result.structuredContent,
    isError: result.isError ?? false,
    cents: Number(answer.headers["x-svc-request-cost"] ?? 0),
    answer
  }
})

const payer = Effect.gen(function*() {
  const caller = yield* openCaller("Acme")
  yield* grantCredits(caller, 10_000)
  return caller
})

/** All that the server logs, at every level. */
const lines: Array<string> = []

const SECRET = `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`
const files = [
  { path: "src/a.ts", content: "export const a = 1 \ndebugger\n" },
  { path: "src/key.ts", content: `export const key = "${SECRET}"\n` }
]

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "hygiene", () => {
  layer(layerLogging(lines, { CONFINED: "bubblewrap" }), { excludeTestServices: true, timeout: "120 seconds" })("at a door", (it) => {
    it.effect("costs what its mode gives: a scan nothing, a plan its price, and the engineer's price always", () =>
      Effect.gen(function*() {
        const { key } = yield* payer
        const costOf = Effect.fnUntraced(function*(mode: string, args: object) {
          const { cents, content, isError } = yield* call(key, { files, ...args }, mode)
          assert.isFalse(isError, JSON.stringify(content))
          return [cents, ...["remediation_plan", "patch", "sarif"].filter((name) => name in content)]
        })
        assert.deepStrictEqual(yield* costOf("standard", {}), [0])
        assert.deepStrictEqual(yield* costOf("lite", { mode: "scan" }), [0])
        assert.deepStrictEqual(yield* costOf("standard", { mode: "fix" }), [5, "remediation_plan"])
        assert.deepStrictEqual(yield* costOf("lite", { mode: "fix" }), [2, "remediation_plan"])
        assert.deepStrictEqual(yield* costOf("engineer", { mode: "scan" }), [500, "remediation_plan", "patch", "sarif"])
        assert.deepStrictEqual(yield* costOf("engineer", { mode: "fix" }), [500, "remediation_plan", "patch", "sarif"])
      }), 120_000)

    it.effect("scans for nobody's money on the free plan, which asks for payment of a plan", () =>
      Effect.gen(function*() {
        const { key } = yield* openCaller("Free")
        const { content } = yield* call(key, { files })
        assert.deepInclude(content, { grade: "F" })
        const refused = yield* ask(key, { files, mode: "fix" })
        assert.include(refused.text, "TIER_REQUIRED")
      }))

    it.effect("names a secret by rule and line, and answers, keeps and logs none of its bytes", () =>
      Effect.gen(function*() {
        const { key } = yield* payer
        const { answer, content } = yield* call(key, { files, mode: "fix" }, "engineer")
        const found = content["findings"] as ReadonlyArray<{ readonly rule: string; readonly path: string; readonly line: number }>
        assert.deepInclude(found.map(({ line, path, rule }) => ({ rule, path, line })), { rule: "secret", path: "src/key.ts", line: 1 })
        assert.notInclude(answer.text, SECRET)
        assert.include(content["patch"], "--- a/src/a.ts")
        yield* Effect.logTrace("the log is heard")
        assert.include(lines.join("\n"), "the log is heard")
        assert.notInclude(lines.join("\n"), SECRET)
        const sql = yield* SqlClient.SqlClient
        const written = [SECRET, Buffer.from(SECRET).toString("hex"), Buffer.from(SECRET).toString("base64").slice(0, 40)]
        const tables = yield* sql<{ readonly name: string }>`
          SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = current_schema()
            AND table_type = 'BASE TABLE'`
        for (const { name } of tables) {
          const [row] = yield* sql.unsafe<{ readonly kept: number }>(
            `SELECT count(*)::int AS kept FROM ${name} AS kept WHERE kept::text ~ '${written.join("|")}'`
          )
          assert.deepStrictEqual([name, row?.kept], [name, 0])
        }
      }))

    it.effect("is refused for nothing where paths lead out or thresholds make no sense", () =>
      Effect.gen(function*() {
        const { key } = yield* payer
        const refusalOf = Effect.fnUntraced(function*(args: object) {
          const { cents, content, isError } = yield* call(key, { mode: "fix", ...args }, "engineer")
          assert.deepStrictEqual([cents, isError], [0, true])
          return content["error"] as { readonly code: string; readonly message: string }
        })
        const outside = yield* refusalOf({ files: [{ path: "../a.ts", content: "a" }] })
        assert.strictEqual(outside.code, "invalid_request")
        assert.include(outside.message, `"../a.ts"`)
        const unordered = yield* refusalOf({ files, config: { coverageA: 0.5, coverageB: 0.8 } })
        assert.include(unordered.message, "coverageA >= coverageB")
        const empty = yield* ask(key, { files: [] })
        assert.include(empty.text, "files")
      }))
  })

  layer(layerWith({ CONFINED: "none" }), { excludeTestServices: true, timeout: "120 seconds" })("without a wall", (it) => {
    it.effect("is absent, costs nothing, and the answer says what would change that", () =>
      Effect.gen(function*() {
        const { key } = yield* payer
        const { cents, content } = yield* call(key, { files, mode: "fix" })
        assert.strictEqual(cents, 0)
        assert.deepInclude(content, { _not_configured: true, reason: "backend_absent" })
      }))
  })
})
