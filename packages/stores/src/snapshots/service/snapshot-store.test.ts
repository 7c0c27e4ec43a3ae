/** Snapshots on a real database: who sees which, how many there may be, what they take, and how they end. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { People } from "@svc/accounts/people/service"
import { Sessions } from "@svc/accounts/sessions/service"
import { iso, realNow } from "@svc/kernel/values/time"
import { services, servicesWith } from "@svc/testkit/services"
import { Effect, Redacted, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { hash, randomBytes } from "node:crypto"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { ANONYMOUS, MIB, type NewArtifact, PROCESSING_SECONDS, type SnapshotContents, type SnapshotFile } from "../model.ts"
import { SnapshotStore } from "./snapshot-store.ts"

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account.id
})

const fileOf = (path: string, text: string): SnapshotFile => ({
  path,
  sha256: hash("sha256", text),
  bytes: Buffer.byteLength(text),
  lines: text.split("\n").length,
  deflated: deflateRawSync(text)
})

const artifactOf = (path: string, text: string, more: Partial<NewArtifact> = {}): NewArtifact => ({
  path,
  program: "search",
  free: true,
  evidence: "cited",
  bytes: Buffer.byteLength(text),
  sha256: hash("sha256", text),
  text,
  citations: [],
  ...more
})

const contentsOf = (more: Partial<SnapshotContents> = {}): SnapshotContents => ({
  files: [fileOf("src/total.ts", "export const total = 1\n"), fileOf("README.md", "# Shop\n")],
  artifacts: [artifactOf("AGENTS.md", "Run npm test.\n"), artifactOf("context-map.json", "{}\n", { evidence: "none" })],
  programs: ["search"],
  skipped: { count: 0, files: [] },
  ...more
})

const begun = Effect.fnUntraced(function*(account: string, perMonth = 1_000) {
  const { begin } = yield* SnapshotStore
  return yield* begin({
    by: account === ANONYMOUS ? { network: hash("md5", randomBytes(8)) } : { account, perMonth },
    description: { project_name: "shop" }
  })
})

const completed = Effect.fnUntraced(function*(account: string, contents = contentsOf()) {
  const id = yield* begun(account)
  yield* (yield* SnapshotStore).complete(account, id, contents)
  return id
})

/** Rows that name a snapshot, in all tables but its own. */
const rowsOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly rows: number }>`
    SELECT (SELECT count(*) FROM snapshot_files WHERE snapshot_id = ${id})
      + (SELECT count(*) FROM snapshot_artifacts WHERE snapshot_id = ${id}) AS rows`
  return row?.rows
})

const usageOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly snapshot_bytes: number; readonly fact_bytes: number }>`
    SELECT snapshot_bytes, fact_bytes FROM snapshot_accounts WHERE account_id = ${account}`
  return row
})

layer(services, { timeout: "60 seconds" })("snapshots", (it) => {
  it.effect("are processing, then completed, and give back what was kept", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const id = yield* begun(account)
      assert.match(id, /^snap_[0-9A-HJKMNP-TV-Z]{26}$/u)
      assert.deepInclude(yield* store.get(account, id), { status: "processing", artifact_count: 0, project_name: "shop" })
      yield* store.complete(account, id, contentsOf())
      const { artifacts, status } = yield* store.get(account, id)
      assert.strictEqual(status, "completed")
      assert.deepStrictEqual(artifacts.map(({ evidence, path }) => [path, evidence]), [["AGENTS.md", "cited"], [
        "context-map.json",
        "none"
      ]])
      const { description, files } = yield* store.content(account, id)
      assert.deepStrictEqual(description, { project_name: "shop" })
      assert.deepStrictEqual(files.map(({ deflated, path }) => [path, inflateRawSync(deflated).toString()]), [
        ["README.md", "# Shop\n"],
        ["src/total.ts", "export const total = 1\n"]
      ])
      assert.deepInclude(yield* store.artifact(account, id, { path: "AGENTS.md", offset: 4, limit: 3 }), { text: "npm", next_offset: 7 })
      assert.strictEqual((yield* Effect.flip(store.complete(account, id, contentsOf())))._tag, "SnapshotEnded")
    }))

  it.effect("keep what is said of them as it was said, characters that text in Postgres cannot hold too", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const description = { project_name: "sh\0op \u{1F98A}", goals: ["sell"] }
      const id = yield* store.begin({ by: { account, perMonth: 1 }, description, call_id: "call_1" })
      yield* store.complete(account, id, contentsOf({ skipped: { count: 1, files: [{ path: "a\0b", reason: "no path" }] } }))
      assert.strictEqual((yield* store.get(account, id)).project_name, description.project_name)
      assert.deepStrictEqual((yield* store.content(account, id)).description, description)
    }))

  it.effect("keep all of what was made, or nothing", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const id = yield* begun(account)
      const twice = contentsOf({ artifacts: [artifactOf("AGENTS.md", "one"), artifactOf("AGENTS.md", "other")] })
      assert.isTrue(Result.isFailure(yield* Effect.result(Effect.sandbox(store.complete(account, id, twice)))))
      assert.strictEqual(yield* rowsOf(id), 0)
      assert.strictEqual((yield* store.get(account, id)).status, "processing")
      assert.deepInclude(yield* usageOf(account), { snapshot_bytes: 0 })
    }))

  it.effect("of another account, of nobody any more and of no shape are refused in the same words", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const [mine, other] = [yield* openAccount, yield* openAccount]
      const id = yield* completed(mine)
      const missing = `${id.slice(0, -4)}0000`
      const place = { path: "AGENTS.md", offset: 0, limit: 10 }
      for (const wrong of [id, missing, "snap_1", "", "\0", "snap_\ud800", "'; DROP TABLE snapshots"]) {
        const viewer = wrong === id ? other : mine
        const refusals = yield* Effect.all([
          Effect.flip(store.get(viewer, wrong)),
          Effect.flip(store.artifact(viewer, wrong, place)),
          Effect.flip(store.artifact(viewer, wrong, { ...place, path: "../etc/passwd" })),
          Effect.flip(store.content(viewer, wrong)),
          Effect.flip(store.search(viewer, wrong, "total")),
          Effect.flip(store.remove(viewer, wrong)),
          Effect.flip(store.discard(viewer, wrong)),
          Effect.flip(store.get(ANONYMOUS, wrong))
        ])
        assert.strictEqual(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size, 1, wrong)
        assert.strictEqual(refusals[0]._tag, "SnapshotNotFound")
      }
      assert.strictEqual((yield* store.get(mine, id)).artifact_count, 2)
    }))

  it.effect("of nobody are open to all who know the id, for a day", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const [id, removed] = [yield* completed(ANONYMOUS), yield* completed(ANONYMOUS)]
      for (const viewer of [ANONYMOUS, account]) assert.strictEqual((yield* store.get(viewer, id)).status, "completed")
      yield* store.remove(account, removed)
      assert.strictEqual((yield* Effect.flip(store.get(ANONYMOUS, removed)))._tag, "SnapshotNotFound")
      yield* TestClock.adjust("23 hours")
      yield* store.sweep()
      assert.strictEqual((yield* store.get(ANONYMOUS, id)).status, "completed")
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* Effect.flip(store.get(ANONYMOUS, id)))._tag, "SnapshotNotFound")
      assert.strictEqual(yield* rowsOf(id), 4)
      yield* store.sweep()
      assert.strictEqual(yield* rowsOf(id), 0)
      assert.deepInclude(yield* usageOf(ANONYMOUS), { snapshot_bytes: 0 })
    }))

  it.effect("of a network are three an hour, and deleting them makes no room", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const begin = store.begin({ by: { network: "203.0.113" }, description: { project_name: "shop" } })
      const tries = yield* Effect.all(Array.from({ length: 8 }, () => Effect.result(begin)), { concurrency: "unbounded" })
      const ids = tries.flatMap((one) => Result.isSuccess(one) ? [one.success] : [])
      assert.strictEqual(ids.length, 3)
      for (const id of ids) yield* store.remove(ANONYMOUS, id)
      assert.strictEqual((yield* Effect.flip(begin))._tag, "TooManySnapshots")
      yield* store.begin({ by: { network: "203.0.114" }, description: { project_name: "shop" } })
      yield* TestClock.adjust("1 hour")
      yield* begin
    }))

  it.effect("of a month are as many as the plan gives, however many are begun at once; a failed one does not count", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const tries = yield* Effect.all(Array.from({ length: 8 }, () => Effect.result(begun(account, 3))), { concurrency: "unbounded" })
      const [first = "", second = ""] = tries.flatMap((one) => Result.isSuccess(one) ? [one.success] : [])
      assert.strictEqual(tries.filter(Result.isSuccess).length, 3)
      yield* store.remove(account, second)
      assert.strictEqual((yield* Effect.flip(begun(account, 3)))._tag, "TooManySnapshots")
      yield* store.fail(account, first, "the parser ended at a\0.ts")
      yield* store.fail(account, first, "the parser ended")
      yield* begun(account, 3)
      assert.strictEqual((yield* Effect.flip(begun(account, 3)))._tag, "TooManySnapshots")
      yield* TestClock.adjust("32 days")
      yield* begun(account, 3)
    }))

  it.effect("whose worker is gone end in failed, and nothing is kept of them", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const [gone, working] = [yield* begun(account, 2), yield* begun(account, 2)]
      yield* store.complete(account, working, contentsOf())
      yield* TestClock.adjust(`${PROCESSING_SECONDS} seconds`)
      yield* store.sweep()
      assert.deepInclude(yield* store.get(account, gone), { status: "failed", artifact_count: 0 })
      assert.strictEqual((yield* store.get(account, working)).status, "completed")
      assert.strictEqual((yield* Effect.flip(store.complete(account, gone, contentsOf())))._tag, "SnapshotEnded")
      assert.strictEqual(yield* rowsOf(gone), 0)
      yield* begun(account, 2)
    }))

  it.effect("lose their source when the last person of the account signs out, and not when one is idle", () =>
    Effect.gen(function*() {
      const [store, people, sessions] = [yield* SnapshotStore, yield* People, yield* Sessions]
      const account = yield* openAccount
      const id = yield* completed(account)
      const { secret } = yield* people.invite({ account_id: account, role: "owner", email: null })
      const user_id = yield* people.join(Redacted.value(secret), { name: "Ada", email: null })
      const signedIn = Effect.gen(function*() {
        const begun = yield* sessions.start({ user_id, account_id: account, ip: null, user_agent: null })
        const session = yield* sessions.find(Redacted.value(begun.secret))
        return session ?? (yield* Effect.die(new Error("the session has begun")))
      })
      yield* signedIn
      yield* TestClock.adjust("31 minutes")
      const [one, other] = [yield* signedIn, yield* signedIn]
      yield* sessions.signOut(other)
      assert.isNull((yield* store.get(account, id)).content_discarded_at)
      yield* sessions.signOut(one)
      assert.isNotNull((yield* store.get(account, id)).content_discarded_at)
    }))

  it.effect("lose their source and keep their artifacts when it is discarded", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const id = yield* completed(account)
      const before = yield* usageOf(account)
      const at = yield* realNow
      yield* store.discard(account, id)
      yield* TestClock.adjust("1 minute")
      yield* store.discard(account, id)
      const { artifact_count, content_discarded_at } = yield* store.get(account, id)
      assert.deepStrictEqual([artifact_count, content_discarded_at], [2, iso(at)])
      assert.strictEqual((yield* store.artifact(account, id, { path: "AGENTS.md", offset: 0, limit: 99 })).text, "Run npm test.\n")
      assert.strictEqual((yield* Effect.flip(store.content(account, id)))._tag, "ContentDiscarded")
      assert.strictEqual((yield* Effect.flip(store.search(account, id, "total")))._tag, "ContentDiscarded")
      assert.strictEqual(yield* rowsOf(id), 2)
      const after = yield* usageOf(account)
      assert.isBelow(after?.snapshot_bytes ?? 0, before?.snapshot_bytes ?? 0)
      yield* store.remove(account, id)
      assert.deepInclude(yield* usageOf(account), { snapshot_bytes: 0 })
    }))

  it.effect("lose the source of all, of those too that are processing, when their owner signs out", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const [account, other] = [yield* openAccount, yield* openAccount]
      const [old, running, theirs] = [yield* completed(account), yield* begun(account), yield* completed(other)]
      const facts = { key: "k", deflated: randomBytes(100) }
      yield* store.keepFacts(account, old, [facts])
      yield* store.discardAll(account)
      yield* store.keepFacts(account, running, [facts])
      yield* store.complete(account, running, contentsOf())
      for (const id of [old, running]) assert.strictEqual((yield* Effect.flip(store.content(account, id)))._tag, "ContentDiscarded")
      assert.strictEqual((yield* store.get(account, running)).artifact_count, 2)
      assert.strictEqual((yield* store.cachedFacts(account, ["k"])).size, 0)
      assert.deepInclude(yield* usageOf(account), { fact_bytes: 0 })
      assert.strictEqual((yield* store.content(other, theirs)).files.length, 2)
    }))

  it.effect("take later artifacts, which replace those of their paths", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const id = yield* completed(account)
      const before = yield* usageOf(account)
      yield* store.addArtifacts(account, id, [
        artifactOf("AGENTS.md", "Run npm test.\n"),
        artifactOf("skills/a.md", "a", { program: "skills" })
      ])
      yield* store.addArtifacts(account, id, [artifactOf("skills/a.md", "b", { program: "skills" })])
      const { artifacts } = yield* store.get(account, id)
      assert.deepStrictEqual(artifacts.map(({ path }) => path), ["AGENTS.md", "context-map.json", "skills/a.md"])
      assert.strictEqual((yield* store.artifact(account, id, { path: "skills/a.md", offset: 0, limit: 9 })).text, "b")
      yield* store.addArtifacts(account, id, [artifactOf("skills/a.md", "", { program: "skills" })])
      assert.isAbove((yield* usageOf(account))?.snapshot_bytes ?? 0, before?.snapshot_bytes ?? 0)
      yield* store.remove(account, id)
      assert.deepInclude(yield* usageOf(account), { snapshot_bytes: 0 })
    }))

  it.effect("are searched by line, source before artifacts", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const id = yield* completed(
        account,
        contentsOf({
          files: [fileOf("b.ts", "one\nconst Total = price * amount\n"), fileOf("a.ts", "total\n")],
          artifacts: [artifactOf("AGENTS.md", "The total of prices\n")]
        })
      )
      const hits = yield* store.search(account, id, "TOTAL price")
      assert.deepStrictEqual(hits.map(({ line, path, source, words }) => [source, path, line, words]), [
        ["content", "b.ts", 2, 2],
        ["artifact", "AGENTS.md", 1, 2],
        ["content", "a.ts", 1, 1]
      ])
      assert.strictEqual(hits[0]?.text, "const Total = price * amount")
      assert.deepStrictEqual(yield* store.search(account, id, "nowhere"), [])
      assert.deepStrictEqual(yield* store.search(account, id, "  "), [])
    }))

  it.effect("have artifacts at paths alone that stay within them", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const id = yield* completed(account)
      const read = (path: string) => Effect.map(Effect.flip(store.artifact(account, id, { path, offset: 0, limit: 9 })), ({ _tag }) => _tag)
      for (const path of ["/AGENTS.md", "../AGENTS.md", "a/../AGENTS.md", "a\0b", "a\\b", "C:/AGENTS.md", ""]) {
        assert.strictEqual(yield* read(path), "InvalidPath", path)
      }
      for (const path of ["agents.md", "AGENTS.md/", "a..b", "src/total.ts"]) {
        assert.strictEqual(yield* read(path), "ArtifactNotFound", path)
      }
    }))

  it.effect("cache facts within their account alone", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const [account, other] = [yield* openAccount, yield* openAccount]
      const id = yield* completed(account)
      const entries = Array.from({ length: 450 }, (_, n) => ({ key: `k${n}`, deflated: randomBytes(20) }))
      yield* store.keepFacts(account, id, entries)
      yield* store.keepFacts(account, id, entries)
      const found = yield* store.cachedFacts(account, ["k0", "k449", "k450"])
      assert.deepStrictEqual(Array.from(found.keys()).sort(), ["k0", "k449"])
      assert.deepStrictEqual(Buffer.from(found.get("k449") ?? []), entries[449]?.deflated)
      assert.deepInclude(yield* usageOf(account), { fact_bytes: 9_000 })
      assert.strictEqual((yield* store.cachedFacts(other, ["k0"])).size, 0)
      yield* store.keepFacts(ANONYMOUS, yield* completed(ANONYMOUS), entries)
      assert.strictEqual((yield* store.cachedFacts(ANONYMOUS, ["k0"])).size, 0)
    }))
})

layer(servicesWith({ environment: { TOOLS_SNAPSHOTS_MIB: "1" } }), { timeout: "60 seconds" })("the room of an account", (it) => {
  const noise = (path: string, bytes: number): SnapshotFile => ({
    path,
    sha256: "0".repeat(64),
    bytes,
    lines: 1,
    deflated: randomBytes(bytes)
  })
  const contents = (bytes: number) => contentsOf({ files: [noise("a", bytes)], artifacts: [] })

  it.effect("is never passed, and what does not fit is refused whole", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const ids = yield* Effect.all(Array.from({ length: 4 }, () => begun(account)))
      const ends = yield* Effect.all(
        ids.map((id) => Effect.result(store.complete(account, id, contents(400_000)))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(ends.filter(Result.isSuccess).length, 2)
      assert.deepInclude(yield* usageOf(account), { snapshot_bytes: 800_000 })
      assert.strictEqual((yield* Effect.flip(store.checkRoom(account, MIB - 800_000 + 1)))._tag, "StorageFull")
      yield* store.checkRoom(account, MIB - 800_000)
      const refused = ids.filter((_, n) => ends[n] !== undefined && Result.isFailure(ends[n]))
      for (const id of refused) assert.strictEqual(yield* rowsOf(id), 0)
      assert.strictEqual(
        (yield* Effect.flip(store.addArtifacts(account, ids.find((id) => !refused.includes(id)) ?? "", [
          artifactOf("a", randomBytes(300_000).toString("hex"))
        ])))._tag,
        "StorageFull"
      )
    }))

  it.effect("is given to snapshots before facts, of which those go first that were used longest ago", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const account = yield* openAccount
      const id = yield* completed(account, contents(500_000))
      const facts = (key: string) => [{ key, deflated: randomBytes(200_000) }]
      yield* store.keepFacts(account, id, facts("old"))
      yield* TestClock.adjust("2 hours")
      yield* store.keepFacts(account, id, facts("newer"))
      yield* TestClock.adjust("2 hours")
      yield* store.cachedFacts(account, ["old"])
      yield* store.keepFacts(account, id, facts("newest"))
      const kept = () => Effect.map(store.cachedFacts(account, ["old", "newer", "newest"]), (found) => Array.from(found.keys()).sort())
      assert.deepStrictEqual(yield* kept(), ["newest", "old"])
      yield* completed(account, contents(500_000))
      assert.deepStrictEqual(yield* kept(), [])
      assert.deepInclude(yield* usageOf(account), { snapshot_bytes: 1_000_000, fact_bytes: 0 })
    }))
})
