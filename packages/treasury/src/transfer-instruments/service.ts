/** The verbs of a transfer instrument: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { LegalEntities } from "@svc/accounts/legal-entities/service"
import { ValidationError } from "@svc/kernel/resource/errors"
import { type Keyed, reused } from "@svc/kernel/resource/idempotency"
import { type Decision, type NewRow, verbsOf } from "@svc/kernel/resource/verbs"
import type { CommitMoment } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Context, type DateTime, Effect, Layer, Result, Schema } from "effect"
import {
  archiving,
  type CreateTransferInstrumentRequest,
  instrumentFilters,
  type TransferInstrument,
  TransferInstrumentId,
  transferInstruments,
  type VerifyTransferInstrumentRequest
} from "./model.ts"
import { standardInstrument } from "./repository.ts"
import * as rules from "./rules.ts"
import { type InstrumentTarget, makeVerify } from "./service/verify.ts"

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

/** The one that was the default until now is written in the same commit. */
const committed = <R = never>(
  { former, instrument, ...effects }: rules.InstrumentDecision,
  moments: ReadonlyArray<CommitMoment<R>> = []
): Decision<TransferInstrument, R> => ({
  resource: instrument,
  writes: former === undefined ? [] : [transferInstruments.write(former)],
  moments,
  ...effects
})

type Deciding<E> = (instrument: TransferInstrument, at: DateTime.Utc) => Effect.Effect<rules.InstrumentDecision | undefined, E>

export class TransferInstruments extends Context.Service<TransferInstruments>()("@svc/treasury/TransferInstruments", {
  make: Effect.gen(function*() {
    const accounts = yield* Accounts
    const entities = yield* LegalEntities
    const keyring = yield* Keyring
    const standard = yield* standardInstrument
    const decideVerification = yield* makeVerify
    const { change, createAnyhow, findByIds, get, list } = yield* verbsOf(transferInstruments, {
      name: rules.NAME,
      prefix: "ti",
      filters: instrumentFilters
    })

    const insert = createAnyhow(
      "TransferInstruments.create",
      Effect.fnUntraced(
        function*(request: CreateTransferInstrumentRequest, { created_at: at, id }: NewRow<TransferInstrument>, account: AccountFacts) {
          const number = yield* Effect.fromResult(rules.numberOf(request))
          if (typeof request.legal_entity_id === "string") {
            yield* Effect.mapError(
              entities.get(account.id, request.legal_entity_id),
              ({ message }) => new ValidationError({ code: "legal_entity_id", message: `legal_entity_id: ${message}` })
            )
          }
          return committed(rules.create(request, { id, account, number, sealed: keyring.seal(number, id), at }))
        }
      )
    )

    /** Whether a stored answer is about this very number, which the fingerprint of its request does not hold. */
    const isOfNumber = Effect.fnUntraced(function*(account: string, body: string, request: CreateTransferInstrumentRequest) {
      const { id, sealed } = yield* Effect.orDie(get(account, readId(body).id))
      const asked = Result.getOrUndefined(rules.numberOf(request))
      return asked !== undefined && asked === (yield* Effect.orDie(keyring.open(sealed, id)))
    })

    const decided = <E, R = never>(
      { account, id }: InstrumentTarget,
      decide: Deciding<E>,
      moments?: (of: TransferInstrument) => ReadonlyArray<CommitMoment<R>>
    ) =>
      change(account.id, id, (instrument, at) =>
        Effect.map(
          decide(instrument, at),
          (decision) => decision === undefined ? undefined : committed(decision, moments?.(instrument))
        ))

    const activating = Effect.fnUntraced(function*(instrument: TransferInstrument, at: DateTime.Utc, version?: number) {
      return yield* Effect.fromResult(
        rules.activate(instrument, yield* standard(instrument.account_id, instrument), at, version)
      )
    })

    return {
      /** Answers 201, or 200 with the same body when the key was used for the same request before. */
      create: Effect.fnUntraced(function*(account: AccountFacts, request: CreateTransferInstrumentRequest, keyed?: Keyed) {
        const answer = yield* insert(account, request, keyed)
        return answer.replayed && !(yield* isOfNumber(account.id, answer.body, request)) ? yield* reused() : answer
      }),
      get,
      findByIds,
      /** The default of this type and currency, if there is one. */
      standard,
      list,
      /** Asks its bank, or compares the amounts of the small deposits. */
      verify: Effect.fn("TransferInstruments.verify")((which: InstrumentTarget, request: VerifyTransferInstrumentRequest) =>
        decided(which, (instrument, at) => decideVerification(instrument, which, request, at))
      ),
      resubmit: Effect.fn("TransferInstruments.resubmit")((which: InstrumentTarget) =>
        decided(which, (instrument, at) => Effect.fromResult(rules.resubmit(instrument, at, which.version)))
      ),
      activate: Effect.fn("TransferInstruments.activate")((which: InstrumentTarget) =>
        decided(which, (instrument, at) => activating(instrument, at, which.version))
      ),
      makeDefault: Effect.fn("TransferInstruments.makeDefault")((which: InstrumentTarget) =>
        decided(
          which,
          Effect.fnUntraced(function*(instrument: TransferInstrument, at: DateTime.Utc) {
            return yield* Effect.fromResult(
              rules.makeDefault(instrument, yield* standard(instrument.account_id, instrument), at, which.version)
            )
          })
        )
      ),
      archive: Effect.fn("TransferInstruments.archive")((which: InstrumentTarget) =>
        decided(
          which,
          (instrument, at) => Effect.fromResult(rules.archive(instrument, at, which.version)),
          (instrument) => [archiving.of({ instrument })]
        )
      ),
      /** For bank links: one whose bank vouched for its number. The commit of the link writes it. */
      vouchedFor: Effect.fnUntraced(function*(account: AccountFacts, request: CreateTransferInstrumentRequest, at: DateTime.Utc) {
        const number = yield* Effect.fromResult(rules.numberOf(request))
        const id = TransferInstrumentId.make(makeId("ti", at.epochMilliseconds))
        const pending = rules.create(request, { id, account, number, sealed: keyring.seal(number, id), at })
        const { clear, instrument, set } = yield* Effect.fromResult(rules.verify(pending.instrument, account, at))
        return { instrument, writes: [{ ...transferInstruments.write(instrument), isNew: true as const }], set, clear }
      }),
      /** For the timer: the cooling-off is over. */
      cooledOff: Effect.fn("TransferInstruments.cooledOff")(function*(account: string, id: string) {
        const facts = yield* accounts.get(AccountId.make(account))
        // Archived meanwhile, or active already.
        yield* Effect.catchTag(
          Effect.asVoid(decided({ account: facts, id }, (instrument, at) => activating(instrument, at))),
          ["InvalidState", "ValidationError"],
          () => Effect.void
        )
      })
    }
  })
}) {
  static readonly layer = Layer.effect(TransferInstruments, TransferInstruments.make)
}
