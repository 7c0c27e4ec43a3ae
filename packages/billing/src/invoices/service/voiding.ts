/** Voids an invoice, and with it the cycle that is still to be charged for it. */
import { allows } from "@svc/kernel/resource/state-machine"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Effect } from "effect"
import { billingCycleMachine } from "../../billing-cycles/machine.ts"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { makeLoading, type OwedBy } from "../../billing-cycles/service/loading.ts"
import { makeWaitingPayments } from "../../billing-cycles/service/waiting-payments.ts"
import { voided } from "../../engine/invoices/invoices.ts"
import { commitOf, withAddition } from "../../engine/road/steps.ts"
import { decidesChange } from "../../engine/subscriptions/change-plan.ts"
import { changeForgiven, forgiven, writtenOff } from "../../engine/subscriptions/forgive.ts"
import { needsClaimants, withChanged } from "../../engine/subscriptions/reclaim.ts"
import type { Invoice } from "../model.ts"
import { makeChanging } from "./changing.ts"
import { type ChangeFailure, makeFinding } from "./finding.ts"

/** Makes the function that voids. */
export const makeVoiding = Effect.gen(function*() {
  const committer = yield* Committer
  const cycles = yield* BillingCycleRepository
  const { at, get } = yield* makeFinding
  const { changing } = yield* makeChanging
  const freed = yield* makeWaitingPayments
  const { owedBy } = yield* makeLoading

  /** The cycle that is still to be charged for it, or has failed and may be paid after all. */
  const openCycleOf = Effect.fnUntraced(function*({ account_id, billing_cycle_id }: Invoice) {
    const cycle = billing_cycle_id === null ? undefined : yield* cycles.find(account_id, billing_cycle_id)
    return cycle !== undefined && allows(billingCycleMachine, cycle.status, "void") ? cycle : undefined
  })

  /** What becomes of the cycle, by what it is for. */
  const decide = Effect.fnUntraced(function*(owed: OwedBy & { readonly invoice: Invoice }) {
    const { at, cycle, invoice, subscription } = owed
    if (!decidesChange(subscription, cycle)) return (cycle.status === "failed" ? writtenOff : forgiven)(owed)
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
      const owed = { ...yield* owedBy(free.cycle), invoice }
      const decision = yield* decide(owed)
      yield* committer.commit(withAddition(commitOf(account, owed.at, decision, ["invoice.void", id]), free.addition))
      return yield* get(account, id)
    }
  )
})
