/** Paying an invoice from its page: what it stands for, and the charge that its form asks for. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { BillingCycleRepository } from "@svc/billing/billing-cycles/repository"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { fromJsonText } from "@svc/kernel/json"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Effect, Schema } from "effect"
import { CardFieldsUrl } from "../card-fields.ts"
import { fieldsFor } from "../card-frame.ts"
import { pathOf } from "../forms.ts"
import { tongueFor } from "../i18n/locale.ts"
import { keyOf } from "../keys.ts"
import { isPayable, nextTry } from "../owed/model.ts"
import { makeOwing } from "../owed/service.ts"
import type { Opened } from "./views.ts"

const decodeId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

/** What a form sends: which try it offered, and the provider's token of the card. */
export interface Sent {
  readonly number: number
  readonly token: string
}

export const makePaying = Effect.gen(function*() {
  const [accounts, cycles, invoices, methods] = [yield* Accounts, yield* BillingCycleRepository, yield* Invoices, yield* PaymentMethods]
  const { charge, owedOf } = yield* makeOwing
  const providerUrl = yield* CardFieldsUrl

  const open = Effect.fnUntraced(function*(token: string) {
    const { invoice, view } = yield* invoices.hosted(token)
    const account = yield* Effect.orDie(accounts.get(AccountId.make(invoice.account_id)))
    const cycle = invoice.billing_cycle_id === null ? undefined : yield* cycles.find(invoice.account_id, invoice.billing_cycle_id)
    const owed = cycle === undefined ? undefined : yield* owedOf(invoice.account_id, cycle)
    const [path, tongue] = [pathOf(invoice.hosted_url ?? ""), tongueFor(view.language, undefined)]
    return { account, fields: fieldsFor(account, tongue, path, providerUrl), invoice, owed, path, payable: isPayable(invoice, cycle), tongue, view } satisfies Opened
  })

  /**
   * Charges this invoice with the card. The card is nobody's, so it becomes no customer's and pays nothing else: whoever has the address of an
   * invoice need not be the one whose subscription it is. Fails with `ValidationError` for what is no card.
   */
  const pay = Effect.fn("HostedInvoice.pay")(function*({ invoice, owed, payable }: Opened, { number, token }: Sent) {
    if (owed === undefined || !payable || number !== nextTry(owed)) return
    const account = yield* accounts.facts(invoice.account_id)
    const { body } = yield* methods.create(account, { type: "card", token }, keyOf("invoice", "payment_method.create", invoice.id, number, token))
    yield* charge(account, owed.cycle.id, decodeId(body).id)
  })

  return { open, pay }
})
