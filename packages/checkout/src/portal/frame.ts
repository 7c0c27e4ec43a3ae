/** The page around every view of the portal. Pure. */
import type { Account } from "@svc/accounts/accounts/model"
import type { Customer } from "@svc/billing/customers/model"
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { brandOf, merchantOf } from "../pages/brand.ts"
import { legalView } from "../pages/legal.ts"
import { languageOf } from "../pages/message-page.ts"
import type { PortalSession } from "../portal-sessions/model.ts"

/** The session of a customer on one of its pages. */
export interface PortalVisit {
  readonly session: PortalSession
  readonly account: Account
  /** Undefined if billing has no such customer yet. */
  readonly customer: Customer | undefined
  readonly pageLocale: PageLocale
  /** The path of the overview, without a slash at the end. */
  readonly path: string
}

export type Section = "overview" | "invoices" | "methods"

const paths = { overview: "", invoices: "/invoices", methods: "/payment-methods" } as const satisfies Record<Section, string>

/** The portal's own style: lists are wider than a form. */
const STYLE = ".plain>header{display:flex;flex-direction:column;gap:var(--space-4);max-inline-size:42rem}" +
  ".plain>main{max-inline-size:42rem;margin-block-start:var(--space-5)}" +
  ".tabs{display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-5);border-block-end:1px solid var(--line)}" +
  ".tabs a{display:block;padding-block:var(--space-3);color:var(--muted);text-decoration:none;" +
  "border-block-end:3px solid transparent;margin-block-end:-1px}" +
  ".tabs a:hover{color:var(--text)}.tabs a[aria-current]{color:var(--text);font-weight:600;border-color:var(--accent)}" +
  ".head{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:var(--space-2) var(--space-4)}" +
  ".card{display:flex;flex-direction:column;gap:var(--space-4)}" +
  ".actions{display:flex;flex-wrap:wrap;gap:var(--space-3)}.actions form{display:contents}" +
  ".notes{display:flex;flex-direction:column;gap:var(--space-1)}" +
  ".rows{border:1px solid var(--line);border-radius:var(--radius-large);background:var(--surface)}" +
  ".rows>li{display:flex;flex-wrap:wrap;align-items:center;gap:var(--space-2) var(--space-4);padding:var(--space-4)}" +
  ".rows>li+li{border-block-start:1px solid var(--line)}" +
  ".rows .what{flex:1 1 12rem;min-inline-size:0}" +
  ".rows .links{display:flex;align-items:center;gap:var(--space-2) var(--space-4);flex-wrap:wrap}" +
  ".rows .links a:not(.button){padding-block:var(--space-2)}" +
  ".narrow{inline-size:100%;max-inline-size:28rem;margin-inline:auto}.stack>.status+.actions{margin-block-start:0}" +
  ".pager{display:flex;justify-content:space-between}" +
  "@media(max-width:30rem){.actions .button{flex:1 1 100%}.rows .links{inline-size:100%}.rows .links .button{margin-inline-start:auto}}"

const tabs = ({ path, pageLocale }: PortalVisit, current: Section | undefined): Html => {
  const { nav } = portalMessagesOf(pageLocale)
  const tab = (section: Section) =>
    html`<li><a${attributes({ href: `${path}${paths[section]}`, "aria-current": section === current ? "page" : undefined })}>${
      nav[section]
    }</a></li>`
  return html`<nav aria-label="${nav.label}"><ul class="tabs">${tab("overview")}${tab("invoices")}${tab("methods")}</ul></nav>`
}

const wayOut = (visit: PortalVisit): Html | null => {
  const { return_url } = visit.session
  return return_url === null ? null : design.back(messagesOf(visit.pageLocale).common.back(merchantOf(visit)), return_url)
}

const masthead = ({ account, pageLocale }: PortalVisit): Html =>
  design.masthead(brandOf(account), account.sandbox ? design.badge(messagesOf(pageLocale).common.testMode) : undefined)

/** One view of the portal. */
export interface PortalView extends Partial<Pick<Page, "script" | "frames" | "refresh" | "asks">> {
  /** The title of the document; the first heading is the view's own. */
  readonly title: string
  readonly main: Content
  readonly section?: Section
}

export const portalPage = (visit: PortalVisit, { main, section, title, ...rest }: PortalView): Page => ({
  title: `${title} · ${brandOf(visit.account).name}`,
  language: languageOf(visit.pageLocale),
  brand: brandOf(visit.account),
  header: html`${wayOut(visit)}${masthead(visit)}${tabs(visit, section)}`,
  main: html`<div class="stack">${main}${legalView(visit.account, visit.pageLocale)}</div>`,
  style: STYLE,
  ...rest
})

/** The page of an ended session. */
export const closedPage = (visit: PortalVisit, status: design.Status): Page => {
  const { return_url } = visit.session
  const link = return_url === null
    ? null
    : html`<div class="actions">${
      design.button({ label: messagesOf(visit.pageLocale).common.back(merchantOf(visit)), href: return_url, wide: true, kind: "primary" })
    }</div>`
  return {
    title: `${status.title} · ${brandOf(visit.account).name}`,
    language: languageOf(visit.pageLocale),
    brand: brandOf(visit.account),
    header: masthead(visit),
    main: html`${design.status(status)}${link}`
  }
}

/** A status, with the next steps. */
export const statusView = (visit: PortalVisit, status: design.Status, more?: Content): Html =>
  html`<div class="narrow stack">${design.status(status)}<div class="actions">${more}${
    design.button({ label: portalMessagesOf(visit.pageLocale).backToOverview, href: visit.path, wide: true })
  }</div></div>`
