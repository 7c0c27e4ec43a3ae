/** Payouts by the schedule of an account. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { may } from "@svc/accounts/access/permits"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts, type SettingsFollower } from "@svc/accounts/accounts/service"
import { roadOf } from "@svc/kernel/resource/change"
import type { NotFound, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { now } from "@svc/kernel/values/time"
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { atLeast } from "@svc/ledger/balances/rules"
import { Balances } from "@svc/ledger/balances/service"
import { type DateTime, Effect } from "effect"
import { LEAST, PayoutId, payouts, SCHEDULE } from "../model.ts"
import * as rules from "../rules.ts"
import { makePayoutChecks } from "./checks.ts"

export interface ScheduledPayoutVerbs {
  /** For the timer of a schedule: pays out the available balance of a currency. */
  readonly payOut: (account: string, currency: string) => Effect.Effect<void, NotFound | VersionConflict>
  /** For the commit of a settlement: sets the timer of the account's schedule. */
  readonly onSettled: (settled: { readonly account: AccountFacts; readonly currency: string }, at: DateTime.Utc) => Addition
  /** For changed settings: a new schedule also pays out the balance that is available already. */
  readonly onSettings: SettingsFollower
}

const noAddition: Addition = {}

export const makeScheduledPayouts = Effect.gen(function*() {
  const accounts = yield* Accounts
  const balances = yield* Balances
  const committer = yield* Committer
  const { destinationOf, isVerified } = yield* makePayoutChecks
  const road = yield* roadOf(payouts, { type: "payout" })

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

  const verbs: ScheduledPayoutVerbs = {
    payOut: Effect.fn("Payouts.payOut")((account: string, currency: string) =>
      untilCommitted(rules.NAME, payOutOne(account, currency)).pipe(
        // A payout by hand was faster, or the instrument was archived: the balance waits for the next scheduled payout.
        Effect.catchTag(["InsufficientBalance", "ValidationError"], () => Effect.void)
      )
    ),
    onSettled: ({ account: { settings: { payouts: { schedule } } }, currency }, at) =>
      schedule === "manual" ? noAddition : { set: [{ ...rules.scheduleOf(currency), due_at: rules.nextTime(schedule, at) }] },
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
    }, Effect.orDie)
  }
  return verbs
})
