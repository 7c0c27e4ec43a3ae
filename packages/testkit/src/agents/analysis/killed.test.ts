/** Servers that are killed in the middle of an analysis: nothing is charged, nothing half made is listed, and the same call works again. */
import { assert, describe, layer } from "@effect/vitest"
import { SnapshotStore } from "@svc/stores/snapshots/service/snapshot-store"
import { Effect, Fiber, Layer, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { packTar } from "modern-tar"
import { hash } from "node:crypto"
import { createServer } from "node:http"
import { deflateRawSync, gzipSync } from "node:zlib"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "../../bubblewrap.ts"
import { layerDatabase } from "../../database.ts"
import * as inside from "../../kills/inside.ts"
import { dataDir, startServer } from "../../kills/server.ts"
import { IN_TURN, isTurnOf } from "../../turns.ts"
import { buyPlan, type Caller, grantCredits, openCaller } from "../service.ts"

const FILES = 120

/** A GitHub of this machine with one repository. It holds its answer while `held`. */
const github = Effect.gen(function*() {
  const state = { asked: 0, held: true }
  const tar = gzipSync(
    yield* Effect.promise(() =>
      packTar(
        Array.from({ length: FILES }, (_, at) => {
          const body = `export const f${at} = () => ${at}\n`
          return { header: { name: `r/f${at}.ts`, type: "file" as const, size: body.length }, body }
        })
      )
    )
  )
  const server = createServer((_, response) => {
    state.asked++
    if (!state.held) response.end(tar)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", () => resolve()))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  const address = server.address()
  return { state, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` }
})

interface Kept {
  readonly snapshots: ReadonlyArray<string>
  readonly calls: ReadonlyArray<string>
  readonly parts: number
  /** Statements that wait to write parts. */
  readonly waiting: number
  readonly reserved: number
  readonly spent: number
}

/** What the database holds of the account. */
const keptOf = ({ id }: Caller) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<Kept>`SELECT
        (SELECT coalesce(json_agg(status ORDER BY created_at), '[]') FROM snapshots WHERE account_id = ${id}) AS snapshots,
        (SELECT coalesce(json_agg(state ORDER BY created_at), '[]') FROM tool_calls WHERE account_id = ${id}) AS calls,
        (SELECT count(*) FROM snapshot_files WHERE account_id = ${id})
          + (SELECT count(*) FROM snapshot_artifacts WHERE account_id = ${id}) AS parts,
        (SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database AND d.datname = current_database()
          WHERE NOT granted AND relation = 'snapshot_files'::regclass) AS waiting,
        (SELECT coalesce(sum(reserved), 0)::float8 FROM counters WHERE account_id = ${id}) AS reserved,
        (SELECT coalesce(sum(spent), 0)::float8 FROM counters WHERE account_id = ${id} AND name = 'credits') AS spent`,
      ([row]) => row ?? assert.fail("no row")
    ))

const until = (caller: Caller, holds: (kept: Kept) => boolean) =>
  keptOf(caller).pipe(
    Effect.filterOrFail(holds),
    Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo({ times: 1200 }))),
    Effect.orDie
  )

/** What a call answers that began before `done` and cannot end before: nobody writes into the table meanwhile. */
const beforeTheEnd = <A, R>(
  table: "snapshot_files" | "snapshot_artifacts",
  call: Effect.Effect<A>,
  done: Effect.Effect<unknown, never, R>
) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.gen(function*() {
      yield* sql`LOCK TABLE ${sql(table)} IN SHARE MODE`
      const calling = yield* Effect.forkChild(call)
      yield* done
      return yield* Fiber.join(calling)
    }))).pipe(Effect.orDie)

/** What waits for the end of a lease is due now. */
const expireLeases = ({ id }: Caller) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.andThen(
      sql`UPDATE timers SET due_at = now() WHERE account_id = ${id}`,
      sql`UPDATE snapshots SET processing_until = now() WHERE account_id = ${id} AND status = 'processing'`
    )).pipe(Effect.orDie)

const analyze = (toolsUrl: string, { key }: Caller) =>
  Effect.promise(() =>
    fetch(`${toolsUrl}/v1/analyze`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ github_url: "https://github.com/a/b" })
    }).then(({ status }) => status, () => "lost")
  )

/** One that is completed, with the same files. */
const snapshotOf = Effect.fnUntraced(function*({ id: account }: Caller) {
  const store = yield* SnapshotStore
  const id = yield* store.begin({ by: { account, perMonth: 10 }, description: { project_name: "r" } })
  const files = Array.from({ length: FILES }, (_, at) => {
    const text = `export const f${at} = () => ${at}\n`
    return { path: `f${at}.ts`, sha256: hash("sha256", text), bytes: text.length, lines: 2, deflated: deflateRawSync(text) }
  })
  yield* store.complete(account, id, { files, artifacts: [], programs: [], skipped: { count: 0, files: [] } })
  return id
}, Effect.orDie)

/** What a call of a tool answers; `lost` where nobody answers. */
const callTool = (toolsUrl: string, { key }: Caller, params: { readonly name: string; readonly arguments: object }) =>
  Effect.promise(() =>
    fetch(`${toolsUrl}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
    }).then((response) => response.text()).catch(() => "lost")
  )

const isMissing = bubblewrapPath() === undefined
const isPlayed = isTurnOf("killed-analyses")

describe.skipIf(isMissing || !isPlayed)(isMissing ? BUBBLEWRAP_MISSING : isPlayed ? "analyses" : IN_TURN, () => {
  layer(inside.layer.pipe(Layer.provideMerge(layerDatabase)), { timeout: 60_000, excludeTestServices: true })(
    "whose server is killed",
    (it) => {
      it.effect("cost nothing, list nothing, and work when they are asked for again", () =>
        Effect.gen(function*() {
          const { state, url } = yield* github
          const folder = yield* dataDir
          const server = startServer({ dataDir: folder, leaseSeconds: 60, environment: { GITHUB_API_URL: url, CONFINED: "bubblewrap" } })
          const caller = yield* openCaller("Acme")
          yield* grantCredits(caller, 1_000)

          const killed = Effect.fnUntraced(function*(isReached: (kept: Kept) => boolean) {
            const scope = yield* Scope.fork(yield* Effect.scope)
            const { kill, ready, toolsUrl } = yield* Scope.provide(server, scope)
            yield* ready
            const reached = until(caller, isReached)
            assert.strictEqual(yield* beforeTheEnd("snapshot_files", analyze(toolsUrl, caller), Effect.andThen(reached, kill)), "lost")
          })
          yield* killed(() => state.asked > 0)
          state.held = false
          yield* killed(({ snapshots }) => snapshots.length === 1)
          yield* killed(({ snapshots, waiting }) => snapshots.length === 2 && waiting > 0)
          const left = yield* keptOf(caller)
          assert.deepStrictEqual(left.calls, ["reserved", "reserved", "reserved"])
          // On a slow machine the first lease has ended meanwhile.
          assert.deepStrictEqual(left.snapshots.map((state) => state === "failed" ? "processing" : state), ["processing", "processing"])
          assert.deepInclude(left, { parts: 0, reserved: 900, spent: 0 })

          const { ready, toolsUrl } = yield* server
          yield* ready
          yield* expireLeases(caller)
          const settled = yield* until(
            caller,
            ({ calls, snapshots }) => [...calls, ...snapshots].every((state) => state === "released" || state === "failed")
          )
          assert.deepInclude(settled, { parts: 0, reserved: 0, spent: 0 })
          assert.strictEqual(yield* analyze(toolsUrl, caller), 201)
          const done = yield* keptOf(caller)
          assert.deepStrictEqual([done.calls.at(-1), done.snapshots], ["settled", ["failed", "failed", "completed"]])
          assert.deepInclude(done, { reserved: 0, spent: 300 })
          assert.isAbove(done.parts, FILES)
        }), 300_000)

      it.effect(
        "cost nothing and replace nothing when they were to package, and work when they are asked for again",
        () =>
          Effect.gen(function*() {
            const folder = yield* dataDir
            const server = startServer({ dataDir: folder, leaseSeconds: 60, environment: { CONFINED: "bubblewrap" } })
            const caller = yield* openCaller("Acme")
            yield* buyPlan(caller)
            const scope = yield* Scope.fork(yield* Effect.scope)
            const first = yield* Scope.provide(server, scope)
            yield* first.ready
            const snapshot_id = yield* snapshotOf(caller)
            const before = yield* keptOf(caller)
            const packaged = (toolsUrl: string) => callTool(toolsUrl, caller, { name: "closer", arguments: { snapshot_id } })

            const begun = until(caller, ({ calls }) => calls.includes("reserved"))
            const killed = Effect.andThen(begun, first.kill)
            assert.strictEqual(yield* beforeTheEnd("snapshot_artifacts", packaged(first.toolsUrl), killed), "lost")
            const left = yield* keptOf(caller)
            assert.deepInclude(left, { parts: before.parts, reserved: 100, spent: before.spent })

            const { ready, toolsUrl } = yield* server
            yield* ready
            yield* expireLeases(caller)
            const settled = yield* until(caller, ({ calls }) => !calls.includes("reserved"))
            assert.deepInclude(settled, { parts: before.parts, reserved: 0, spent: before.spent })
            assert.include(yield* packaged(toolsUrl), "packaging/README.md")
            const done = yield* keptOf(caller)
            assert.deepInclude(done, { reserved: 0, spent: before.spent + 100 })
            assert.isAbove(done.parts, before.parts)
          }),
        300_000
      )
    }
  )
})
