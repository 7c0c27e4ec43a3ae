/** Finds an invoice by the token of its page, and charges it with a card. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Effect, Schema } from "effect"
import { isPayable, nextAttempt } from "../cycle-payments/model.ts"
import { makeCyclePayments } from "../cycle-payments/service.ts"
import { formKey } from "../routing/form-key.ts"
import type { HostedInvoice, PayForm } from "./model.ts"

const decodeId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

export const makeHostedInvoices = Effect.gen(function*() {
  const [accounts, cycles, invoices, methods] = [yield* Accounts, yield* BillingCycles, yield* Invoices, yield* PaymentMethods]
  const { charge, paymentOf } = yield* makeCyclePayments

  const find = Effect.fnUntraced(function*(token: string, reader: string) {
    const { invoice, view } = yield* invoices.hosted(token, reader)
    const account = yield* Effect.orDie(accounts.get(AccountId.make(invoice.account_id)))
    const cycle = invoice.billing_cycle_id === null
      ? undefined
      : yield* Effect.orDie(cycles.get(invoice.account_id, invoice.billing_cycle_id))
    const payment = cycle === undefined ? undefined : yield* paymentOf(invoice.account_id, cycle)
    return { account, invoice, view, payment, isPayable: isPayable(invoice, cycle) } satisfies HostedInvoice
  })

  /**
   * Charges this invoice with the card. The card belongs to no customer and pays nothing else, because the payer need not be the customer
   * of the subscription: the address of an invoice can be forwarded to anybody. Fails with `ValidationError` for an invalid token.
   */
  const pay = Effect.fn("HostedInvoice.pay")(function*(hosted: HostedInvoice, { attempt, token }: PayForm) {
    const { invoice, payment } = hosted
    if (payment === undefined || !hosted.isPayable || attempt !== nextAttempt(payment)) return
    const account = yield* accounts.facts(invoice.account_id)
    const key = formKey("invoice", "payment_method.create", invoice.id, attempt, token)
    const { body } = yield* methods.create(account, { type: "card", token }, key)
    yield* charge(account, payment.cycle.id, decodeId(body).id)
  })

  return { find, pay }
})
