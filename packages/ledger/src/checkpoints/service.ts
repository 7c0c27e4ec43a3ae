/** Signing where ledgers end, and proving events against it. What is signed was verified before. */
import { InvalidState, notFound } from "@svc/kernel/resource/errors"
import type { NotFound, ValidationError } from "@svc/kernel/resource/errors"
import { checkPage } from "@svc/kernel/resource/pages"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { type PublicKey, SigningKey } from "@svc/kernel/signatures/signing-key"
import { iso, realNow } from "@svc/kernel/values/time"
import { Context, Effect, Layer, Option, Schema, Stream } from "effect"
import type { LedgerVerification } from "../financial-events/model.ts"
import { type BookCheck, Ledger } from "../financial-events/service.ts"
import { type Checkpoint, CheckpointId, CheckpointJson, type EventProof } from "./model.ts"
import { type ChainToSign, CheckpointRepository } from "./repository.ts"
import { pathOf, rootOf } from "./service/event-tree.ts"
import { signEnds } from "./service/signing.ts"
import { type ChainEnd, isSealedBy } from "./verify.ts"

const onWire = Schema.encodeSync(CheckpointJson)
const isId = Schema.is(CheckpointId)
/** Accounts of one query. */
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
  /** Proves that the chain is the one that its last checkpoint was signed for, and that the checkpoint was signed here. */
  readonly holds: BookCheck
  /** A checkpoint of one ledger alone, a tree of one leaf, which is kept nowhere. */
  readonly seal: (end: Omit<ChainEnd, "events_root">) => Effect.Effect<Checkpoint>
  /** Every key that has signed here, the one of now first. */
  readonly keys: Effect.Effect<ReadonlyArray<PublicKey>>
}>()("@svc/ledger/Checkpoints") {
  static readonly layer = Layer.effect(
    Checkpoints,
    Effect.gen(function*() {
      const ledger = yield* Ledger
      const repository = yield* CheckpointRepository
      const signingKey = yield* SigningKey
      const { publicKey } = signingKey

      const list = Effect.fn("Checkpoints.list")(function*(account: string, page: PageRequest) {
        return yield* repository.list(account, yield* Effect.fromResult(checkPage(page)))
      })

      const get = Effect.fn("Checkpoints.get")(function*(account: string, id: string) {
        const checkpoint = isId(id) ? yield* repository.find(account, id) : undefined
        return checkpoint ?? (yield* notFound("checkpoint"))
      })

      const proof = Effect.fn("Checkpoints.proof")(function*(account: string, eventId: string) {
        const { event_hash, id, sequence_id } = yield* ledger.get(account, eventId)
        const checkpoint = yield* repository.last(account)
        if (checkpoint === undefined || checkpoint.last_sequence_id < sequence_id) {
          return yield* new InvalidState({
            message: "The event is newer than the last checkpoint of its ledger. One is signed each day; ask again tomorrow."
          })
        }
        const path = yield* pathOf(repository, account, checkpoint.last_sequence_id, sequence_id)
        return { event_id: id, sequence_id, event_hash, path, checkpoint }
      })

      /** Why a ledger cannot be signed: it does not hold, or its last checkpoint was signed for another chain. Undefined when it can be. */
      const defectOf = Effect.fnUntraced(function*(
        { account_id, head_hash, last_sequence_id }: ChainToSign,
        { first_break }: Pick<LedgerVerification, "first_break">
      ) {
        if (first_break !== null) return `${first_break.reason} at event ${first_break.sequence_id}`
        const isUnchanged = last_sequence_id === null || (yield* ledger.hashAt(account_id, last_sequence_id)) === head_hash
        return isUnchanged ? undefined : `event ${last_sequence_id} is not the one that was signed`
      })

      /** The end to sign of a ledger that has moved; none of a ledger that does not hold. */
      const endOf = Effect.fnUntraced(function*(moved: ChainToSign) {
        const { account_id: merchant_id, last_sequence_id } = moved
        const verification = yield* ledger.verify(merchant_id, { from: (last_sequence_id ?? 0) + 1 })
        const defect = yield* defectOf(moved, verification)
        if (defect !== undefined) {
          yield* Effect.logError(`the ledger does not hold (${defect}); nothing of it is signed. Compare it with a backup.`).pipe(
            Effect.annotateLogs({ account_id: merchant_id })
          )
          return []
        }
        const { gained, root } = yield* rootOf(repository, merchant_id, verification.last_sequence_id)
        yield* repository.keep(merchant_id, gained)
        return [{
          merchant_id,
          last_sequence_id: verification.last_sequence_id,
          head_hash: verification.head_hash,
          events_root: root
        }]
      })

      const registerKey = Effect.suspend(() => Effect.flatMap(realNow, (at) => repository.addKey(publicKey, iso(at))))

      const movedLedgers = Stream.paginate("", (after) =>
        Effect.map(
          repository.movedAfter(after, ACCOUNTS_AT_ONCE),
          (rows) => [rows, Option.fromNullishOr(rows.at(-1)?.account_id)] as const
        ))

      const takeOn = Effect.fn("Checkpoints.take")(function*(day: string | null) {
        const ends = (yield* Stream.runCollect(Stream.mapEffect(movedLedgers, endOf))).flat()
        if (ends.length === 0) return 0
        const { checkpoints, statement } = yield* signEnds(signingKey, ends)
        yield* registerKey
        return (yield* repository.write({ ...statement, day, key_id: publicKey.kid }, checkpoints)) ? checkpoints.length : 0
      })

      const daily = Effect.gen(function*() {
        const day = iso(yield* realNow).slice(0, 10)
        return (yield* repository.hasDay(day)) ? 0 : yield* takeOn(day)
      })

      const seal = Effect.fn("Checkpoints.seal")(function*(end: Omit<ChainEnd, "events_root">) {
        yield* registerKey
        const { root: events_root } = yield* rootOf(repository, end.merchant_id, end.last_sequence_id)
        const { checkpoints: [checkpoint] } = yield* signEnds(signingKey, [{ ...end, events_root }])
        return checkpoint ?? (yield* Effect.die(new RangeError("a tree of one leaf has none")))
      })

      const keys = Effect.map(repository.keys, (all) => [publicKey, ...all.filter(({ kid }) => kid !== publicKey.kid)])

      const holds: BookCheck = Effect.fnUntraced(function*(account: string) {
        const last = yield* repository.last(account)
        if (last === undefined) return undefined
        const key = (yield* keys).find(({ kid }) => kid === last.key_id)
        const isSame = (yield* ledger.hashAt(account, last.last_sequence_id)) === last.head_hash
        return isSame && key !== undefined && isSealedBy(key, onWire(last))
          ? undefined
          : { sequence_id: last.last_sequence_id, reason: "checkpoint_mismatch" }
      })

      return Checkpoints.of({ holds, list, get, proof, take: takeOn(null), daily, seal, keys })
    })
  )
}
