/** An invoice as its customer sees it: whose it is, for whom, in words, and as a document. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { RateLimited } from "@svc/kernel/resource/errors"
import { Effect } from "effect"
import { Customers } from "../../customers/service.ts"
import type { Invoice } from "../model.ts"
import { makePrinter } from "../pdf/printer.ts"
import { type InvoiceView, viewOf } from "../pdf/view.ts"

/** The words of an invoice, and where its customer can be reached. */
export interface Shown {
  readonly view: InvoiceView
  readonly email: string | null
}

/** Makes the functions that show. */
export const makeShowing = Effect.gen(function*() {
  const accounts = yield* Accounts
  const customers = yield* Customers
  const print = yield* makePrinter

  const shown = Effect.fnUntraced(function*(invoice: Invoice, reader?: string): Effect.fn.Return<Shown> {
    const [{ name, sandbox, settings: { branding } }, customer] = yield* Effect.all([
      Effect.orDie(accounts.get(AccountId.make(invoice.account_id))),
      customers.find(invoice.account_id, invoice.customer_id)
    ], { concurrency: 2 })
    const buyer = customer ?? { name: null, email: null, locale: null }
    return { view: viewOf(invoice, { name: branding.name ?? name, color: branding.color, sandbox }, buyer, reader), email: buyer.email }
  })

  const pdf = ({ account_id }: Invoice, { labels: _, ...view }: InvoiceView): Effect.Effect<Uint8Array, RateLimited> =>
    print(account_id, view)

  return { shown, pdf }
})

export type Showing = Effect.Success<typeof makeShowing>
