/** Bundles at a real door: what a call answers, keeps and costs, and what it refuses for nothing. */
import { assert, describe, layer } from "@effect/vitest"
import { programs } from "@svc/programs/programs"
import { ANONYMOUS } from "@svc/stores/snapshots/model"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { buyPlan, type Caller, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { jsonOf, send } from "@svc/testkit/contract/service"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const files = {
  "package.json": `{\n  "name": "shop",\n  "version": "1.2.0",\n  "license": "MIT",\n  "scripts": { "start": "node src/main.js" }\n}\n`,
  "src/main.js": `import { createServer } from "node:http"\n\ncreateServer((_, response) => response.end("ok")).listen(8080)\n`
}

const Rpc = Schema.fromJsonString(
  Schema.Struct({
    result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Unknown), isError: Schema.optionalKey(Schema.Boolean) })
  })
)
const decodeRpc = Schema.decodeEffect(Rpc)
const decodeBundle = Schema.decodeUnknownEffect(Schema.Struct({
  snapshot_id: Schema.String,
  artifacts: Schema.Array(Schema.Struct({ path: Schema.String, program: Schema.String, sha256: Schema.String })),
  qualification: Schema.String
}))

const decodeStatement = Schema.decodeEffect(Schema.fromJsonString(Schema.Struct({
  subject: Schema.Array(Schema.Struct({ name: Schema.String, digest: Schema.Struct({ sha256: Schema.String }) }))
})))

const call = Effect.fnUntraced(function*(name: string, { key }: Caller, args: object, mode = "standard") {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  const answer = yield* send("POST", "/mcp", { key, headers: { "X-Agent-Mode": mode }, body })
  const { result } = yield* decodeRpc(answer.text)
  return { content: result.structuredContent, isError: result.isError ?? false, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})

const analyzed = (caller: Caller) =>
  Effect.map(
    call(
      "analyze_files",
      caller,
      { project_name: "shop", files: Object.entries(files).map(([path, content]) => ({ path, content })) },
      "lite"
    ),
    ({ content }) => String(content["snapshot_id"])
  )

const payer = Effect.gen(function*() {
  const caller = yield* openCaller("Acme")
  yield* buyPlan(caller)
  return caller
})

const pathsOf = (program: string) => programs.find(({ name }) => name === program)?.artifacts.map(({ path }) => path) ?? []

const keptOf = Effect.fnUntraced(function*({ id }: Caller, snapshot: string) {
  const { artifacts } = yield* (yield* SnapshotStore).get(id, snapshot)
  return new Map(artifacts.map((artifact) => [artifact.path, artifact]))
})

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "bundles", () => {
  layer(layerWith({ CONFINED: "bubblewrap" }), { excludeTestServices: true, timeout: "120 seconds" })("at a door", (it) => {
    it.effect.each([["closer", "standard"], ["deploy", "lite"]] as const)(
      "%s makes all of its program, also of a free analysis, for a dollar, and keeps it with the snapshot",
      ([program, mode]) =>
        Effect.gen(function*() {
          const caller = yield* payer
          const snapshot_id = yield* analyzed(caller)
          const free = new Set((yield* keptOf(caller, snapshot_id)).keys())
          const { cents, content } = yield* call(program, caller, { snapshot_id }, mode)
          assert.strictEqual(cents, 100)
          const { artifacts, qualification } = yield* decodeBundle(content)
          assert.deepStrictEqual(artifacts.map(({ path }) => path), pathsOf(program))
          assert.include(qualification, "artifacts cite the source.")
          const kept = yield* keptOf(caller, snapshot_id)
          for (const { path, sha256 } of artifacts) assert.strictEqual(kept.get(path)?.sha256, sha256)
          assert.sameMembers([...kept.keys()], [...new Set([...free, ...artifacts.map(({ path }) => path)])])
          // What was paid for is no way to the rest.
          const again = yield* send("POST", `/v1/snapshots/${snapshot_id}/programs/mcp`, { key: caller.key })
          assert.strictEqual(again.status, 200, again.text)
          assert.isTrue([...(yield* keptOf(caller, snapshot_id)).values()].every(({ free, program: by }) => free || by === program))
        })
    )

    it.effect("are attested as they are kept and delivered", () =>
      Effect.gen(function*() {
        const caller = yield* payer
        const snapshot_id = yield* analyzed(caller)
        yield* call("closer", caller, { snapshot_id })
        const { content } = yield* call("get_artifact", caller, { snapshot_id, path: "packaging/attestation/attestation.json" })
        const { subject } = yield* decodeStatement(String(content["text"]))
        const kept = yield* keptOf(caller, snapshot_id)
        assert.isAbove(subject.length, 10)
        for (const { digest, name } of subject) assert.strictEqual(digest.sha256, kept.get(name)?.sha256, name)
        const bundle = yield* send("GET", `/v1/snapshots/${snapshot_id}/bundle.tar.gz?program=closer`, { key: caller.key })
        assert.strictEqual(bundle.status, 200)
      }))

    it.effect("closer takes the caller's words, masked, in the place of those before", () =>
      Effect.gen(function*() {
        const caller = yield* payer
        const snapshot_id = yield* analyzed(caller)
        const first = yield* decodeBundle((yield* call("closer", caller, { snapshot_id, product_name: "Till 4242424242424242" })).content)
        const path = "packaging/README.md"
        const read = Effect.map(call("get_artifact", caller, { snapshot_id, path }), ({ content }) => String(content["text"]))
        assert.include(yield* read, "Till ************4242")
        const second = yield* decodeBundle((yield* call("closer", caller, { snapshot_id, product_name: "Till" })).content)
        assert.notInclude(yield* read, "****")
        const shaOf = ({ artifacts }: typeof first) => artifacts.find((artifact) => artifact.path === path)?.sha256
        assert.notStrictEqual(shaOf(first), shaOf(second))
        assert.strictEqual((yield* keptOf(caller, snapshot_id)).get(path)?.sha256, shaOf(second))
        const same = yield* decodeBundle((yield* call("closer", caller, { snapshot_id, product_name: "Till", project_root: "./" })).content)
        assert.deepStrictEqual(same, second)
      }))

    it.effect("of what is not there, not the caller's, without source or not ended are refused for nothing", () =>
      Effect.gen(function*() {
        const [caller, other] = [yield* payer, yield* payer]
        const store = yield* SnapshotStore
        const snapshot_id = yield* analyzed(caller)
        const nobodys = yield* store.begin({ by: { network: caller.id }, description: { project_name: "shop" } })
        yield* store.complete(ANONYMOUS, nobodys, { files: [], artifacts: [], programs: [], skipped: { count: 0, files: [] } })
        const processing = yield* store.begin({ by: { account: caller.id, perMonth: 100 }, description: { project_name: "shop" } })
        const refused = Effect.fnUntraced(function*(name: string, by: Caller, args: object) {
          const { cents, content, isError } = yield* call(name, by, args)
          assert.deepStrictEqual([isError, cents], [true, 0], JSON.stringify(content))
          return content["error"] as { readonly code: string }
        })
        for (const name of ["closer", "deploy"]) {
          const missing = [yield* refused(name, other, { snapshot_id }), yield* refused(name, caller, { snapshot_id: "snap_01" })]
          missing.push(yield* refused(name, caller, { snapshot_id: nobodys }))
          for (const error of missing) assert.deepStrictEqual(error, missing[0] ?? error)
          assert.strictEqual(missing[0]?.code, "snapshot_not_found")
          assert.strictEqual((yield* refused(name, caller, { snapshot_id: processing })).code, "unreadable")
        }
        for (const project_root of ["../a", "/src", "web"]) {
          assert.strictEqual((yield* refused("closer", caller, { snapshot_id, project_root })).code, "invalid_path")
        }
        yield* store.discard(caller.id, snapshot_id)
        for (const name of ["closer", "deploy"]) {
          assert.strictEqual((yield* refused(name, caller, { snapshot_id })).code, "content_discarded")
        }
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ readonly held: number }>`
          SELECT coalesce(sum(reserved), 0)::float8 AS held FROM counters WHERE account_id IN (${caller.id}, ${other.id})`
        assert.strictEqual(row?.held, 0)
      }))

    it.effect("without a plan are asked to be paid by one, whatever credits there are", () =>
      Effect.gen(function*() {
        const caller = yield* openCaller("Acme")
        const snapshot_id = yield* analyzed(caller)
        const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "closer", arguments: { snapshot_id } } }
        const asked = yield* send("POST", "/mcp", { key: caller.key, body })
        assert.strictEqual(asked.status, 402)
        assert.deepInclude(jsonOf(asked), { error_code: "TIER_REQUIRED", price: "99.00", plan: "pro" })
      }))
  })
})
