/** Renders an invoice for its customer: as the texts of a page, and as a PDF. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { RateLimited } from "@svc/kernel/resource/errors"
import { Effect } from "effect"
import { Customers } from "../../customers/service.ts"
import { timeZoneOf } from "../../engine/calendar/customer-time-zone.ts"
import { SubscriptionRepository } from "../../subscriptions/repository.ts"
import type { Invoice } from "../model.ts"
import { makePrinter } from "../pdf/printer.ts"
import { type InvoiceView, viewOf } from "../pdf/view.ts"

/** The texts of an invoice, and the e-mail address of its customer. */
export interface RenderedInvoice {
  readonly view: InvoiceView
  readonly email: string | null
}

export const makeRendering = Effect.gen(function*() {
  const accounts = yield* Accounts
  const customers = yield* Customers
  const subscriptions = yield* SubscriptionRepository
  const print = yield* makePrinter

  const shown = Effect.fnUntraced(function*(invoice: Invoice, reader?: string): Effect.fn.Return<RenderedInvoice> {
    const [account, customer, subscription] = yield* Effect.all([
      Effect.orDie(accounts.get(AccountId.make(invoice.account_id))),
      customers.find(invoice.account_id, invoice.customer_id),
      invoice.subscription_id === null ? Effect.undefined : subscriptions.find(invoice.account_id, invoice.subscription_id)
    ], { concurrency: 3 })
    const { name, sandbox, settings: { branding } } = account
    const seller = { name: branding.name ?? name, color: branding.color, sandbox }
    const buyer = { ...(customer ?? { name: null, email: null, locale: null }), time_zone: timeZoneOf(subscription, account) }
    return { view: viewOf(invoice, seller, buyer, reader), email: buyer.email }
  })

  const pdf = ({ account_id }: Invoice, { labels: _, ...view }: InvoiceView): Effect.Effect<Uint8Array, RateLimited> =>
    print(account_id, view)

  return { shown, pdf }
})

export type InvoiceRendering = Effect.Success<typeof makeRendering>
