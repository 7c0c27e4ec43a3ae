/** What pages of invoices and of payment methods share: a payment that is pending, and the way to another card. Pure. */
import * as design from "@svc/design/components"
import { type Content, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import type { CyclePayment } from "../cycle-payments/model.ts"
import { pendingView } from "../cycle-payments/pending.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { portalPage, type PortalVisit, statusView } from "./frame.ts"
import { isAllowed } from "./rules.ts"

/** The outcome of the payment is not known yet; the page at `resultPath`, below the portal's own path, tells it. */
export const paymentPendingPage = (visit: PortalVisit, { intent }: CyclePayment, resultPath: string): Page => {
  const { bankLink, redirection, refresh, script, status } = pendingView(visit.pageLocale, intent, `${visit.path}${resultPath}`)
  return portalPage(visit, {
    title: status.title,
    main: html`${statusView(visit, status, bankLink)}${redirection}`,
    ...(script === undefined ? {} : { script }),
    ...(refresh === undefined ? {} : { refresh })
  })
}

/** Leads to the form of a new card, where the account lets customers store one. */
export const otherCardButton = (visit: PortalVisit): Content =>
  isAllowed(visit.account.settings.portal_settings, "update_payment_method")
    ? design.button({
      label: portalMessagesOf(visit.pageLocale).pay.other,
      kind: "primary",
      href: `${visit.path}/payment-methods`,
      wide: true
    })
    : null
