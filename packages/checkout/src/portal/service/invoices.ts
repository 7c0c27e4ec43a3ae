/** The customer's invoices: a page of them, one with its payment, and paying it. */
import { BillingCycles } from "@svc/billing/billing-cycles/service/cycles"
import { timeZoneOf } from "@svc/billing/engine/calendar/customer-time-zone"
import type { Invoice } from "@svc/billing/invoices/model"
import { Invoices } from "@svc/billing/invoices/service/invoices"
import { Subscriptions } from "@svc/billing/subscriptions/service/subscriptions"
import { notFound } from "@svc/kernel/resource/errors"
import { Effect } from "effect"
import { isPayable } from "../../cycle-payments/model.ts"
import { makeCyclePayments } from "../../cycle-payments/service.ts"
import type { InvoiceDetails } from "../model.ts"
import { checkOpen, type PortalCaller } from "./access.ts"
import { makeDetails, mapById } from "./details.ts"

/** Invoices on a page. */
const INVOICES = 20

export const makeInvoices = Effect.gen(function*() {
  const [cycles, invoices, subscriptions] = [yield* BillingCycles, yield* Invoices, yield* Subscriptions]
  const [{ charge, paymentOf }, { methodsOf }] = [yield* makeCyclePayments, yield* makeDetails]

  const detailsOf = Effect.fnUntraced(
    function*({ account }: PortalCaller, all: ReadonlyArray<Invoice>): Effect.fn.Return<ReadonlyArray<InvoiceDetails>> {
      const unpaid = all.filter(({ status }) => status === "open" || status === "uncollectible")
      const [cyclesById, subscriptionsById] = yield* Effect.all([
        Effect.map(cycles.findByIds(account.id, unpaid.flatMap(({ billing_cycle_id }) => billing_cycle_id ?? [])), mapById),
        Effect.map(subscriptions.findByIds(account.id, all.flatMap(({ subscription_id }) => subscription_id ?? [])), mapById)
      ], { concurrency: 2 })
      return all.map((invoice) => ({
        invoice,
        time_zone: timeZoneOf(subscriptionsById.get(invoice.subscription_id ?? ""), account),
        isPayable: isPayable(invoice, cyclesById.get(invoice.billing_cycle_id ?? ""))
      }))
    }
  )

  const invoicePage = Effect.fn("Portal.invoices")(function*(caller: PortalCaller, after: string | undefined) {
    yield* checkOpen(caller)
    const { account, session } = caller
    const page = { page: 1, per_page: INVOICES, ...(after === undefined ? {} : { after }) }
    const { data } = yield* invoices.list(account.id, { customer_id: session.customer_id }, page)
    const visible = data.filter(({ status }) => status !== "draft" && status !== "void")
    return {
      invoices: yield* detailsOf(caller, visible),
      newer: after !== undefined,
      older: data.length === INVOICES ? data.at(-1)?.id : undefined
    }
  })

  /** The customer's own invoice. The answer for a draft, or for another customer's invoice, is that no such invoice exists. */
  const ownInvoice = Effect.fnUntraced(function*({ account, session }: PortalCaller, id: string) {
    const invoice = yield* invoices.get(account.id, id)
    return invoice.customer_id === session.customer_id && invoice.status !== "draft" ? invoice : yield* notFound("invoice")
  })

  const invoice = Effect.fn("Portal.invoice")(function*(caller: PortalCaller, id: string) {
    yield* checkOpen(caller)
    const invoice = yield* ownInvoice(caller, id)
    const unpayable: InvoiceDetails = { invoice, time_zone: timeZoneOf(undefined, caller.account), isPayable: false }
    const [details = unpayable] = yield* detailsOf(caller, [invoice])
    if (invoice.billing_cycle_id === null) return { ...details, payment: undefined, method: undefined }
    const cycle = yield* Effect.orDie(cycles.get(caller.account.id, invoice.billing_cycle_id))
    const subscription = yield* Effect.orDie(subscriptions.get(caller.account.id, cycle.subscription_id))
    const methods = yield* methodsOf(caller, [subscription])
    return { ...details, payment: yield* paymentOf(caller.account.id, cycle), method: methods.get(subscription.id) }
  })

  const pay = Effect.fn("Portal.pay")(function*(caller: PortalCaller, id: string) {
    const { isPayable, payment } = yield* invoice(caller, id)
    if (isPayable && payment !== undefined) yield* charge(caller.account, payment.cycle.id)
  })

  return { invoice, invoicePage, pay }
})
