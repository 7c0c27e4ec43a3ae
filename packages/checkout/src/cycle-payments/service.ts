/** Reads the payments of billing cycles for a page, and charges a cycle when a page asks for it. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { BillingCycle } from "@svc/billing/billing-cycles/model"
import type { ChargeNowFailure } from "@svc/billing/billing-cycles/service/charging-now"
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { PaymentIntentsById } from "@svc/payments/payment-intents/model"
import { Effect } from "effect"
import type { CyclePayment } from "./model.ts"

/** Failures that mean that another request was faster. The next page shows the result of that request. */
const overtaken: ReadonlySet<string> = new Set<ChargeNowFailure["_tag"]>(["PaymentInFlight", "InvalidState", "VersionConflict"])

/** The payment that the cycle's latest attempt waits for, by its id. */
const openIntentOf = ({ attempts }: BillingCycle): string | null => {
  const latest = attempts.at(-1)
  return latest?.outcome === "started" ? latest.payment_intent_id : null
}

export const makeCyclePayments = Effect.gen(function*() {
  const [billingCycles, findIntents, { findByIds }] = [yield* BillingCycles, yield* PaymentIntentsById, yield* Invoices]

  /** The payment of each cycle, in the order of the cycles: one query of all invoices and one of all payments. */
  const paymentsOf = Effect.fnUntraced(
    function*(account: string, cycles: ReadonlyArray<BillingCycle>): Effect.fn.Return<ReadonlyArray<CyclePayment>> {
      const invoiceIds = cycles.flatMap(({ invoice_id }) => invoice_id ?? [])
      const intentIds = cycles.flatMap((cycle) => openIntentOf(cycle) ?? [])
      const [invoices, intents] = yield* Effect.all([
        findByIds(account, invoiceIds),
        findIntents(account, intentIds)
      ], { concurrency: 2 })
      return cycles.map((cycle) => ({
        cycle,
        invoice: invoices.find(({ id }) => id === cycle.invoice_id),
        intent: intents.find(({ id }) => id === openIntentOf(cycle))
      }))
    }
  )

  return {
    paymentsOf,

    paymentOf: (account: string, cycle: BillingCycle) =>
      Effect.flatMap(
        paymentsOf(account, [cycle]),
        ([payment]) => payment === undefined ? Effect.die(`no cycle ${cycle.id}`) : Effect.succeed(payment)
      ),

    /** Charges the cycle while its customer is present: once, however many requests ask at one time. */
    charge: (account: AccountFacts, cycle: string, payment_method_id?: string) =>
      Effect.asVoid(
        billingCycles.chargeNow(account, cycle, {
          customer_present: true,
          ...(payment_method_id === undefined ? {} : { payment_method_id })
        })
      ).pipe(
        Effect.catchIf(({ _tag }: ChargeNowFailure) => overtaken.has(_tag), () => Effect.void)
      )
  }
})
