/** The verbs of a payout: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { may, suspension } from "@svc/accounts/access/permits"
import { AccountId, type AccountSuspended } from "@svc/accounts/accounts/model"
import { Accounts, type SettingsFollower } from "@svc/accounts/accounts/service"
import { LegalEntities } from "@svc/accounts/legal-entities/service"
import type { Reply } from "@svc/kernel/http/reply"
import { roadOf } from "@svc/kernel/resource/change"
import { type Forbidden, type InvalidState, type NotFound, ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency, internalCause } from "@svc/kernel/resource/idempotency"
import { type Command, type CommandOn, type KeyedFailure, keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import type { CommitRefused } from "@svc/kernel/road/failure"
import { makeId } from "@svc/kernel/values/ids"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { now } from "@svc/kernel/values/time"
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { atLeast } from "@svc/ledger/balances/rules"
import { Balances } from "@svc/ledger/balances/service"
import { SecondLooks } from "@svc/payments/second-looks/service"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { TransferInstrument } from "../transfer-instruments/model.ts"
import { TransferInstruments } from "../transfer-instruments/service.ts"
import {
  type CancelPayoutRequest,
  type CreatePayoutRequest,
  LEAST,
  type Payout,
  type PayoutFilter,
  PayoutId,
  payouts,
  type PayoutSums,
  payoutSums,
  SCHEDULE
} from "./model.ts"
import { answeredAt, answerOf } from "./provider/bank.ts"
import { PayoutRepository } from "./repository.ts"
import * as rules from "./rules.ts"

const nothing: Addition = {}

/** The checks of an account and its instruments before a payout. */
const makeChecks = Effect.gen(function*() {
  const accounts = yield* Accounts
  const entities = yield* LegalEntities
  const instruments = yield* TransferInstruments

  /** Whether a legal entity of a live account is verified: the entity of the instrument, if the instrument names one. */
  const isVerified = Effect.fnUntraced(function*({ id, sandbox }: AccountFacts, { legal_entity_id }: TransferInstrument) {
    if (sandbox) return true
    if (legal_entity_id !== null) {
      return yield* Effect.match(entities.get(id, legal_entity_id), {
        onFailure: () => false,
        onSuccess: (entity) => entity.verification_status === "verified"
      })
    }
    return (yield* entities.list(id, { verification_status: "verified" }, { page: 1, per_page: 1 })).data.length > 0
  })

  /**
   * The destination of scheduled payouts: the account's setting if it has this currency, else the default instrument of the payout method.
   * Undefined while the set destination is not active: the merchant did not choose the default.
   */
  const destinationOf = Effect.fnUntraced(function*(account: string, currency: string) {
    const { payout_destination, payout_method } = yield* accounts.get(AccountId.make(account))
    if (payout_destination !== null) {
      const named = Option.getOrUndefined(yield* Effect.option(instruments.get(account, payout_destination)))
      if (named === undefined) return undefined
      if (named.currency === currency) return named.status === "active" ? named : undefined
    }
    return yield* instruments.standard(account, { type: payout_method === "usdc_wallet" ? "usdc_wallet" : "bank_account", currency })
  })

  return { isVerified, destinationOf }
})

export class Payouts extends Context.Service<Payouts, {
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
  /** For the timer of a schedule: pays out the available balance of a currency. */
  readonly payOut: (account: string, currency: string) => Effect.Effect<void, NotFound | VersionConflict>
  /** For the commit of a settlement: sets the timer of the account's schedule. */
  readonly onSettled: (settled: { readonly account: string; readonly currency: string }, at: DateTime.Utc) => Effect.Effect<Addition>
  /** For changed settings: a new schedule also pays out the balance that is available already. */
  readonly onSettings: SettingsFollower
  /** For the commit that archives an instrument: refuses while a payout to the instrument is in progress. */
  readonly onArchive: (archiving: { readonly instrument: TransferInstrument }) => Effect.Effect<Addition<InvalidState>>
  /** The reasons, as text, why the account cannot be closed. */
  readonly againstClosing: (account: string) => Effect.Effect<ReadonlyArray<string>>
}>()("@svc/treasury/Payouts") {
  static readonly layer = Layer.effect(
    Payouts,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const balances = yield* Balances
      const committer = yield* Committer
      const instruments = yield* TransferInstruments
      const keyring = yield* Keyring
      const repository = yield* PayoutRepository
      const secondLooks = yield* SecondLooks
      const { get } = repository
      const { destinationOf, isVerified } = yield* makeChecks
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

      const payOutOne = Effect.fnUntraced(function*(account: string, currency: string) {
        const facts = yield* accounts.get(AccountId.make(account))
        const { payout_fee: fee_amount, payouts: { minimum, schedule } } = facts.settings
        const instrument = yield* destinationOf(account, currency)
        if (schedule === "manual" || instrument === undefined || !may("payout", facts) || !(yield* isVerified(facts, instrument))) return
        const balance = yield* balances.ofCurrency(account, currency)
        const amount = Math.min(MAX_AMOUNT, (balance?.available ?? 0) - fee_amount)
        if (amount < Math.max(LEAST, minimum)) return
        const at = yield* now
        const id = PayoutId.make(makeId("po", at.epochMilliseconds))
        const decision = yield* Effect.fromResult(rules.create(amount, currency, { at, automatic: true, fee_amount, id, instrument }))
        // The commit of the payout clears the timer: a worker that stops afterwards makes no second payout.
        const payoutCommit = { ...decision, clear: [rules.scheduleOf(currency)], requires: [atLeast(currency, "available", 0)] }
        yield* road.commit<ValidationError | InsufficientBalance>(decision.payout, payoutCommit, internalCause(SCHEDULE, id))
      })

      return Payouts.of({
        create: verbs.making("Payouts.create", create),
        get,
        list: repository.list,
        sums: (account, filter) => repository.sums(account, filter, payoutSums),
        cancel: verbs.on("Payouts.cancel", cancel),
        proceed: Effect.fn("Payouts.proceed")((account: string, id: string) => untilCommitted(rules.NAME, proceedOne(account, id))),
        payOut: Effect.fn("Payouts.payOut")((account: string, currency: string) =>
          untilCommitted(rules.NAME, payOutOne(account, currency)).pipe(
            // A payout by hand was faster, or the instrument was archived: the balance waits for the next scheduled payout.
            Effect.catchTag(["InsufficientBalance", "ValidationError"], () => Effect.void)
          )
        ),
        onSettled: Effect.fnUntraced(function*({ account, currency }, at) {
          const { settings: { payouts: { schedule } } } = yield* accounts.facts(account)
          return schedule === "manual" ? nothing : { set: [{ ...rules.scheduleOf(currency), due_at: rules.nextTime(schedule, at) }] }
        }),
        onSettings: Effect.fnUntraced(function*({ id, settings: { payouts: { schedule } } }) {
          if (schedule === "manual") return
          const at = yield* now
          const { data } = yield* balances.list(id, { page: 1, per_page: 100 })
          const set = data.filter(({ available }) => available > 0).map(({ currency }) => ({
            ...rules.scheduleOf(currency),
            due_at: rules.nextTime(schedule, at)
          }))
          if (set.length > 0) {
            yield* committer.commit({
              account_id: id,
              at,
              cause: internalCause(SCHEDULE, schedule),
              writes: [],
              entries: [],
              events: [],
              set,
              clear: []
            })
          }
        }, Effect.orDie),
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
