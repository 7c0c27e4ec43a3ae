/** Reads the facts that decisions about a cycle need. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { now } from "@svc/kernel/values/time"
import { Deferred, Effect, Exit } from "effect"
import { prefixOf } from "../../engine/invoices/invoices.ts"
import type { CycleFacts } from "../../engine/subscriptions/charged.ts"
import type { Issuer } from "../../engine/subscriptions/charging.ts"
import { lacksCredit } from "../../engine/subscriptions/paid-late.ts"
import { isAfter } from "../../engine/subscriptions/snapshot.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { SubscriptionRepository } from "../../subscriptions/repository.ts"
import type { BillingCycle } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"

/** The account that issues the invoice of a cycle and takes its payment. */
export interface IssuingAccount extends Issuer {
  readonly account: AccountFacts
}

/** The facts for every decision about a cycle. */
export interface ChargeFacts extends CycleFacts {
  readonly issuer: IssuingAccount
}

export const makeLoading = Effect.gen(function*() {
  const accounts = yield* Accounts
  const cycles = yield* BillingCycleRepository
  const invoices = yield* InvoiceRepository
  const subscriptions = yield* SubscriptionRepository
  const plans = yield* PlanRepository
  const url = yield* PublicUrl

  const readIssuer = (account: string): Effect.Effect<IssuingAccount> =>
    Effect.orDie(Effect.map(accounts.get(AccountId.make(account)), (facts) => ({ account: facts, prefix: prefixOf(facts), url })))

  /** Thousands of renewals of one account fall due together: renewals that ask while the account is being read share the answer. */
  const underWay = new Map<string, Deferred.Deferred<IssuingAccount>>()
  const issuerOf = (account: string): Effect.Effect<IssuingAccount> =>
    Effect.suspend(() => {
      const pending = underWay.get(account)
      if (pending !== undefined) return Deferred.await(pending)
      const answer = Deferred.makeUnsafe<IssuingAccount>()
      underWay.set(account, answer)
      const done = (exit: Exit.Exit<IssuingAccount>) =>
        Effect.andThen(Effect.sync(() => underWay.delete(account)), Deferred.done(answer, exit))
      // If the first caller is interrupted, the other callers read the account again.
      return Effect.onExit(readIssuer(account), (exit) =>
        Exit.hasInterrupts(exit)
          ? Effect.andThen(Effect.sync(() => underWay.delete(account)), Effect.asVoid(Deferred.completeWith(answer, readIssuer(account))))
          : Effect.asVoid(done(exit)))
    })

  const cycleOf = cycles.get

  /** Reads the facts of a cycle. A cycle without its subscription is a defect. */
  const factsOf = Effect.fnUntraced(function*(cycle: BillingCycle, known?: IssuingAccount): Effect.fn.Return<ChargeFacts> {
    const { account_id, credit_claims, invoice_id, subscription_id } = cycle
    const [subscription, invoice, issuer, claimants] = yield* Effect.all([
      subscriptions.find(account_id, subscription_id),
      invoice_id === null ? Effect.undefined : invoices.find(account_id, invoice_id),
      known === undefined ? issuerOf(account_id) : Effect.succeed(known),
      credit_claims === null ? Effect.undefined : cycles.of(account_id, subscription_id)
    ], { concurrency: 4 })
    if (subscription === undefined) return yield* Effect.die(new Error(`${cycle.id} has no subscription`))
    const facts = { cycle, subscription, invoice, issuer, claimants, at: yield* now }
    if (cycle.status !== "failed") return facts
    const [plan, withdrawn, since] = yield* Effect.all([
      plans.find(account_id, subscription.plan_id),
      claimants === undefined && lacksCredit(cycle, subscription) ? cycles.of(account_id, subscription_id) : Effect.succeed(claimants),
      subscription.latest_billing_cycle_id === cycle.id ? Effect.succeed([]) : cycles.of(account_id, subscription_id, cycle.period_start)
    ], { concurrency: 3 })
    return { ...facts, plan, claimants: withdrawn, newer: since.filter(({ period_start }) => isAfter(period_start, cycle.period_start)) }
  })

  return { issuerOf, cycleOf, factsOf }
})
