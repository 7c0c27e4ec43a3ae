/** A list of resources: its filters, its rows, and the way to older and newer ones. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Html, html } from "@svc/design/html"
import type { View } from "@svc/kernel/resource/view"
import { endpointOf } from "../api/endpoints.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordsOf } from "../i18n/words.ts"
import { actionAddress, addressOf, keyIn, listAddress } from "./addresses.ts"
import { exportView } from "./export.ts"
import { type Asked, filtersView, withoutCursors } from "./filters.ts"
import { type Column, part, table } from "./parts.ts"
import { isNumeric, type Json, plainly, shown } from "./values.ts"
import { mayUse, type Visit } from "./visit.ts"

export interface ListFacts {
  readonly rows: ReadonlyArray<Json>
  readonly has_more: boolean
  /** The parameters that the list was asked with, its cursors among them. */
  readonly asked: Asked
  /** Why the API gave none. */
  readonly refusal?: string
  /** What all rows that match come to, where somebody asked for it. */
  readonly sums?: ReadonlyArray<Json>
}

/** The cell by which the whole row is opened. */
const headOf = (visit: Visit, view: View, row: Json): Html => {
  const [first] = view.columns
  const key = keyIn(view, row)
  if (first === undefined) return html`<td></td>`
  const href = view.get === undefined || key === "" ? undefined : addressOf(visit, key, view.name)
  return html`<th scope="row" class="${first.as}">${
    href === undefined
      ? shown(visit, first, row, "row")
      : html`<a class="open" href="${href}">${plainly(visit, first, row)}</a>`
  }</th>`
}

/** Below a narrow screen's width each row is a card, and each value has its column's name beside it. */
export const tableView = (visit: Visit, view: View, rows: ReadonlyArray<Json>): Html => {
  const words = wordsOf(view, visit.pageLocale)
  const [, ...others] = view.columns
  return html`<div class="table" role="region" aria-label="${words.many}" tabindex="0"><table><thead><tr>${
    view.columns.map(({ as, field }) => html`<th scope="col"${isNumeric(as) ? html` class="money"` : null}>${words.field(field)}</th>`)
  }</tr></thead><tbody>${
    rows.map((row) =>
      html`<tr>${headOf(visit, view, row)}${
        others.map((column) =>
          html`<td${attributes({ class: isNumeric(column.as) ? "money" : undefined, "data-name": words.field(column.field) })}>${
            shown(visit, column, row, "row")
          }</td>`
        )
      }</tr>`
    )
  }</tbody></table></div>`
}

/** To newer and older rows. A page that was come to by a cursor has the side that it was come from. */
const pagesView = ({ pageLocale }: Visit, view: View, { asked, has_more, rows }: ListFacts): Html | null => {
  const texts = messagesOf(pageLocale).list
  const filters = withoutCursors(asked)
  const keys = rows.map((row) => keyIn(view, row))
  const [first, last] = [keys.at(0), keys.at(-1)]
  const isPaged = asked["after"] !== undefined || asked["before"] !== undefined
  const hasNewer = asked["after"] !== undefined || (asked["before"] !== undefined && has_more)
  const hasOlder = asked["before"] !== undefined || has_more
  const link = (rel: string | undefined, label: string, query: Asked) =>
    html`<a${attributes({ class: "button plain", rel, href: listAddress(view, { ...filters, ...query }) })}>${label}</a>`
  if (!isPaged && !has_more) return null
  return html`<nav class="beside" aria-label="${texts.pages}">${isPaged ? link(undefined, texts.first, {}) : null}${
    hasNewer && first !== undefined ? link("prev", texts.newer, { before: first }) : null
  }${hasOlder && last !== undefined ? link("next", texts.older, { after: last }) : null}</nav>`
}

/** What all rows come to that the filters leave. It costs what they cost, so that it is made when somebody asks. */
const sumsView = (visit: Visit, view: View, { asked, sums }: ListFacts): Html | null => {
  const [texts, words] = [messagesOf(visit.pageLocale).exports, wordsOf(view, visit.pageLocale)]
  if (view.sums === undefined) return null
  if (sums === undefined) {
    const href = listAddress(view, { ...withoutCursors(asked), sums: "all" })
    return html`<div class="beside">${design.button({ label: texts.showSums, href })}</div>`
  }
  const fields = Object.keys(sums[0] ?? {}).filter((name) => name !== "currency" && name !== "count")
  const columns: ReadonlyArray<Column> = [
    { name: words.field("currency") },
    ...[texts.count, ...fields.map(words.field)].map((name) => ({ name, kind: "money" as const }))
  ]
  const cell = (row: Json, field: string, as: "text" | "number" | "money") => shown(visit, { field, as }, row, "row")
  const rows = sums.map((row) => [
    cell(row, "currency", "text"),
    cell(row, "count", "number"),
    ...fields.map((field) => cell(row, field, "money"))
  ])
  return part(
    texts.sums,
    rows.length === 0
      ? html`<p class="quiet">${texts.noSums}</p>`
      : html`<p class="quiet">${texts.sumsNote}</p>${table(texts.sums, columns, rows)}`
  )
}

export const listView = (visit: Visit, view: View, facts: ListFacts): Html => {
  const { asked, refusal, rows } = facts
  const words = wordsOf(view, visit.pageLocale)
  const making = view.actions.filter(({ endpoint, on }) => on === "all" && mayUse(visit, endpointOf(view, endpoint)))
  const empty = Object.keys(asked).length === 0 ? words.none : messagesOf(visit.pageLocale).list.noMatch
  return html`${
    making.length === 0 ?
      null :
      html`<div class="beside">${
        making.map(({ endpoint }) => design.button({ label: words.action(endpoint), href: actionAddress(view, endpoint) }))
      }</div>`
  }${filtersView(visit, view, asked)}${refusal === undefined ? null : design.alert(messagesOf(visit.pageLocale).list.filters, refusal)}${
    rows.length > 0 ? tableView(visit, view, rows) : refusal === undefined ? html`<p class="quiet">${empty}</p>` : null
  }${pagesView(visit, view, facts)}${sumsView(visit, view, facts)}${view.single === true ? null : exportView(visit, view, asked)}`
}
