/** Reads what decisions about a cycle look at. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { now } from "@svc/kernel/values/time"
import { Deferred, Effect, Exit } from "effect"
import { prefixOf } from "../../engine/invoices/invoices.ts"
import type { OwedCycle } from "../../engine/subscriptions/charged.ts"
import type { Issuer } from "../../engine/subscriptions/charging.ts"
import { lacksCredit } from "../../engine/subscriptions/paid-late.ts"
import { isAfter } from "../../engine/subscriptions/snapshot.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { SubscriptionRepository } from "../../subscriptions/repository.ts"
import type { BillingCycle } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"

/** An account as it issues invoices, and as payments know it. */
export interface IssuingAccount extends Issuer {
  readonly account: AccountFacts
}

/** A cycle with all that a decision about it looks at. */
export interface OwedBy extends OwedCycle {
  readonly issuer: IssuingAccount
}

/** Makes the functions that load. */
export const makeLoading = Effect.gen(function*() {
  const accounts = yield* Accounts
  const cycles = yield* BillingCycleRepository
  const invoices = yield* InvoiceRepository
  const subscriptions = yield* SubscriptionRepository
  const plans = yield* PlanRepository
  const url = yield* PublicUrl

  const readIssuer = (account: string): Effect.Effect<IssuingAccount> =>
    Effect.orDie(Effect.map(accounts.get(AccountId.make(account)), (facts) => ({ account: facts, prefix: prefixOf(facts), url })))

  /** Thousands of renewals of one account come together: those that ask while its account is being read share the answer. */
  const underWay = new Map<string, Deferred.Deferred<IssuingAccount>>()
  const issuerOf = (account: string): Effect.Effect<IssuingAccount> =>
    Effect.suspend(() => {
      const pending = underWay.get(account)
      if (pending !== undefined) return Deferred.await(pending)
      const answer = Deferred.makeUnsafe<IssuingAccount>()
      underWay.set(account, answer)
      const done = (exit: Exit.Exit<IssuingAccount>) =>
        Effect.andThen(Effect.sync(() => underWay.delete(account)), Deferred.done(answer, exit))
      // The first caller may be interrupted; the others are not, and read for themselves.
      return Effect.onExit(readIssuer(account), (exit) =>
        Exit.hasInterrupts(exit)
          ? Effect.andThen(Effect.sync(() => underWay.delete(account)), Effect.asVoid(Deferred.completeWith(answer, readIssuer(account))))
          : Effect.asVoid(done(exit)))
    })

  const cycleOf = cycles.get

  /** What belongs to a cycle. A cycle without its subscription is a defect. */
  const owedBy = Effect.fnUntraced(function*(cycle: BillingCycle, known?: IssuingAccount): Effect.fn.Return<OwedBy> {
    const { account_id, credit_claims, invoice_id, subscription_id } = cycle
    const [subscription, invoice, issuer, claimants] = yield* Effect.all([
      subscriptions.find(account_id, subscription_id),
      invoice_id === null ? Effect.undefined : invoices.find(account_id, invoice_id),
      known === undefined ? issuerOf(account_id) : Effect.succeed(known),
      credit_claims === null ? Effect.undefined : cycles.of(account_id, subscription_id)
    ], { concurrency: 4 })
    if (subscription === undefined) return yield* Effect.die(new Error(`${cycle.id} has no subscription`))
    const owed = { cycle, subscription, invoice, issuer, claimants, at: yield* now }
    if (cycle.status !== "failed") return owed
    const [plan, withdrawn, since] = yield* Effect.all([
      plans.find(account_id, subscription.plan_id),
      claimants === undefined && lacksCredit(cycle, subscription) ? cycles.of(account_id, subscription_id) : Effect.succeed(claimants),
      subscription.latest_billing_cycle_id === cycle.id ? Effect.succeed([]) : cycles.of(account_id, subscription_id, cycle.period_start)
    ], { concurrency: 3 })
    return { ...owed, plan, claimants: withdrawn, newer: since.filter(({ period_start }) => isAfter(period_start, cycle.period_start)) }
  })

  return { issuerOf, cycleOf, owedBy }
})
