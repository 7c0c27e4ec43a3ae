/** Ends a subscription with its period. */
import type { CommitRefused } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeMethods } from "../../billing-cycles/service/methods.ts"
import { end } from "../../engine/subscriptions/cancel.ts"
import { chargingWith } from "../../engine/subscriptions/charging.ts"
import { openCycle } from "../../engine/subscriptions/open-cycle.ts"
import { decisionOf } from "../../engine/subscriptions/outcome.ts"
import { InvoiceRepository } from "../../invoices/repository.ts"
import type { Plan } from "../../plans/model.ts"
import type { Subscription } from "../model.ts"
import { type BegunCycle, makeCommitting } from "./committing.ts"
import { makeFresh } from "./fresh.ts"

/** Makes the function that ends. What is owed becomes a last cycle. */
export const makeEnding = Effect.gen(function*() {
  const { claimantsOf, commit } = yield* makeCommitting
  const cycles = yield* BillingCycleRepository
  const fresh = yield* makeFresh
  const invoices = yield* InvoiceRepository
  const { issuerOf } = yield* makeLoading
  const methods = yield* makeMethods

  return Effect.fnUntraced(function*(subscription: Subscription, plan: Plan): Effect.fn.Return<BegunCycle | undefined, CommitRefused> {
    const at = yield* now
    const { account_id, current_period_start, id } = subscription
    const [issuer, present] = yield* Effect.all([issuerOf(account_id), cycles.of(account_id, id, current_period_start)], {
      concurrency: 2
    })
    const outcome = end({ subscription, plan, cycles: present, claimants: yield* claimantsOf(subscription, present), at })
    const voided = yield* Effect.forEach(
      outcome.voided,
      ({ invoice_id }) => invoice_id === null ? Effect.undefined : invoices.find(account_id, invoice_id)
    )
    const charging = chargingWith(issuer, yield* methods.of(subscription), at, {
      trigger: "schedule",
      reason: "The subscription ended, and this was owed"
    })
    const opened = outcome.drafted === undefined
      ? undefined
      : openCycle({
        subscription: outcome.subscription,
        draft: outcome.drafted,
        fresh: yield* fresh(at),
        issuer,
        charging,
        at,
        mayWait: true
      })
    const decision = decisionOf(outcome, {
      at,
      invoices: voided.filter((invoice) => invoice !== undefined),
      ...(opened === undefined ? {} : { opened })
    })
    yield* commit(subscription, decision, "subscription.end")
    return opened === undefined ? undefined : { cycle: opened.cycle, subscription: outcome.subscription, issuer }
  })
})
