/** Shared by the pages of invoices and of payment methods: a pending payment, and the link to the form for another card. Pure. */
import * as design from "@svc/design/components"
import { type Content, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import type { CyclePayment } from "../cycle-payments/model.ts"
import { pendingView } from "../cycle-payments/pending.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { portalPage, type PortalVisit, statusView } from "./frame.ts"
import { isAllowed } from "./rules.ts"

/** The page of a pending payment. The page at `resultPath`, below the portal's path, shows the result. */
export const paymentPendingPage = (visit: PortalVisit, { intent }: CyclePayment, resultPath: string): Page => {
  const { bankLink, redirection, refresh, script, status } = pendingView(visit.pageLocale, intent, `${visit.path}${resultPath}`)
  return portalPage(visit, {
    title: status.title,
    main: html`${statusView(visit, status, bankLink)}${redirection}`,
    ...(script === undefined ? {} : { script }),
    ...(refresh === undefined ? {} : { refresh })
  })
}

/** The link to the form for a new card, if the account lets customers store cards. */
export const otherCardButton = (visit: PortalVisit): Content =>
  isAllowed(visit.account.settings.portal_settings, "update_payment_method")
    ? design.button({
      label: portalMessagesOf(visit.pageLocale).pay.other,
      kind: "primary",
      href: `${visit.path}/payment-methods`,
      wide: true
    })
    : null
