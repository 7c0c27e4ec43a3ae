/** Signing where ledgers end, and proving events against it. What is signed was verified before. */
import { InvalidState, notFound } from "@svc/kernel/errors"
import type { NotFound, ValidationError } from "@svc/kernel/errors"
import { nextId } from "@svc/kernel/ids"
import { levelsOf, pathIn } from "@svc/kernel/merkle"
import { checkPage } from "@svc/kernel/pages"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { type PublicKey, SigningKey } from "@svc/kernel/signing-key"
import { iso, realNow } from "@svc/kernel/time"
import { Context, DateTime, Effect, Layer, Option, Schema, Stream } from "effect"
import { type BookCheck, Ledger } from "../financial-events/service.ts"
import { Checkpoint, CheckpointId, CheckpointJson, GROUP, STEP } from "./model.ts"
import type { EventProof, Node, Span } from "./model.ts"
import { CheckpointRepository, type Moved } from "./repository.ts"
import { gains, know, type Known, nodeOver, pathAt, rootAt, spansFor } from "./rules.ts"
import { type ChainEnd, isSealedBy, leafOf, statementText } from "./verify.ts"

const onWire = Schema.encodeSync(CheckpointJson)
const isId = Schema.is(CheckpointId)
/** Groups of hashes of one query. */
const GROUPS = 64
const ACCOUNTS_AT_ONCE = 500

export class Checkpoints extends Context.Service<Checkpoints, {
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<Checkpoint>, ValidationError>
  readonly get: (account: string, id: string) => Effect.Effect<Checkpoint, NotFound>
  /** The path of one event to the checkpoint that reaches furthest. Fails with `InvalidState` while none reaches the event. */
  readonly proof: (account: string, eventId: string) => Effect.Effect<EventProof, NotFound | InvalidState>
  /** Verifies and signs every ledger that has moved since its last checkpoint, now, and says how many. */
  readonly take: Effect.Effect<number>
  /** The same once a day by UTC: nothing when this day's is there. */
  readonly daily: Effect.Effect<number>
  /** That the chain is the one that its last checkpoint was signed for, and that this was signed here. */
  readonly holds: BookCheck
  /** A checkpoint of one ledger alone, a tree of one leaf, which is kept nowhere. */
  readonly seal: (end: Omit<ChainEnd, "events_root">) => Effect.Effect<Checkpoint>
  /** Every key that has signed here, the one of now first. */
  readonly keys: Effect.Effect<ReadonlyArray<PublicKey>>
}>()("@svc/ledger/Checkpoints") {
  static readonly layer = Layer.effect(Checkpoints, Effect.gen(function*() {
    const ledger = yield* Ledger
    const repository = yield* CheckpointRepository
    const { publicKey, sign } = yield* SigningKey

    const list = Effect.fn("Checkpoints.list")(function*(account: string, page: PageRequest) {
      return yield* repository.list(account, yield* Effect.fromResult(checkPage(page)))
    })

    const get = Effect.fn("Checkpoints.get")(function*(account: string, id: string) {
      const checkpoint = isId(id) ? yield* repository.find(account, id) : undefined
      return checkpoint ?? (yield* notFound("checkpoint"))
    })

    /** Kept nodes that a tree gains; those of the level below that are read for them are on their way or in the database. */
    const gained = Effect.fnUntraced(function*(account: string, size: number) {
      const before = yield* repository.covered(account)
      const found: Array<Node> = []
      for (const { from, level, to } of gains(before, size)) {
        for (let at = from; at < to; at += GROUPS) {
          const span = { level: level - STEP, from: at * GROUP, to: Math.min(at + GROUPS, to) * GROUP }
          const below = [...yield* repository.nodes(account, span), ...found.filter((node) => node.level === span.level && node.position >= span.from && node.position < span.to)]
          below.sort((one, other) => one.position - other.position)
          for (let n = 0; n < below.length; n += GROUP) found.push(nodeOver(level, at + n / GROUP, below.slice(n, n + GROUP).map(({ hash }) => hash)))
          yield* Effect.yieldNow
        }
      }
      return found
    })

    const known = Effect.fnUntraced(function*(account: string, spans: ReadonlyArray<Span>, more: ReadonlyArray<Node>) {
      const read = yield* Effect.forEach(spans, (span) => repository.nodes(account, span))
      return know(know(new Map(), read.flat()), more) satisfies Known
    })

    /** The root of the tree over the first `size` events. With `keep` its complete nodes are kept for the next time. */
    const rootOf = Effect.fnUntraced(function*(account: string, size: number, keep: boolean) {
      const nodes = yield* gained(account, size)
      if (keep) yield* repository.keep(account, nodes)
      return rootAt(yield* known(account, spansFor(size), nodes), size).toString("hex")
    })

    const proof = Effect.fn("Checkpoints.proof")(function*(account: string, eventId: string) {
      const { event_hash, id, sequence_id } = yield* ledger.get(account, eventId)
      const checkpoint = yield* repository.last(account)
      if (checkpoint === undefined || checkpoint.last_sequence_id < sequence_id) {
        return yield* new InvalidState({ message: "The event is newer than the last checkpoint of its ledger. One is signed each day; ask again tomorrow." })
      }
      const size = checkpoint.last_sequence_id
      const nodes = yield* known(account, spansFor(size, sequence_id - 1), [])
      return { event_id: id, sequence_id, event_hash, path: pathAt(nodes, size, sequence_id - 1).map((hash) => hash.toString("hex")), checkpoint }
    })

    /** What can be signed of a ledger; nothing of one that does not hold, or that is not the one whose last checkpoint was signed. */
    const endOf = Effect.fnUntraced(function*({ account_id: merchant_id, head_hash, last_sequence_id }: Moved) {
      const { first_break, head_hash: head, last_sequence_id: last } = yield* ledger.verify(merchant_id, { from: (last_sequence_id ?? 0) + 1 })
      const unchanged = last_sequence_id === null || (yield* ledger.hashAt(merchant_id, last_sequence_id)) === head_hash
      if (first_break !== null || !unchanged) {
        const why = first_break === null ? `event ${last_sequence_id} is not the one that was signed` : `${first_break.reason} at event ${first_break.sequence_id}`
        yield* Effect.logError(`the ledger does not hold (${why}); nothing of it is signed. Compare it with a backup.`).pipe(Effect.annotateLogs({ account_id: merchant_id }))
        return []
      }
      return [{ merchant_id, last_sequence_id: last, head_hash: head, events_root: yield* rootOf(merchant_id, last, true) }]
    })

    const signed = Effect.fnUntraced(function*(ends: ReadonlyArray<ChainEnd>) {
      const at = yield* realNow
      const levels = levelsOf(ends.map(leafOf))
      const statement = { root_hash: levels.at(-1)?.[0]?.toString("hex") ?? "", tree_size: ends.length, created_at: iso(at) }
      const signature = sign(statementText(statement))
      const leaves = yield* Effect.forEach(ends, (end, leaf_index) => Effect.map(nextId("lcp"), (id) => new Checkpoint({
        ...end,
        ...statement,
        id: CheckpointId.make(id),
        leaf_index,
        path: pathIn(levels, leaf_index).map((hash) => hash.toString("hex")),
        key_id: publicKey.kid,
        signature,
        created_at: at
      })))
      return { leaves, statement }
    })

    const register = Effect.suspend(() => Effect.flatMap(realNow, (at) => repository.addKey(publicKey, DateTime.formatIso(at))))

    const moved = Stream.paginate("", (after) =>
      Effect.map(repository.movedAfter(after, ACCOUNTS_AT_ONCE), (rows) => [rows, Option.fromNullishOr(rows.at(-1)?.account_id)] as const))

    const takeOn = Effect.fn("Checkpoints.take")(function*(day: string | null) {
      const ends = (yield* Stream.runCollect(Stream.mapEffect(moved, endOf))).flat()
      if (ends.length === 0) return 0
      const { leaves, statement } = yield* signed(ends)
      yield* register
      return (yield* repository.write({ ...statement, day, key_id: publicKey.kid }, leaves)) ? leaves.length : 0
    })

    const daily = Effect.gen(function*() {
      const day = iso(yield* realNow).slice(0, 10)
      return (yield* repository.hasDay(day)) ? 0 : yield* takeOn(day)
    })

    const seal = Effect.fn("Checkpoints.seal")(function*(end: Omit<ChainEnd, "events_root">) {
      yield* register
      const { leaves: [leaf] } = yield* signed([{ ...end, events_root: yield* rootOf(end.merchant_id, end.last_sequence_id, false) }])
      return leaf ?? (yield* Effect.die(new RangeError("a tree of one leaf has none")))
    })

    const keys = Effect.map(repository.keys, (all) => [publicKey, ...all.filter(({ kid }) => kid !== publicKey.kid)])

    const holds: BookCheck = Effect.fnUntraced(function*(account: string) {
      const last = yield* repository.last(account)
      if (last === undefined) return undefined
      const key = (yield* keys).find(({ kid }) => kid === last.key_id)
      const isSame = (yield* ledger.hashAt(account, last.last_sequence_id)) === last.head_hash
      return isSame && key !== undefined && isSealedBy(key, onWire(last)) ? undefined : { sequence_id: last.last_sequence_id, reason: "checkpoint_mismatch" }
    })

    return Checkpoints.of({ holds, list, get, proof, take: takeOn(null), daily, seal, keys })
  }))
}
