/** The verbs of a payout: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { suspension } from "@svc/accounts/access/permits"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { Reply } from "@svc/kernel/http/reply"
import { roadOf } from "@svc/kernel/resource/change"
import { type Forbidden, type InvalidState, type NotFound, ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency, internalCause } from "@svc/kernel/resource/idempotency"
import { type Command, type CommandOn, type KeyedFailure, keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { Addition } from "@svc/kernel/road/decision"
import type { CommitRefused } from "@svc/kernel/road/failure"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { atLeast } from "@svc/ledger/balances/rules"
import { SecondLooks } from "@svc/payments/second-looks/service"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Context, DateTime, Effect, Layer } from "effect"
import type { TransferInstrument } from "../transfer-instruments/model.ts"
import { TransferInstruments } from "../transfer-instruments/service.ts"
import {
  type CancelPayoutRequest,
  type CreatePayoutRequest,
  type Payout,
  type PayoutFilter,
  PayoutId,
  payouts,
  type PayoutSums,
  payoutSums
} from "./model.ts"
import { answeredAt, answerOf } from "./provider/bank.ts"
import { PayoutRepository } from "./repository.ts"
import * as rules from "./rules.ts"
import { makePayoutChecks } from "./service/checks.ts"
import { makeScheduledPayouts, type ScheduledPayoutVerbs } from "./service/scheduled.ts"

export class Payouts extends Context.Service<
  Payouts,
  ScheduledPayoutVerbs & {
    readonly create: (
      command: Command<AccountFacts, CreatePayoutRequest>
    ) => Effect.Effect<Reply, KeyedFailure | ValidationError | InsufficientBalance | AccountSuspended | Forbidden>
    readonly get: (account: string, id: string) => Effect.Effect<Payout, NotFound>
    readonly list: (account: string, filter: PayoutFilter, page: PageRequest) => Effect.Effect<Page<Payout>>
    readonly sums: (account: string, filter: PayoutFilter) => Effect.Effect<PayoutSums>
    /** Refused unless the payout is pending. */
    readonly cancel: (command: CommandOn<AccountFacts, CancelPayoutRequest>) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState>
    /** For the timer of a payout: takes its next step. */
    readonly proceed: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
    /** For the commit that archives an instrument: refuses while a payout to the instrument is in progress. */
    readonly onArchive: (archiving: { readonly instrument: TransferInstrument }) => Effect.Effect<Addition<InvalidState>>
    /** The reasons, as text, why the account cannot be closed. */
    readonly againstClosing: (account: string) => Effect.Effect<ReadonlyArray<string>>
  }
>()("@svc/treasury/Payouts") {
  static readonly layer = Layer.effect(
    Payouts,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const instruments = yield* TransferInstruments
      const keyring = yield* Keyring
      const repository = yield* PayoutRepository
      const secondLooks = yield* SecondLooks
      const { get } = repository
      const { isVerified } = yield* makePayoutChecks
      const road = yield* roadOf(payouts, { type: "payout" })

      const verbs = keyedVerbs<AccountFacts, Payout, never>(yield* Idempotency, { name: rules.NAME, get })

      const mayPayOut = Effect.fnUntraced(function*(account: AccountFacts, instrument: TransferInstrument) {
        if (!(yield* isVerified(account, instrument))) return yield* rules.notVerified()
      })

      const create = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, CreatePayoutRequest>) {
        const { account, at, payload: { amount, currency, destination_id } } = work
        const refusal = suspension("payout", account)
        if (refusal !== undefined) return yield* refusal
        const instrument = yield* Effect.mapError(
          instruments.get(account.id, destination_id),
          ({ message }) => new ValidationError({ code: "destination_id", message: `destination_id: ${message}` })
        )
        yield* mayPayOut(account, instrument)
        const { second_look_above } = account.settings.people
        // Read before the sum: a payout that the sum misses then changes the count.
        const byHand = second_look_above === null ? [] : [rules.nextByHand(currency, yield* repository.countedByHand(account.id, currency))]
        const waiting = yield* secondLooks.ask(
          work,
          { act: "payout", subject_id: instrument.id, amount, currency },
          Effect.map(repository.askedSince(account.id, currency, DateTime.subtract(at, { days: 1 })), (asked) => asked + amount)
        )
        if (waiting !== undefined) return waiting
        const id = PayoutId.make(makeId("po", at.epochMilliseconds))
        const decision = yield* Effect.fromResult(
          rules.create(amount, currency, { at, automatic: false, fee_amount: account.settings.payout_fee, id, instrument })
        )
        const counters = [...decision.counters, ...byHand]
        const payoutCommit = { ...decision, counters, requires: [atLeast(currency, "available", 0)] }
        return yield* road.answer<ValidationError | InsufficientBalance | CommitRefused>(work, decision.payout, payoutCommit, 201)
      })

      const cancel = Effect.fnUntraced(function*(work: Work<AccountFacts, Payout, CancelPayoutRequest>) {
        const decision = yield* Effect.fromResult(rules.cancel(work.resource, work.at))
        return yield* road.answer(work, decision.payout, decision)
      })

      const submitting = Effect.fnUntraced(function*(payout: Payout, at: DateTime.Utc) {
        const facts = yield* accounts.get(payout.merchant_id)
        const instrument = yield* instruments.get(payout.merchant_id, payout.destination_id)
        const stopped = suspension("payout", facts) ?? ((yield* isVerified(facts, instrument)) ? undefined : rules.notVerified())
        return rules.submit(payout, { at, stopped: stopped?.message, answered_at: answeredAt(at) })
      })

      /** The answer of the simulated bank, which depends on the account number. */
      const answered = Effect.fnUntraced(function*(payout: Payout, at: DateTime.Utc) {
        const { id, sealed } = yield* instruments.get(payout.merchant_id, payout.destination_id)
        return rules.answer(payout, answerOf(yield* Effect.orDie(keyring.open(sealed, id)), payout, at), at)
      })

      const proceedOne = Effect.fnUntraced(function*(account: string, id: string) {
        const payout = yield* get(account, id)
        const at = yield* now
        const decision = yield* payout.status === "pending" ? submitting(payout, at) : answered(payout, at)
        if (decision !== undefined) yield* road.commit(decision.payout, decision, internalCause("payout.due", `${id}:${payout.version}`))
      })

      return Payouts.of({
        create: verbs.making("Payouts.create", create),
        get,
        list: repository.list,
        sums: (account, filter) => repository.sums(account, filter, payoutSums),
        cancel: verbs.on("Payouts.cancel", cancel),
        proceed: Effect.fn("Payouts.proceed")((account: string, id: string) => untilCommitted(rules.NAME, proceedOne(account, id))),
        ...(yield* makeScheduledPayouts),
        onArchive: ({ instrument }) => Effect.succeed({ counters: [rules.archived(instrument)] }),
        againstClosing: (account) =>
          Effect.map(
            repository.inFlight(account),
            (many) => many === 0 ? [] : [`${many === 1 ? "a payout is" : `${many} payouts are`} on the way`]
          )
      })
    })
  )
}
