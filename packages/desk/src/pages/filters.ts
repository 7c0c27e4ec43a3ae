/** The filters of a list, made from the query of its endpoint, as a form that stays in the address. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Html, html } from "@svc/design/html"
import type { View } from "@svc/kernel/resource/view"
import { currencies, exponentOf } from "@svc/kernel/values/currency"
import { endpointOf } from "../api/endpoints.ts"
import { choicesIn, isTime, type JsonSchema } from "../api/schemas.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordOf, wordsOf } from "../i18n/words.ts"
import { listAddress } from "./addresses.ts"
import { minorOf } from "./amounts.ts"
import type { Visit } from "./visit.ts"

export type Asked = Readonly<Record<string, string>>

const cursors = ["after", "before", "page"]

/** Of what the address asks for: what the list knows and a person may set. */
export const askedOf = ({ filters, ...view }: View, query: Asked): Asked => {
  const known = endpointOf(view, view.list).query
  return Object.fromEntries(
    Object.entries(query).filter(([name, value]) =>
      value !== "" && Object.hasOwn(known, name) && (cursors.includes(name) || filters.includes(name))
    )
  )
}

export const withoutCursors = (asked: Asked): Asked => Object.fromEntries(Object.entries(asked).filter(([name]) => !cursors.includes(name)))

/** What `datetime-local` gives has no zone, and no seconds where they are none: it is UTC here. */
const NAIVE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(?:\.\d+)?)?$/u
export const inUtc = (text: string): string => {
  const [whole, seconds] = NAIVE.exec(text) ?? []
  return whole === undefined ? text : `${whole}${seconds === undefined ? ":00" : ""}Z`
}

/** Whether a field is a currency's code, which people may write in small letters. */
export const isCurrency = (field: string): boolean => /(?:^|[._])currency$/u.test(field)

const codeIn = (value: string): string => value.trim().toUpperCase()

/** `amount[gte]`, `amount[lte]`. */
const isAmount = (field: string): boolean => field.startsWith("amount[")

/** An amount is read in the currency that the list is filtered by. Where that is none, the API says so. */
const amountIn = ({ currency = "" }: Asked, text: string): number | string | undefined => {
  const code = codeIn(currency)
  return currencies.includes(code) ? minorOf(text, code) : text
}

/** Why an amount of the filters cannot be read. */
export const amountRefusal = ({ pageLocale }: Visit, asked: Asked): string | undefined => {
  const amounts = Object.keys(asked).filter(isAmount)
  const { action, list } = messagesOf(pageLocale)
  if (amounts.length > 0 && asked["currency"] === undefined) return list.amountOfCurrency
  const code = codeIn(asked["currency"] ?? "")
  return amounts.some((name) => amountIn(asked, asked[name] ?? "") === undefined) ? action.noAmount(code, exponentOf(code)) : undefined
}

const parameterOf = (asked: Asked, name: string, value: string): string => {
  if (isAmount(name)) return String(amountIn(asked, value) ?? value)
  return isCurrency(name) ? codeIn(value) : inUtc(value)
}

/** The same as the API reads it. */
export const parametersOf = (asked: Asked): Asked =>
  Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, parameterOf(asked, name, value)]))

const filterView = (
  { pageLocale }: Visit,
  view: View,
  name: string,
  { asked, schema }: { readonly asked: Asked; readonly schema: JsonSchema }
): Html => {
  const [value, id, label] = [asked[name] ?? "", `filter-${name.replaceAll(/\W+/gu, "-")}`, wordsOf(view, pageLocale).filter(name)]
  const choices = choicesIn(schema)
  const options = [
    ["", messagesOf(pageLocale).list.any] as const,
    ...choices.map((choice) => [choice, wordOf(choice, pageLocale)] as const)
  ]
  const input = choices.length > 0
    ? html`<select${attributes({ id, name })}>${
      options.map(([choice, word]) => html`<option${attributes({ value: choice, selected: choice === value })}>${word}</option>`)
    }</select>`
    : html`<input${
      attributes({ id, name, value: isTime(schema) ? value.replace(/Z$/u, "") : value, type: isTime(schema) ? "datetime-local" : "text" })
    }>`
  return html`<div class="field"><label for="${id}">${label}</label>${input}</div>`
}

export const filtersView = (visit: Visit, view: View, asked: Asked): Html | null => {
  const [texts, { query }] = [messagesOf(visit.pageLocale).list, endpointOf(view, view.list)]
  if (view.filters.length === 0) return null
  const isOpen = Object.keys(withoutCursors(asked)).length > 0
  return html`<details class="card"${isOpen ? html` open` : null}><summary>${texts.filters}</summary><form class="filters" action="${
    listAddress(view)
  }">${view.filters.map((name) => filterView(visit, view, name, { asked, schema: query[name] ?? {} }))}<div class="beside">${
    design.button({ label: texts.filter, kind: "primary" })
  }${isOpen ? design.button({ label: texts.clear, href: listAddress(view) }) : null}</div></form></details>`
}
