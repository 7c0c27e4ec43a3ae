/** The page around every view of the desk. Pure. */
import { CHART_STYLE } from "@svc/design/charts/style"
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import type { Section } from "@svc/kernel/resource/view"
import { endpointOf } from "../api/endpoints.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Message } from "../i18n/shape.ts"
import { wordsOf } from "../i18n/words.ts"
import { views } from "../views/all.ts"
import { writtenPages } from "../views/written.ts"
import { listAddress } from "./addresses.ts"
import { modeBadge, PARTS_STYLE } from "./parts.ts"
import { DESK_SCRIPT } from "./script.ts"
import { SEARCH_STYLE, searchBox } from "./search.ts"
import { DESK_STYLE } from "./style.ts"
import { mayUse, type Visit } from "./visit.ts"

interface Entry {
  readonly href: string
  readonly label: string
  readonly name: string
}

/** The views of a section, and the pages that are written for it. */
const entriesIn = (visit: Visit, section: Section): ReadonlyArray<Entry> => {
  const ofViews = views.filter((view) => view.section === section && mayUse(visit, endpointOf(view, view.list)))
  const written = writtenPages.filter(({ name, scope, section: of }) =>
    of === section && mayUse(visit, { realm: "account", scope }) && !views.some((view) => view.name === name)
  )
  return [
    ...ofViews.map((view) => ({ name: view.name, href: listAddress(view), label: wordsOf(view, visit.pageLocale).many })),
    ...written.map(({ name }) => ({ name, href: `/desk/${name}`, label: messagesOf(visit.pageLocale).written[name] }))
  ]
}

const listOf = (entries: ReadonlyArray<Entry>, current: string | undefined): Html =>
  html`<ul>${
    entries.map(({ href, label, name }) =>
      html`<li><a${attributes({ href, "aria-current": name === current ? "page" : undefined })}>${label}</a></li>`
    )
  }</ul>`

/** What the person may see, in sections that fold. Open is the section of the page, and the first where the page is in none. */
const menu = (visit: Visit, current: string | undefined): Html => {
  const texts = messagesOf(visit.pageLocale)
  const sections = Array.from(new Set([...views, ...writtenPages].map(({ section }) => section)))
  const listed = sections.map((section) => [section, entriesIn(visit, section)] as const).filter(([, entries]) => entries.length > 0)
  const [open] = listed.find(([, entries]) => entries.some(({ name }) => name === current)) ?? listed[0] ?? []
  return html`<nav class="menu" aria-label="${texts.nav.label}">${
    listOf([{ href: "/desk", label: texts.nav.home, name: "home" }], current)
  }${
    listed.map(([section, entries]) =>
      html`<details${attributes({ open: section === open })}><summary>${texts.sections[section]}</summary>${
        listOf(entries, current)
      }</details>`
    )
  }</nav>`
}

export interface DeskView {
  readonly title: string
  readonly main: Content
  /** The view of the menu that it belongs to. */
  readonly current?: string
  /** What begins the ids whose change the page wants to be told of: ids, or a kind's prefix, with spaces between them. */
  readonly live?: string
  /** The text that was searched. */
  readonly searched?: string
  /** All of the page follows whatever changes. */
  readonly follows?: boolean
  /** Script of this page, after that of all pages. */
  readonly script?: string
  /** Where the browser goes next by itself, and when. */
  readonly refresh?: Page["refresh"]
}

const languageOf = ({ direction, tag }: PageLocale): Page["language"] => ({ direction, tag })

/** Beside every page, above it on a phone: whose desk it is, the search, where one can go, who is signed in, and the way out. */
const sideOf = (visit: Visit, name: string, { current, searched }: Pick<DeskView, "current" | "searched">): Html => {
  const texts = messagesOf(visit.pageLocale)
  const entries = menu(visit, current)
  return html`<a class="skip" href="#content">${texts.nav.skip}</a>${
    design.masthead(
      { name, color: null, logo_url: null },
      visit.person.account === null ? undefined : modeBadge(visit, visit.person.account)
    )
  }${visit.switcher === undefined ? null : html`<div class="you">${visit.switcher}</div>`}${
    searchBox(visit, searched)
  }<details class="fold"><summary>${texts.nav.menu}</summary><div class="inside">${entries}${visit.switcher}${
    whoOf(visit)
  }</div></details><div class="unfolded">${entries}</div>${whoOf(visit)}`
}

const whoOf = (visit: Visit): Html => {
  const texts = messagesOf(visit.pageLocale)
  const who = texts.nav.signedInAs(visit.name, texts.roles[visit.person.role])
  const token = html`<input type="hidden" name="token" value="${visit.form_token}">`
  return html`<div class="who"><span class="quiet"><bdi>${who}</bdi></span><form method="post" action="/desk/sign-out">${token}${
    design.button({ label: texts.nav.signOut })
  }</form></div>`
}

const liveView = ({ pageLocale }: Visit, { follows = false, live }: DeskView): Html | null =>
  follows
    ? html`<span hidden data-live=""></span>`
    : live === undefined
    ? null
    : html`<p class="fresh" role="status" data-live="${live}"><a href="" hidden>${messagesOf(pageLocale).nav.fresh}</a></p>`

const refreshView = (refresh: Page["refresh"]): Html | null =>
  refresh === undefined ? null : html`<span${attributes({ hidden: true, "data-refresh": refresh.seconds, "data-to": refresh.url })}></span>`

export const deskPage = (visit: Visit, view: DeskView): Page => {
  const { main, refresh, script, title } = view
  const name = visit.account_name ?? messagesOf(visit.pageLocale).installation
  return {
    title: `${title} · ${name}`,
    language: languageOf(visit.pageLocale),
    brand: { name, color: null, logo_url: null },
    style: DESK_STYLE + PARTS_STYLE + SEARCH_STYLE + CHART_STYLE,
    ...refresh === undefined ? {} : { refresh },
    script: script === undefined ? DESK_SCRIPT : `${DESK_SCRIPT}\n${script}`,
    asks: true,
    side: sideOf(visit, name, view),
    main: html`<div class="content" id="content" tabindex="-1">${
      visit.notice === undefined ? null : html`<p class="badge good" role="status">${visit.notice}</p>`
    }${liveView(visit, view)}${refreshView(refresh)}<h1>${title}</h1>${main}</div>`
  }
}

/** A page for somebody who is not signed in. */
export const plainPage = (pageLocale: PageLocale, title: string, main: Content): Page => ({
  title,
  language: languageOf(pageLocale),
  brand: { name: "", color: null, logo_url: null },
  main
})

export const messagePage = (pageLocale: PageLocale, { text, title }: Message): Page =>
  plainPage(pageLocale, title, design.status({ title, text, sign: "waiting" }))
