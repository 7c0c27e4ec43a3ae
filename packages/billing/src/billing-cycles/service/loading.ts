/** What is read before something is decided about a cycle. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { AccountFacts } from "@svc/accounts/access/model"
import { notFound } from "@svc/kernel/errors"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { now } from "@svc/kernel/time"
import { Deferred, Effect, Exit } from "effect"
import { InvoiceRepository } from "../../invoices/repository.ts"
import { prefixOf } from "../../invoices/rules.ts"
import { PlanRepository } from "../../plans/repository.ts"
import { SubscriptionRepository } from "../../subscriptions/repository.ts"
import type { Owed } from "../../subscriptions/rules/charged.ts"
import type { Issuer } from "../../subscriptions/rules/charging.ts"
import { lacksCredit } from "../../subscriptions/rules/paid-late.ts"
import type { BillingCycle } from "../model.ts"
import { BillingCycleRepository } from "../repository.ts"

/** An account as it issues invoices, and as payments know it. */
export interface Issuing extends Issuer {
  readonly account: AccountFacts
}

/** A cycle with all that a decision about it looks at. */
export interface OwedBy extends Owed {
  readonly issuer: Issuing
}

/** Makes the functions that load. */
export const makeLoading = Effect.gen(function*() {
  const accounts = yield* Accounts
  const cycles = yield* BillingCycleRepository
  const invoices = yield* InvoiceRepository
  const subscriptions = yield* SubscriptionRepository
  const plans = yield* PlanRepository
  const url = yield* PublicUrl

  const readIssuer = (account: string): Effect.Effect<Issuing> =>
    Effect.orDie(Effect.map(accounts.get(AccountId.make(account)), (found) => ({ account: found, prefix: prefixOf(found), url })))

  /** Renewals of one account come by the thousand: those that ask while a read of their account is under way share its answer. */
  const underWay = new Map<string, Deferred.Deferred<Issuing>>()
  const issuerOf = (account: string): Effect.Effect<Issuing> =>
    Effect.suspend(() => {
      const found = underWay.get(account)
      if (found !== undefined) return Deferred.await(found)
      const answer = Deferred.makeUnsafe<Issuing>()
      underWay.set(account, answer)
      const done = (exit: Exit.Exit<Issuing>) => Effect.andThen(Effect.sync(() => underWay.delete(account)), Deferred.done(answer, exit))
      // Whoever asked first may be interrupted: the others are not, and ask for themselves.
      return Effect.onExit(readIssuer(account), (exit) => Exit.hasInterrupts(exit)
        ? Effect.andThen(Effect.sync(() => underWay.delete(account)), Effect.asVoid(Deferred.completeWith(answer, readIssuer(account))))
        : Effect.asVoid(done(exit)))
    })

  const cycleOf = Effect.fnUntraced(function*(account: string, id: string) {
    return (yield* cycles.find(account, id)) ?? (yield* notFound("billing cycle"))
  })

  /** What belongs to a cycle. A cycle without its subscription is a defect. */
  const owedBy = Effect.fnUntraced(function*(cycle: BillingCycle, known?: Issuing): Effect.fn.Return<OwedBy> {
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
    const [plan, withdrawn] = yield* Effect.all([
      plans.find(account_id, subscription.plan_id),
      claimants === undefined && lacksCredit(cycle, subscription) ? cycles.of(account_id, subscription_id) : Effect.succeed(claimants)
    ], { concurrency: 2 })
    return { ...owed, plan, claimants: withdrawn }
  })

  return { issuerOf, cycleOf, owedBy }
})
