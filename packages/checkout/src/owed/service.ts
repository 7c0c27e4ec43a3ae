/** How what is owed stands, and the charge that a page asks for. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { BillingCycles, type ChargeNowFailure } from "@svc/billing/billing-cycles/service/cycles"
import { InvoiceRepository } from "@svc/billing/invoices/repository"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect } from "effect"
import type { Owed } from "./model.ts"

/** What holds then, the page that follows tells. */
const decidedMeanwhile: ReadonlySet<string> = new Set<ChargeNowFailure["_tag"]>(["PaymentInFlight", "InvalidState", "VersionConflict"])

export const makeOwing = Effect.gen(function*() {
  const [cycles, intents, invoices] = [yield* BillingCycles, yield* PaymentIntents, yield* InvoiceRepository]

  return {
    owedOf: Effect.fnUntraced(function*(account: string, cycle: Owed["cycle"]): Effect.fn.Return<Owed> {
      const latest = cycle.attempts.at(-1)
      const intent = latest?.outcome === "started" && latest.payment_intent_id !== null
        ? yield* Effect.catch(intents.get(account, latest.payment_intent_id), () => Effect.succeed(undefined))
        : undefined
      return { cycle, invoice: cycle.invoice_id === null ? undefined : yield* invoices.find(account, cycle.invoice_id), intent }
    }),

    /** Charges the cycle while its customer is there; once, however many ask for it at one time. */
    charge: (account: AccountFacts, cycle: string, payment_method_id?: string) =>
      Effect.asVoid(cycles.chargeNow(account, cycle, { customer_present: true, ...(payment_method_id === undefined ? {} : { payment_method_id }) })).pipe(
        Effect.catchIf(({ _tag }: ChargeNowFailure) => decidedMeanwhile.has(_tag), () => Effect.void)
      )
  }
})
