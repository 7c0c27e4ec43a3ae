/** One resource: its facts, what can be done with it, and what belongs to it. Pure. */
import * as design from "@svc/design/components"
import { type Html, html } from "@svc/design/html"
import type { Shown, View } from "@svc/kernel/resource/view"
import { endpointOf } from "../api/endpoints.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordsOf } from "../i18n/words.ts"
import type { AnyAction } from "./action.ts"
import { actionAddress, listAddress } from "./addresses.ts"
import { tableView } from "./list.ts"
import { objectsAt, part, table } from "./parts.ts"
import { isNumeric, type Json, shown, textAt, valueAt } from "./values.ts"
import { mayUse, type Visit } from "./visit.ts"

/** A list below a detail. */
export interface RelatedRows {
  readonly view: View
  readonly rows: ReadonlyArray<Json>
  readonly has_more: boolean
  /** The parameters that give the whole list. */
  readonly query: Readonly<Record<string, string>>
}

/** Whether the resource stands where this can be done with it. */
export const isPossible = ({ when }: Pick<AnyAction, "when">, resource: Json): boolean =>
  when === undefined || when.in.includes(String(valueAt(resource, when.field)))

export const actionsView = (visit: Visit, view: View, resource: Json): Html | null => {
  const words = wordsOf(view, visit.pageLocale)
  const possible = view.actions.filter((action) =>
    (action.on === "one" || view.single === true) && action.rows === undefined && mayUse(visit, endpointOf(view, action.endpoint)) &&
    isPossible(action, resource)
  )
  const own = possible.filter(({ notBy }) => notBy !== undefined && textAt(resource, notBy) === visit.person.id)
  const note = own.length === 0 ? null : html`<p class="quiet">${messagesOf(visit.pageLocale).detail.another}</p>`
  return possible.length === 0 ?
    null :
    html`${note}<div class="beside">${
      possible.filter((action) => !own.includes(action)).map(({ endpoint, final }) =>
        design.button({
          label: words.action(endpoint),
          href: actionAddress(view, endpoint, resource),
          ...(final === true ? { kind: "danger" as const } : {})
        })
      )
    }</div>`
}

/** Facts that most resources have, besides those that the view names. */
const METADATA = "metadata"

export const factsView = (visit: Visit, view: View, resource: Json): Html => {
  const words = wordsOf(view, visit.pageLocale)
  const metadata = valueAt(resource, METADATA)
  const hasMetadata = typeof metadata === "object" && metadata !== null && Object.keys(metadata).length > 0
  const facts = [...view.facts.filter(({ rows }) => rows === undefined), ...hasMetadata ? [{ field: METADATA, as: "value" } as const] : []]
  return design.list(facts.map((fact) => [words.field(fact.field), shown(visit, fact, resource)] as const))
}

/** A table of objects that have no pages of their own. */
export const rowsView = (
  visit: Visit,
  view: View,
  { columns, label, rows }: { readonly label: string; readonly columns: ReadonlyArray<Shown<string>>; readonly rows: ReadonlyArray<Json> }
): Html => {
  const words = wordsOf(view, visit.pageLocale)
  const named = columns.map(({ as, field }) => ({
    name: words.row(field),
    ...(isNumeric(as) ? { kind: "money" as const } : as === "text" ? { kind: "wide" as const } : {})
  }))
  return table(label, named, rows.map((row) => columns.map((column) => shown(visit, column, row, "row"))))
}

/** The lists of objects that the resource holds; empty ones are left out. */
const heldViews = (visit: Visit, view: View, resource: Json): ReadonlyArray<Html> =>
  view.facts.flatMap(({ field, rows: columns }) => {
    const [rows, label] = [objectsAt(resource, field), wordsOf(view, visit.pageLocale).field(field)]
    const currency = textAt(resource, "currency")
    return columns === undefined || rows.length === 0
      ? []
      : [part(label, rowsView(visit, view, { label, columns, rows: rows.map((row) => ({ currency, ...row })) }))]
  })

export const relatedView = (visit: Visit, { has_more, query, rows, view }: RelatedRows): Html => {
  const words = wordsOf(view, visit.pageLocale)
  return html`<section class="stack tight"><h2>${words.many}</h2>${
    rows.length === 0 ? html`<p class="quiet">${words.none}</p>` : tableView(visit, view, rows)
  }${has_more ? html`<a href="${listAddress(view, query)}">${messagesOf(visit.pageLocale).detail.all(words.many)}</a>` : null}</section>`
}

/** What the API tells, as it tells it. */
export const rawView = ({ pageLocale }: Visit, json: Json, isOpen = false): Html =>
  html`<details class="raw"${isOpen ? html` open` : null}><summary>${messagesOf(pageLocale).detail.raw}</summary><pre tabindex="0">${
    JSON.stringify(json, null, 2)
  }</pre></details>`

/** What stands below the facts. */
export interface Below {
  /** What happens when, drawn. */
  readonly line?: Html | null
  /** Lists that have no view of their own. */
  readonly lists?: ReadonlyArray<Html>
  readonly related?: ReadonlyArray<RelatedRows>
}

export const detailView = (visit: Visit, view: View, resource: Json, { line = null, lists = [], related = [] }: Below = {}): Html => {
  const id = textAt(resource, "id")
  const back = html`<p class="back"><a href="${listAddress(view)}">${wordsOf(view, visit.pageLocale).many}</a>${
    id === "" ? null : html` / <code>${id}</code>`
  }</p>`
  return html`${view.single === true ? null : back}${actionsView(visit, view, resource)}<section class="card" aria-label="${
    messagesOf(visit.pageLocale).detail.facts
  }">${factsView(visit, view, resource)}</section>${heldViews(visit, view, resource)}${lists}${
    line === null ? null : part(messagesOf(visit.pageLocale).pictures.moments.title, line)
  }${related.map((rows) => relatedView(visit, rows))}${rawView(visit, resource)}`
}
