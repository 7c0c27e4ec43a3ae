/** What written pages are made of besides the components of the design: parts with a heading, tables, timelines, forms. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import type { View } from "@svc/kernel/resource/view"
import { endpointOf } from "../api/endpoints.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordOf, wordsOf } from "../i18n/words.ts"
import { views } from "../views/all.ts"
import { type Json, moment, textAt } from "./values.ts"
import { may, type Visit } from "./visit.ts"

export const PARTS_STYLE = ".part{display:flex;flex-direction:column;gap:var(--space-3);min-inline-size:0}" +
  ".timeline{list-style:none;border-inline-start:2px solid var(--line);padding-inline-start:var(--space-4)}" +
  ".timeline>li{padding-block:var(--space-2)}.timeline small{display:block}" +
  ".hash{font-size:var(--type-small);overflow-wrap:anywhere}.above{display:flex;flex-wrap:wrap;gap:var(--space-3);align-items:baseline}" +
  ".steps{display:flex;flex-wrap:wrap;gap:var(--space-3)}" +
  ".steps form,.inline{display:flex;flex-wrap:wrap;gap:var(--space-3);align-items:end}" +
  // A note below the field has a line of its own, so that the button stands beside the field itself.
  ".inline:has(>.field>small){display:grid;grid-template-columns:minmax(0,1fr) auto;gap:var(--space-1) var(--space-3);" +
  "max-inline-size:48rem}" +
  ".inline:has(>.field>small)>.field{display:contents}.inline>.field>:is(label,small){grid-column:1/-1}" +
  ".inline:has(>.field>small)>.button{grid-area:2/2}" +
  ".chain{display:flex;flex-wrap:wrap;gap:var(--space-2);list-style:none}" +
  ".chain>li{border:1px solid var(--line);border-inline-start:4px solid var(--good);border-radius:var(--radius);" +
  "background:var(--surface);padding:var(--space-2) var(--space-3)}.chain>li.bad{border-inline-start-color:var(--danger)}" +
  ".chain>li.quiet{border-inline-start-color:var(--edge)}td.wide{white-space:normal;min-inline-size:14rem}.drawn{overflow-x:auto}" +
  ".figure{display:flex;flex-direction:column;gap:var(--space-3);min-inline-size:0}" +
  ".figure>.card{padding:var(--space-3)}.figure :is(th,td){padding-inline:var(--space-3)}.figure td::before{flex:none}" +
  "a:has(>code){text-underline-offset:.35em}@media(max-width:48rem){td.wide{min-inline-size:0}" +
  // Values one after another, each with its column's name; what is nothing is left out.
  ".rows tr{display:flex;flex-wrap:wrap;gap:0 var(--space-4);padding:var(--space-2) var(--space-4);margin:0;border-width:0 0 1px;" +
  "border-radius:0}.rows tr:last-child{border:0}.rows{background:var(--surface);border:1px solid var(--line);overflow:clip}" +
  ".rows :is(td,td.money){padding:0;justify-content:flex-start;gap:var(--space-2);text-align:start}.rows td.wide{flex:1 1 100%}" +
  ".rows td:has(.none){display:none}.rows td:first-child:not(.money){order:-2;font-weight:600}" +
  // On the line of what the row is about stands when it was; the others come below.
  ".rows tr::before{content:'';flex:1 1 100%}.rows td:has(>span>time:only-child){order:-1;margin-inline-start:auto;color:var(--muted)}" +
  ".rows td:first-child{margin-inline-start:0}.rows td:is(:first-child:not(.money),:has(>span>time:only-child))::before{content:none}" +
  ".timeline>li{display:flex;flex-wrap:wrap;gap:0 var(--space-3);align-items:baseline}.timeline strong{flex:1 1 100%}}"

/** Whether an account is for tests or for real money: both may have the same name. */
export const modeBadge = ({ pageLocale }: Pick<Visit, "pageLocale">, { sandbox }: { readonly sandbox: boolean }): Html =>
  sandbox ? design.badge(messagesOf(pageLocale).testMode) : design.badge(messagesOf(pageLocale).liveMode, "good")

/** A part of a page with its heading. */
export const part = (title: string, content: Content): Html => html`<section class="part"><h2>${title}</h2>${content}</section>`

export interface Column {
  readonly name: string
  readonly kind?: "money" | "wide"
}

/** A table that scrolls by itself where it is wider than the screen; on a phone its rows are cards of few lines. */
export const table = (label: string, columns: ReadonlyArray<Column>, rows: ReadonlyArray<ReadonlyArray<Content>>): Html =>
  html`<div class="table rows" role="region" tabindex="0" aria-label="${label}"><table><thead><tr>${
    columns.map(({ kind, name }) => html`<th${attributes({ scope: "col", class: kind })}>${name}</th>`)
  }</tr></thead><tbody>${
    rows.map((row) =>
      html`<tr>${
        row.map((cell, at) =>
          html`<td${attributes({ class: columns[at]?.kind, "data-name": columns[at]?.name })}><span>${cell}</span></td>`
        )
      }</tr>`
    )
  }</tbody></table></div>`

export interface Happened {
  /** A moment of the API. */
  readonly at: string
  readonly title: Content
  readonly detail?: Content
}

/** What happened, the oldest first. Of moments that are the same, the order that was given stays. */
export const timeline = ({ pageLocale }: Pick<Visit, "pageLocale">, happened: ReadonlyArray<Happened>): Html =>
  html`<ol class="timeline">${
    happened.toSorted((one, other) => one.at < other.at ? -1 : one.at > other.at ? 1 : 0).map(({ at, detail, title }) =>
      html`<li><strong>${title}</strong>${detail === undefined ? null : html`<p>${detail}</p>`}<small>${
        moment(pageLocale, at)
      }</small></li>`
    )
  }</ol>`

/** A form of this page that changes something. */
export const form = (
  { form_token }: Pick<Visit, "form_token">,
  action: string,
  content: Content,
  more: { readonly class?: string; readonly enctype?: string } = {}
): Html =>
  html`<form${attributes({ method: "post", action, ...more })}><input type="hidden" name="token" value="${form_token}">${content}</form>`

export interface FileField {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly note: string
  readonly accept: string
  readonly multiple?: boolean
}

/** A place for files, which says what may be put there. */
export const fileField = ({ id, label, note, ...more }: FileField): Html =>
  html`<label for="${id}">${label}</label><input${
    attributes({ type: "file", id, "aria-describedby": `${id}-note`, ...more })
  }><small id="${id}-note">${note}</small>`

/** A word of the contract, as people read it. */
export const inWords = ({ pageLocale }: Pick<Visit, "pageLocale">, word: string): string => {
  const known = wordOf(word, pageLocale)
  return known === word ? word.replaceAll("_", " ") : known
}

/** Links to the forms of what the person may do with a resource in its state. */
export const actionsOf = (visit: Visit, viewName: string, resource: Json): Html | null => {
  const view: View | undefined = views.find(({ name }) => name === viewName)
  if (view === undefined) return null
  const possible = view.actions.filter(({ endpoint, on, when }) =>
    on === "one" && may(visit, endpointOf(view, endpoint).scope) && (when === undefined || when.in.includes(textAt(resource, when.field)))
  )
  return possible.length === 0 ? null : html`<div class="steps">${
    possible.map(({ endpoint, final }) =>
      design.button({
        label: wordsOf(view, visit.pageLocale).action(endpoint),
        href: `/desk/${view.name}/${textAt(resource, "id")}/do/${endpoint}`,
        ...(final === true ? { kind: "danger" } : {})
      })
    )
  }</div>`
}

/** A link to a page of the desk; the text alone where there is no id. */
export const linkTo = (
  { pageLocale }: Pick<Visit, "pageLocale">,
  viewName: string,
  id: string,
  text: Content = html`<code>${id}</code>`
): Content => id === "" ? messagesOf(pageLocale).nothing : html`<a href="/desk/${viewName}/${encodeURIComponent(id)}">${text}</a>`

/** The objects of a field that is a list of them. */
export const objectsAt = (json: Json, field: string): ReadonlyArray<Json> => {
  const value = json[field]
  return Array.isArray(value) ? value.filter((one): one is Json => typeof one === "object" && one !== null && !Array.isArray(one)) : []
}

/** An object in a field; empty where there is none. */
export const objectAt = (json: Json, field: string): Json => {
  const value = json[field]
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export const numberAt = (json: Json, field: string): number => {
  const value = json[field]
  return typeof value === "number" ? value : 0
}
