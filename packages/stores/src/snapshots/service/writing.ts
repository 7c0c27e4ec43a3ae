/** What changes snapshots. All writes of an account stand one after another, so that what is counted is right. */
import { now, realNow } from "@svc/kernel/values/time"
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { Turns } from "../../turns.ts"
import { type NewArtifact, type SnapshotContents, SnapshotEnded, type StoredArtifact } from "../model.ts"
import { deflated } from "../packing.ts"
import { FactRepository } from "../repository/facts.ts"
import { SnapshotQuotas } from "../repository/quotas.ts"
import { SnapshotRepository } from "../repository/rows.ts"
import { SnapshotTexts } from "../repository/texts.ts"
import { monthOf } from "../rules.ts"
import { makeRoom } from "./room.ts"

/** What an analysis made is worth waiting for other writes of the account. */
const patiently = <A, E extends { readonly _tag: string }>(writing: Effect.Effect<A, E>) =>
  Effect.retry(writing, {
    while: ({ _tag }) => _tag === "StoreBusy",
    schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ times: 20 }))
  })

/** Characters of why a snapshot failed that are kept. */
const MOST_OF_REASON = 500

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, one) => all + one, 0)

const packed = ({ citations, text, ...artifact }: NewArtifact): Effect.Effect<StoredArtifact> =>
  Effect.map(
    Effect.all([deflated(text), deflated(JSON.stringify(citations))]),
    ([text, citations]) => ({ ...artifact, deflated: text, citations })
  )

const packedAll = (artifacts: ReadonlyArray<NewArtifact>) => Effect.forEach(artifacts, packed, { concurrency: 4 })

const sizeOf = (artifacts: ReadonlyArray<StoredArtifact>): number =>
  sum(artifacts.map(({ citations, deflated }) => citations.length + deflated.length))

const ended = new SnapshotEnded({ message: "The snapshot was deleted meanwhile, or its analysis took too long. Analyze again." })

export const makeWriting = Effect.gen(function*() {
  const snapshots = yield* SnapshotRepository
  const texts = yield* SnapshotTexts
  const quotas = yield* SnapshotQuotas
  const facts = yield* FactRepository
  const turns = yield* Turns
  const { addBytes, checkRoom } = yield* makeRoom

  const write = <A, E>(account: string, use: Effect.Effect<A, E | SqlError.SqlError>) => turns.write("snapshots", account, use)

  const complete = Effect.fn("SnapshotStore.complete")(
    function*(account: string, id: string, { artifacts, files, programs, skipped }: SnapshotContents) {
      const packedArtifacts = yield* packedAll(artifacts)
      const completion = Effect.gen(function*() {
        const row = yield* snapshots.find(account, id)
        if (row?.status !== "processing") return yield* ended
        // The owner signed out while the analysis ran.
        const kept = row.content_discarded_at === null ? files : []
        const bytes = sum(kept.map(({ deflated }) => deflated.length)) + sizeOf(packedArtifacts)
        yield* checkRoom(account, bytes)
        yield* texts.addFiles(account, id, kept)
        yield* texts.addArtifacts(account, id, packedArtifacts)
        yield* addBytes(account, id, bytes)
        yield* snapshots.complete(account, id, { programs, skipped })
      })
      yield* patiently(write(account, completion))
    }
  )

  const addArtifacts = Effect.fn("SnapshotStore.addArtifacts")(
    function*(account: string, id: string, artifacts: ReadonlyArray<NewArtifact>) {
      const packedArtifacts = yield* packedAll(artifacts)
      yield* patiently(write(
        account,
        Effect.gen(function*() {
          const row = yield* snapshots.find(account, id)
          if (row?.status !== "completed") return yield* ended
          const replaced = yield* texts.removeArtifacts(account, id, artifacts.map(({ path }) => path))
          const bytes = sizeOf(packedArtifacts) - replaced
          yield* checkRoom(account, bytes)
          yield* texts.addArtifacts(account, id, packedArtifacts)
          yield* addBytes(account, id, bytes)
          const programs = Array.from(new Set([...row.programs, ...artifacts.map(({ program }) => program)]))
          yield* snapshots.complete(account, id, { programs, skipped: row.skipped })
        })
      ))
    }
  )

  const fail = Effect.fn("SnapshotStore.fail")(function*(account: string, id: string, reason: string) {
    yield* write(
      account,
      Effect.gen(function*() {
        const row = yield* snapshots.find(account, id)
        if (row?.status !== "processing") return
        yield* snapshots.fail(account, id, reason.replaceAll("\0", "").slice(0, MOST_OF_REASON))
        yield* quotas.giveBackOfMonth(account, monthOf(row.created_at))
      })
    )
  })

  const remove = Effect.fn("SnapshotStore.remove")(function*(account: string, id: string) {
    yield* write(
      account,
      Effect.gen(function*() {
        const row = yield* snapshots.find(account, id)
        if (row === undefined) return
        yield* snapshots.remove(account, id)
        yield* quotas.addUsage(account, { snapshot_bytes: -row.bytes })
      })
    )
  })

  const discardOne = Effect.fnUntraced(function*(account: string, id: string) {
    yield* addBytes(account, id, -(yield* texts.removeFiles(account, id)))
    yield* snapshots.markDiscarded(account, id, yield* now)
  })

  const discardAll = Effect.fn("SnapshotStore.discardAll")(function*(account: string) {
    yield* write(
      account,
      Effect.gen(function*() {
        yield* Effect.forEach(yield* snapshots.withContent(account), (id) => discardOne(account, id), { discard: true })
        const { fact_bytes } = yield* quotas.usage(account)
        if (fact_bytes > 0) yield* quotas.addUsage(account, { fact_bytes: -(yield* facts.removeOldest(account, fact_bytes)) })
      })
    )
  })

  const sweep = Effect.fn("SnapshotStore.sweep")(function*() {
    const at = yield* realNow
    yield* Effect.forEach(
      yield* Effect.orDie(snapshots.overdue(at)),
      ({ account_id, id }) => fail(account_id, id, "The process that analyzed it is gone, or took too long."),
      { discard: true }
    )
    yield* Effect.forEach(yield* Effect.orDie(snapshots.expired(at)), ({ account_id, id }) => remove(account_id, id), { discard: true })
    yield* Effect.orDie(quotas.forgetNetworks(at))
  })

  return {
    /** Refuses what an account has no room for. `bytes` are compressed. */
    checkRoom: (account: string, bytes: number) => Effect.catchTag(checkRoom(account, bytes), "SqlError", Effect.die),
    /** Keeps all that was made, or nothing. */
    complete,
    /** Ends one that is `processing`, and gives back its place in the month. Nothing where it is not. */
    fail,
    /** Adds artifacts of programs that ran later. Those of the same paths are replaced. */
    addArtifacts,
    /** For good. */
    remove,
    /** Drops the source and keeps the artifacts. */
    discard: Effect.fn("SnapshotStore.discard")((account: string, id: string) => write(account, discardOne(account, id))),
    /** Drops the source of all snapshots, of those too that are `processing`, and all facts. */
    discardAll,
    /** Ends what nobody finishes, and takes away what has expired. */
    sweep
  }
})
