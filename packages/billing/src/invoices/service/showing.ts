/** An invoice as its customer sees it: whose it is, for whom, in words, and as a document. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Effect, Semaphore } from "effect"
import { setImmediate as turn } from "node:timers/promises"
import { Customers } from "../../customers/service.ts"
import type { Invoice } from "../model.ts"
import { renderPdf } from "../pdf/render.ts"
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

  const shown = Effect.fnUntraced(function*(invoice: Invoice): Effect.fn.Return<Shown> {
    const [{ name, settings: { branding } }, customer] = yield* Effect.all([
      Effect.orDie(accounts.get(AccountId.make(invoice.account_id))),
      customers.find(invoice.account_id, invoice.customer_id)
    ], { concurrency: 2 })
    const buyer = customer ?? { name: null, email: null, locale: null }
    return { view: viewOf(invoice, { name: branding.name ?? name, color: branding.color }, buyer), email: buyer.email }
  })

  /** One after another, and whatever else waits goes on in between: each holds this process for some tens of milliseconds. */
  const one = yield* Semaphore.make(1)
  const pdf = (view: InvoiceView): Effect.Effect<Uint8Array> =>
    one.withPermit(Effect.promise(() => turn().then(() => renderPdf(view))))

  return { shown, pdf }
})
