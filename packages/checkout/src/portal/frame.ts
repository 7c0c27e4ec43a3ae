/** The page around every view of the portal. */
import { languageOf } from "../answers.ts"
import { brandOf } from "../brand.ts"
import * as design from "../design/components.ts"
import { attributes, type Content, type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { isolated } from "../i18n/format.ts"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "./messages.ts"
import type { Visit } from "./model.ts"

export type Section = "overview" | "invoices" | "methods"

const places = { overview: "", invoices: "/invoices", methods: "/payment-methods" } as const satisfies Record<Section, string>

/** Of the portal alone: lists are wider than a form. */
const STYLE = ".plain>header{display:flex;flex-direction:column;gap:var(--space-4);max-inline-size:42rem}.plain>main{max-inline-size:42rem;margin-block-start:var(--space-5)}" +
  ".tabs{display:flex;flex-wrap:wrap;gap:var(--space-2) var(--space-5);border-block-end:1px solid var(--line)}.tabs a{display:block;padding-block:var(--space-3);color:var(--muted);text-decoration:none;border-block-end:3px solid transparent;margin-block-end:-1px}" +
  ".tabs a:hover{color:var(--text)}.tabs a[aria-current]{color:var(--text);font-weight:600;border-color:var(--accent)}" +
  ".head{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:var(--space-2) var(--space-4)}.card{display:flex;flex-direction:column;gap:var(--space-4)}" +
  ".deeds{display:flex;flex-wrap:wrap;gap:var(--space-3)}.deeds form{display:contents}.notes{display:flex;flex-direction:column;gap:var(--space-1)}" +
  ".rows{border:1px solid var(--line);border-radius:var(--radius-large);background:var(--surface)}.rows>li{display:flex;flex-wrap:wrap;align-items:center;gap:var(--space-2) var(--space-4);padding:var(--space-4)}.rows>li+li{border-block-start:1px solid var(--line)}" +
  ".rows .what{flex:1 1 12rem;min-inline-size:0}.rows .what small{display:block;color:var(--muted);font-size:var(--type-small)}.rows .links{display:flex;align-items:center;gap:var(--space-2) var(--space-4);flex-wrap:wrap}.rows .links a:not(.button){padding-block:var(--space-2)}" +
  ".narrow{inline-size:100%;max-inline-size:28rem;margin-inline:auto}.stack>.status+.actions{margin-block-start:0}.pager{display:flex;justify-content:space-between}" +
  "@media(max-width:30rem){.deeds .button{flex:1 1 100%}.rows .links{inline-size:100%}.rows .links .button{margin-inline-start:auto}}"

const tabs = ({ path, tongue }: Visit, current: Section | undefined): Html => {
  const { nav } = portalMessagesOf(tongue)
  const tab = (section: Section) => html`<li><a${attributes({ href: `${path}${places[section]}`, "aria-current": section === current ? "page" : undefined })}>${nav[section]}</a></li>`
  return html`<nav aria-label="${nav.label}"><ul class="tabs">${tab("overview")}${tab("invoices")}${tab("methods")}</ul></nav>`
}

/** The merchant, who is always named, as a part of a sentence. */
export const merchantOf = ({ account }: Pick<Visit, "account">): string => isolated(brandOf(account).name)

const wayOut = (visit: Visit): Html | null => {
  const { return_url } = visit.session
  return return_url === null ? null : design.back(messagesOf(visit.tongue).common.back(merchantOf(visit)), return_url)
}

const masthead = ({ account, tongue }: Visit): Html => design.masthead(brandOf(account), account.sandbox ? design.badge(messagesOf(tongue).common.testMode) : undefined)

export interface Framed extends Partial<Pick<Page, "script" | "frames" | "refresh" | "asks">> {
  /** Of the document; the first heading is the view's own. */
  readonly title: string
  readonly main: Content
  readonly section?: Section
}

export const framed = (visit: Visit, { main, section, title, ...rest }: Framed): Page => ({
  title: `${title} · ${brandOf(visit.account).name}`,
  language: languageOf(visit.tongue),
  brand: brandOf(visit.account),
  header: html`${wayOut(visit)}${masthead(visit)}${tabs(visit, section)}`,
  main: html`<div class="stack">${main}</div>`,
  style: STYLE,
  ...rest
})

/** A page on which nothing works any more. */
export const closed = (visit: Visit, status: design.Status): Page => {
  const { return_url } = visit.session
  const link = return_url === null
    ? null
    : html`<div class="actions">${design.button({ label: messagesOf(visit.tongue).common.back(merchantOf(visit)), href: return_url, wide: true, kind: "primary" })}</div>`
  return {
    title: `${status.title} · ${brandOf(visit.account).name}`,
    language: languageOf(visit.tongue),
    brand: brandOf(visit.account),
    header: masthead(visit),
    main: html`${design.status(status)}${link}`
  }
}

/** Where something stands, and the ways on from there. */
export const told = (visit: Visit, status: design.Status, more?: Content): Html =>
  html`<div class="narrow stack">${design.status(status)}<div class="actions">${more}${design.button({ label: portalMessagesOf(visit.tongue).backToOverview, href: visit.path, wide: true })}</div></div>`
