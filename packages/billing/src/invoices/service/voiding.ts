/** Voids an invoice, and with it the cycle that is still to be charged for it. */
import { InvalidState } from "@svc/kernel/resource/errors"
import { allows } from "@svc/kernel/resource/state-machine"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Effect } from "effect"
import { billingCycleMachine } from "../../billing-cycles/machine.ts"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { makeLoading } from "../../billing-cycles/service/loading.ts"
import { inFlight } from "../../engine/billing-cycles/attempts.ts"
import { voided } from "../../engine/invoices/invoices.ts"
import { commitOf } from "../../engine/road/steps.ts"
import { forgiven, writtenOff } from "../../engine/subscriptions/forgive.ts"
import type { Invoice } from "../model.ts"
import { makeChanging } from "./changing.ts"
import { type ChangeFailure, makeFinding } from "./finding.ts"

const ofChange = ({ status }: Invoice) =>
  new InvalidState({
    message: "This invoice is for a change of plan that waits for its charge. " +
      "Cancel that change on the subscription; the invoice is voided with it.",
    details: { state: status, allowed: ["pay"] }
  })

const underWay = (payment_intent_id: string | null) =>
  new PaymentInFlight({
    message: "A charge of this invoice is under way. Wait until it is decided, then decide anew.",
    details: { operation: "charge", payment_intent_id, retry_after: 2 }
  })

/** Makes the function that voids. */
export const makeVoiding = Effect.gen(function*() {
  const committer = yield* Committer
  const cycles = yield* BillingCycleRepository
  const { at, get } = yield* makeFinding
  const { changing } = yield* makeChanging
  const { owedBy } = yield* makeLoading

  /** The cycle that is still to be charged for it, or has failed and may be paid after all. */
  const openCycleOf = Effect.fnUntraced(function*({ account_id, billing_cycle_id }: Invoice) {
    const cycle = billing_cycle_id === null ? undefined : yield* cycles.find(account_id, billing_cycle_id)
    return cycle !== undefined && allows(billingCycleMachine, cycle.status, "void") ? cycle : undefined
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
      if (inFlight(cycle) !== undefined) return yield* underWay(cycle.payment_intent_id)
      if (cycle.kind === "change") return yield* ofChange(invoice)
      const owed = yield* owedBy(cycle)
      const decision = (cycle.status === "failed" ? writtenOff : forgiven)({ ...owed, invoice })
      yield* committer.commit(commitOf(account, owed.at, decision, ["invoice.void", id]))
      return yield* get(account, id)
    }
  )
})
