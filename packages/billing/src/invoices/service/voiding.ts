/** Voids an invoice together with its pending cycle. */
import { allows } from "@svc/kernel/resource/state-machine"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Effect } from "effect"
import { billingCycleMachine } from "../../billing-cycles/machine.ts"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { type ChargeFacts, makeLoading } from "../../billing-cycles/service/loading.ts"
import { makeWaitingPayments } from "../../billing-cycles/service/waiting-payments.ts"
import { voided } from "../../engine/invoices/invoices.ts"
import { commitOf, withAddition } from "../../engine/road/steps.ts"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import { changeForgiven, forgiven, writtenOff } from "../../engine/subscriptions/forgive.ts"
import { needsClaimants, withChanged } from "../../engine/subscriptions/reclaim.ts"
import type { Invoice } from "../model.ts"
import { makeChanging } from "./changing.ts"
import { type ChangeFailure, makeFinding } from "./finding.ts"

export const makeVoiding = Effect.gen(function*() {
  const committer = yield* Committer
  const cycles = yield* BillingCycleRepository
  const { at, get } = yield* makeFinding
  const { changing } = yield* makeChanging
  const freed = yield* makeWaitingPayments
  const { factsOf } = yield* makeLoading

  /** The cycle of the invoice that is pending, or that has failed and can still be paid. */
  const openCycleOf = Effect.fnUntraced(function*({ account_id, billing_cycle_id }: Invoice) {
    const cycle = billing_cycle_id === null ? undefined : yield* cycles.find(account_id, billing_cycle_id)
    return cycle !== undefined && allows(billingCycleMachine, cycle.status, "void") ? cycle : undefined
  })

  /** Decides on the cycle, by its kind. */
  const decide = Effect.fnUntraced(function*(facts: ChargeFacts & { readonly invoice: Invoice }) {
    const { at, cycle, invoice, subscription } = facts
    if (!decidesChange(subscription, cycle)) return (cycle.status === "failed" ? writtenOff : forgiven)(facts)
    const { account_id, current_period_start, id } = subscription
    const present = withChanged(yield* cycles.of(account_id, id, current_period_start), [cycle])
    const claimants = needsClaimants(subscription, present) ? withChanged(yield* cycles.of(account_id, id), [cycle]) : undefined
    return changeForgiven({ at, claimants, cycles: present, subscription }, invoice)
  })

  return Effect.fnUntraced(
    function*(
      account: string,
      id: string,
      version: number | undefined
    ): Effect.fn.Return<Invoice, ChangeFailure | PaymentInFlight | CommitRefused> {
      const invoice = yield* at(account, id, "void", version)
      const cycle = yield* openCycleOf(invoice)
      if (cycle === undefined) return yield* changing(account, id, version, { trigger: "void", decide: voided })
      const free = yield* freed(cycle, "The merchant voided the invoice: the payment that waited is cancelled")
      const facts = { ...yield* factsOf(free.cycle), invoice }
      const decision = yield* decide(facts)
      yield* committer.commit(withAddition(commitOf(account, facts.at, decision, ["invoice.void", id]), free.addition))
      return yield* get(account, id)
    }
  )
})
