/** The verbs of a transfer instrument: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { LegalEntities } from "@svc/accounts/legal-entities/service"
import { Keyring } from "@svc/kernel/encryption/keyring"
import { type IdempotencyInProgress, type IdempotencyKeyReused, InvalidState, type NotFound, notFound, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import { Idempotency, internalCause, keyDone, type Keyed, once, reused } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import { fromJsonText } from "@svc/kernel/json"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, type DateTime, Effect, Layer, Result, Schema } from "effect"
import { archiving, type CreateTransferInstrumentRequest, type InstrumentFilter, type TransferInstrument, TransferInstrumentId, type VerifyTransferInstrumentRequest } from "./model.ts"
import { areDeposits, confirm } from "./provider/bank.ts"
import { TransferInstrumentRepository } from "./repository.ts"
import { commitOf, wireOf } from "./road.ts"
import * as rules from "./rules.ts"
import type { InstrumentDecision } from "./rules.ts"

/** A fresh answer, or the stored one of a repeated request. */
export interface Created extends StoredReply {
  readonly replayed: boolean
}

type ChangeFailure = NotFound | InvalidState | ValidationError | VersionConflict

/** Which instrument, and the version that the caller read, when it says so. */
export interface Which {
  readonly account: AccountFacts
  readonly id: string
  readonly version?: number | undefined
}

const isInstrumentId = Schema.is(TransferInstrumentId)

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

const live = () =>
  new InvalidState({ message: "Cannot verify it here: this installation has no connection to banks that confirms accounts of live merchants. The operator can add one.", details: { state: "pending", allowed: ["archive"] } })

const noAmounts = () => new ValidationError({ code: "amounts", message: "amounts: micro_deposits compares the two amounts that arrived. Send both, for example [32, 45]." })

export class TransferInstruments extends Context.Service<TransferInstruments, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (account: AccountFacts, request: CreateTransferInstrumentRequest, keyed?: Keyed) =>
    Effect.Effect<Created, ValidationError | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  readonly get: (account: string, id: string) => Effect.Effect<TransferInstrument, NotFound>
  /** The default of this type and currency, if there is one. */
  readonly standard: (account: string, of: Pick<TransferInstrument, "type" | "currency">) => Effect.Effect<TransferInstrument | undefined>
  readonly list: (account: string, filter: InstrumentFilter, page: PageRequest) => Effect.Effect<Page<TransferInstrument>>
  /** Asks its bank, or compares the amounts of the small deposits. */
  readonly verify: (which: Which, request: VerifyTransferInstrumentRequest) => Effect.Effect<TransferInstrument, ChangeFailure>
  readonly resubmit: (which: Which) => Effect.Effect<TransferInstrument, ChangeFailure>
  readonly activate: (which: Which) => Effect.Effect<TransferInstrument, ChangeFailure>
  readonly makeDefault: (which: Which) => Effect.Effect<TransferInstrument, ChangeFailure>
  readonly archive: (which: Which) => Effect.Effect<TransferInstrument, ChangeFailure>
  /** For the timer: the cooling-off is over. */
  readonly cooledOff: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/treasury/TransferInstruments") {
  static readonly layer = Layer.effect(TransferInstruments, Effect.gen(function*() {
    const accounts = yield* Accounts
    const committer = yield* Committer
    const entities = yield* LegalEntities
    const idempotency = yield* Idempotency
    const keyring = yield* Keyring
    const repository = yield* TransferInstrumentRepository

    // What is not an id is not asked for: text from outside may hold what Postgres does not take.
    const get = Effect.fn("TransferInstruments.get")(function*(account: string, id: string) {
      return (isInstrumentId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound(rules.NAME))
    })

    const insert = Effect.fnUntraced(function*(account: AccountFacts, request: CreateTransferInstrumentRequest, keyed?: Keyed) {
      const number = yield* Effect.fromResult(rules.numberOf(request))
      if (typeof request.legal_entity_id === "string") {
        yield* Effect.mapError(entities.get(account.id, request.legal_entity_id), ({ message }) => new ValidationError({ code: "legal_entity_id", message: `legal_entity_id: ${message}` }))
      }
      const id = TransferInstrumentId.make(yield* nextId("ti"))
      const decided = rules.create(request, { id, account, number, sealed: keyring.seal(number, id), at: yield* now })
      const reply: StoredReply = { status: 201, body: wireOf(decided.instrument) }
      const key = keyed === undefined ? undefined : keyDone(keyed, { type: "transfer_instrument", id }, reply)
      yield* committer.commit(commitOf(decided, keyed?.key ?? internalCause("transfer_instrument.create", id), key))
      return reply
    })

    /** Whether a stored answer is about this very number, which the fingerprint of its request does not hold. */
    const isOfNumber = Effect.fnUntraced(function*(account: string, body: string, request: CreateTransferInstrumentRequest) {
      const { id, sealed } = yield* Effect.orDie(get(account, readId(body).id))
      const asked = Result.getOrUndefined(rules.numberOf(request))
      return asked !== undefined && asked === (yield* Effect.orDie(keyring.open(sealed, id)))
    })

    type Deciding<E, R> = (instrument: TransferInstrument, at: DateTime.Utc) => Effect.Effect<InstrumentDecision | undefined, E, R>

    const change = Effect.fnUntraced(function*<E>(account: string, id: string, decide: Deciding<E, never>, mayRefuse = false): Effect.fn.Return<TransferInstrument, E | NotFound | InvalidState | CommitRefused> {
      const instrument = yield* get(account, id)
      const decided = yield* decide(instrument, yield* now)
      if (decided === undefined) return instrument
      yield* committer.commit(commitOf<InvalidState>(decided, internalCause("transfer_instrument.change", `${id}:${instrument.version}`), undefined, mayRefuse ? [archiving.of({ instrument })] : []))
      return decided.instrument
    })

    const changing = <E>({ account, id }: Which, decide: Deciding<E, never>, mayRefuse = false) => untilCommitted(rules.NAME, change(account.id, id, decide, mayRefuse))

    const verdict = Effect.fnUntraced(function*(instrument: TransferInstrument, { account, version }: Which, request: VerifyTransferInstrumentRequest, at: DateTime.Utc) {
      if (!account.sandbox) return yield* live()
      if (request.method === "micro_deposits" && request.amounts === undefined) return yield* noAmounts()
      if (request.amounts !== undefined) return yield* Effect.fromResult(areDeposits(request.amounts) ? rules.verify(instrument, account, at, version) : rules.tryAgain(instrument, at, version))
      const said = confirm(yield* Effect.orDie(keyring.open(instrument.sealed, instrument.id)))
      return yield* Effect.fromResult(said._tag === "Confirmed" ? rules.verify(instrument, account, at, version) : rules.fail(instrument, said.reason, at, version))
    })

    const activating = Effect.fnUntraced(function*(instrument: TransferInstrument, at: DateTime.Utc, version?: number) {
      return yield* Effect.fromResult(rules.activate(instrument, yield* repository.standard(instrument.account_id, instrument), at, version))
    })

    return TransferInstruments.of({
      create: Effect.fn("TransferInstruments.create")(function*(account: AccountFacts, request: CreateTransferInstrumentRequest, keyed?: Keyed) {
        if (keyed !== undefined) {
          const answer = yield* once(idempotency, account.id, keyed, () => insert(account, request, keyed))
          if (answer.replayed && !(yield* isOfNumber(account.id, answer.body, request))) return yield* reused()
          return answer
        }
        // Without a key there is nothing a fresh row could collide with.
        return { ...(yield* Effect.catchTag(insert(account, request), "CommitRefused", Effect.die)), replayed: false }
      }),
      get,
      standard: repository.standard,
      list: Effect.fn("TransferInstruments.list")(repository.list),
      verify: Effect.fn("TransferInstruments.verify")((which: Which, request: VerifyTransferInstrumentRequest) => changing(which, (instrument, at) => verdict(instrument, which, request, at))),
      resubmit: Effect.fn("TransferInstruments.resubmit")((which: Which) => changing(which, (instrument, at) => Effect.fromResult(rules.resubmit(instrument, at, which.version)))),
      activate: Effect.fn("TransferInstruments.activate")((which: Which) => changing(which, (instrument, at) => activating(instrument, at, which.version))),
      makeDefault: Effect.fn("TransferInstruments.makeDefault")((which: Which) => changing(which, Effect.fnUntraced(function*(instrument: TransferInstrument, at: DateTime.Utc) {
        return yield* Effect.fromResult(rules.makeDefault(instrument, yield* repository.standard(instrument.account_id, instrument), at, which.version))
      }))),
      archive: Effect.fn("TransferInstruments.archive")((which: Which) => changing(which, (instrument, at) => Effect.fromResult(rules.archive(instrument, at, which.version)), true)),
      cooledOff: Effect.fn("TransferInstruments.cooledOff")(function*(account: string, id: string) {
        const facts = yield* accounts.get(AccountId.make(account))
        // Archived meanwhile, or active already.
        yield* Effect.catchTag(changing({ account: facts, id }, (instrument, at) => activating(instrument, at)), ["InvalidState", "ValidationError"], () => Effect.void)
      })
    })
  }))
}

