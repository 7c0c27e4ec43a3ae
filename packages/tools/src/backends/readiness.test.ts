/** Readiness at a real door: what a look and a preparation answer, keep and cost in each mode, and what they refuse for nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { Referrals } from "@svc/metering/referrals/service"
import { bicycles, boaster } from "@svc/programs/readiness/stores.fixture"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { grantCredits, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { jsonOf, send } from "@svc/testkit/contract/service"
import { Prepared, Readiness } from "@svc/tool-kit/services/snapshots"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const LOOK = "prepare_agentic_purchasing_preview"
const PREPARE = "prepare_agentic_purchasing"

const Rpc = Schema.fromJsonString(
  Schema.Struct({
    result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Json), isError: Schema.optionalKey(Schema.Boolean) })
  })
)

const call = Effect.fnUntraced(function*(name: string, key: string | undefined, args: object, mode = "standard") {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  const answer = yield* send("POST", "/mcp", { key, headers: { "X-Agent-Mode": mode }, body })
  const { result } = yield* Schema.decodeEffect(Rpc)(answer.text)
  return { content: result.structuredContent, isError: result.isError ?? false, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})

const project = (files: Readonly<Record<string, string>>) => ({
  project_name: "bicycles",
  files: Object.entries(files).map(([path, content]) => ({ path, content }))
})

const look = Effect.fnUntraced(function*(files: Readonly<Record<string, string>>, key?: string) {
  const { cents, content } = yield* call(LOOK, key, project(files))
  assert.strictEqual(cents, 0)
  return yield* Schema.decodeUnknownEffect(Readiness)(content)
})

const payer = Effect.gen(function*() {
  const caller = yield* openCaller("Bicycles")
  yield* grantCredits(caller, 30_000)
  return caller
})

const prepare = Effect.fnUntraced(function*(mode: string, more: object = {}, files: Readonly<Record<string, string>> = bicycles) {
  const { id, key } = yield* payer
  const { cents, content } = yield* call(PREPARE, key, { ...project(files), ...more }, mode)
  return { id, cents, prepared: yield* Schema.decodeUnknownEffect(Prepared)(content) }
})

const snapshotsOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly status: string }>`SELECT status FROM snapshots WHERE account_id = ${account}`).map(({ status }) => status)
})

const count = Effect.gen(function*() {
  const [row] = yield* (yield* SqlClient.SqlClient)<{ readonly count: number }>`SELECT count(*)::int AS count FROM snapshots`
  return row?.count
})

const textOf = Effect.fnUntraced(function*(account: string, snapshot: string, path: string) {
  return (yield* (yield* SnapshotStore).artifact(account, snapshot, { path, offset: 0, limit: 100_000 })).text
})

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "readiness", () => {
  layer(layerWith({ CONFINED: "bubblewrap" }), { excludeTestServices: true, timeout: "120 seconds" })("at a door", (it) => {
    it.effect("is looked at without a key, for nothing, and nothing is kept", () =>
      Effect.gen(function*() {
        const before = yield* count
        assert.deepStrictEqual(yield* look(bicycles), {
          score: 100,
          risk_level: "low",
          top_gaps: [],
          frameworks: ["express"],
          programs: ["agentic-purchasing"]
        })
        const words = yield* look(boaster)
        assert.deepInclude(words, { score: 0, risk_level: "critical", frameworks: [] })
        assert.deepStrictEqual(words.top_gaps.map(({ check, weight }) => [check, weight]), [
          ["budget_guard", 10],
          ["psp_integration", 20],
          ["webhook_verification", 20]
        ])
        const { key } = yield* openCaller("Free")
        const half = yield* look({ "src/hook.ts": "export const signature = headers[\"stripe-signature\"]\n" }, key)
        assert.strictEqual(half.score, 10)
        assert.strictEqual(yield* count, before)
      }))

    it.effect("of what cannot be read is refused for nothing", () =>
      Effect.gen(function*() {
        const refused = Effect.fnUntraced(function*(files: Readonly<Record<string, string>>) {
          const { content, isError } = yield* call(LOOK, undefined, project(files))
          assert.isTrue(isError)
          return content["error"]
        })
        assert.deepInclude(yield* refused({ "../a.ts": "x" }), { code: "invalid_request" })
        assert.deepInclude(yield* refused({ "node_modules/a.js": "x" }), { code: "file_limit" })
        const { id, key } = yield* payer
        for (const files of [{ "/etc/passwd": "x" }, { "a.png": "\u0000" }]) {
          const { cents, isError } = yield* call(PREPARE, key, project(files), "lite")
          assert.deepStrictEqual([cents, isError], [0, true])
        }
        const many = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`f${at}.ts`, "x\n"]))
        const { cents, content } = yield* call(PREPARE, key, project(many))
        assert.strictEqual(cents, 0)
        assert.deepInclude(content["error"], { code: "file_limit" })
        assert.deepStrictEqual(yield* snapshotsOf(id), [])
      }))

    it.effect("in lite is a score, three gaps and a note, for a dollar, and leaves a snapshot of the free artifacts", () =>
      Effect.gen(function*() {
        const { cents, id, prepared } = yield* prepare("lite", { focus_areas: ["mandate"] }, boaster)
        assert.strictEqual(cents, 100)
        assert.deepStrictEqual(Object.keys(prepared), ["score", "risk_level", "top_gaps", "focus_areas", "artifacts_note"])
        assert.deepStrictEqual(prepared.top_gaps.map(({ check }) => check), ["budget_guard", "payment_mandate", "psp_integration"])
        assert.deepStrictEqual(prepared.focus_areas, ["mandate"])
        const snapshot = /snapshot (\S+) holds/u.exec(prepared.artifacts_note ?? "")?.[1] ?? ""
        const { artifacts, status } = yield* (yield* SnapshotStore).get(id, snapshot)
        assert.strictEqual(status, "completed")
        assert.isTrue(artifacts.every(({ free }) => free))
        assert.include(artifacts.map(({ path }) => path), "agent-purchasing-playbook.md")
      }))

    it.effect("in standard brings the artifacts of the programs that close the gaps, and no other", () =>
      Effect.gen(function*() {
        const { "src/mandates.ts": _, ...files } = bicycles
        const { cents, id, prepared } = yield* prepare("standard", {}, files)
        assert.deepStrictEqual([cents, prepared.score, prepared.engineer], [300, 95, undefined])
        assert.deepStrictEqual(prepared.snapshot?.programs_executed, ["agentic-purchasing"])
        assert.deepStrictEqual(yield* snapshotsOf(id), ["completed"])
        const flow = yield* textOf(id, prepared.snapshot?.snapshot_id ?? "", "checkout-flow.md")
        assert.include(flow, "`stripe.paymentIntents.create` (`src/pay.ts:13`)")
        const { prepared: whole } = yield* prepare("standard", {}, boaster)
        const executed = whole.snapshot?.programs_executed ?? []
        assert.include(executed, "mcp")
        assert.notInclude(executed, "notebook")
      }))

    it.effect("for engineers brings the endpoint with the guard that was asked for, its test and evidence that keeps its schema", () =>
      Effect.gen(function*() {
        const { cents, id, prepared } = yield* prepare("engineer", { budget_per_run_cents: 7321, spending_window: "hourly" })
        assert.strictEqual(cents, 25_000)
        const snapshot = prepared.snapshot?.snapshot_id ?? ""
        const { engineer } = prepared
        const endpoint = yield* textOf(id, snapshot, engineer?.endpoint.path ?? "")
        assert.include(endpoint, "import express from \"express\"")
        assert.include(endpoint, "const BUDGET_CENTS = 7321")
        assert.include(endpoint, "const WINDOW_SECONDS = 3600")
        assert.include(yield* textOf(id, snapshot, engineer?.sandbox_test.path ?? ""), "Buys `bell-1`")
        const schema: unknown = JSON.parse(yield* textOf(id, snapshot, "agent-endpoint/evidence-pack.schema.json"))
        const validate = new Ajv2020().compile(schema as object)
        assert.isTrue(validate(engineer?.evidence_pack), JSON.stringify(validate.errors))
        assert.deepStrictEqual(engineer?.evidence_pack, JSON.parse(yield* textOf(id, snapshot, "agent-endpoint/evidence-pack.json")))
        assert.notInclude(prepared.snapshot?.artifacts.map(({ path }) => path) ?? [], "living-architecture.md")

        // A signed mandate is all that this shop keeps for a dispute: the tool says the same of it.
        const { content } = yield* call("score_dispute_readiness", undefined, { reason_code: "10.4", evidence: { hasSignedMandate: true } })
        assert.strictEqual(engineer?.dispute_readiness, content["score"])
      }))

    it.effect("refers its caller by a token, as the header does", () =>
      Effect.gen(function*() {
        const [referrer, caller] = [yield* openCaller("Referrer"), yield* payer]
        const referrals = yield* Referrals
        const referral_token = yield* referrals.token(referrer.id)
        yield* call(PREPARE, caller.key, { ...project(bicycles), referral_token }, "lite")
        assert.deepInclude(yield* referrals.status(referrer.id), { joined: 1 })
      }))

    it.effect("is no work of the free plan, except to look", () =>
      Effect.gen(function*() {
        const { key } = yield* openCaller("Free")
        const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: PREPARE, arguments: project(bicycles) } }
        const refused = yield* send("POST", "/mcp", { key, body })
        assert.include(JSON.stringify(jsonOf(refused)), "TIER_REQUIRED")
      }))
  })
})
