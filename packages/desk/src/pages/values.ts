/** A value of a resource as people read it. Pure. */
import * as design from "@svc/design/components"
import { decimal, minute, minuteInShort, money, whole } from "@svc/design/format"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Kind, Shown } from "@svc/kernel/resource/view"
import { DateTime, Option } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { wordOf } from "../i18n/words.ts"
import { addressOf } from "./addresses.ts"
import { digitsOf } from "./amounts.ts"
import { type Json, textAt, valueAt } from "./json.ts"
import type { Reader } from "./visit.ts"

export { type Json, textAt, valueAt }

/** What needs a look, and what is well; all other states are plain. */
const bad: ReadonlySet<string> = new Set([
  "failed",
  "declined",
  "lost",
  "past_due",
  "unpaid",
  "uncollectible",
  "mismatched",
  "unhealthy",
  "suspended",
  "blocked"
])
const good: ReadonlySet<string> = new Set([
  "active",
  "captured",
  "completed",
  "delivered",
  "healthy",
  "linked",
  "matched",
  "paid",
  "succeeded",
  "won",
  "verified"
])

const toneOf = (state: string): design.Tone => bad.has(state) ? "bad" : good.has(state) ? "good" : "plain"

/** Enough of an id to tell it from its neighbours; the whole one stands beside it for who needs it. */
const SHORTEST = 14
const shortened = (id: string): string => {
  const at = id.lastIndexOf("_")
  return at < 0 || id.length - at < SHORTEST ? id : `${id.slice(0, at + 1)}…${id.slice(-6)}`
}

/** An id in a field that is no link. */
const ID = /^[a-z]{2,10}(?:_[a-z]{2,10})*_[0-9A-HJKMNP-TV-Z]{26}$/u

/** Where a value is told of: in a row, or by itself. */
export type Place = "row" | "alone"

const idView = (reader: Reader, id: string, { place, view }: { readonly view: string | undefined; readonly place: Place }): Html => {
  const address = addressOf(reader, id, view)
  const text = html`<code${place === "row" && shortened(id) !== id ? html` title="${id}"` : null}>${
    place === "row" ? shortened(id) : id
  }</code>`
  return address === undefined ? text : html`<a href="${address}">${text}</a>`
}

/** JSON as names and values; what is nested deeper than people follow is text. */
const DEEPEST = 3
const tree = (pageLocale: PageLocale, value: unknown, depth = 0): Content => {
  const texts = messagesOf(pageLocale)
  if (value === null || value === undefined || value === "") return texts.nothing
  if (typeof value === "boolean") return value ? texts.yes : texts.no
  if (typeof value !== "object") return String(value)
  if (depth >= DEEPEST) return html`<code>${JSON.stringify(value)}</code>`
  if (Array.isArray(value)) {
    return value.length === 0 ? texts.nothing : html`<ul>${value.map((item) => html`<li>${tree(pageLocale, item, depth + 1)}</li>`)}</ul>`
  }
  const entries = Object.entries(value)
  return entries.length === 0
    ? texts.nothing
    : html`<dl class="tree">${
      entries.map(([name, item]) => html`<div><dt>${name}</dt><dd>${tree(pageLocale, item, depth + 1)}</dd></div>`)
    }</dl>`
}

export const moment = (pageLocale: PageLocale, text: string, place: Place = "alone"): Content => {
  const at = DateTime.make(text)
  if (Option.isNone(at)) return text
  const utc = DateTime.toUtc(at.value)
  if (place === "alone") return html`<time datetime="${text}">${minute(pageLocale, utc)}</time>`
  const [day, time] = minuteInShort(pageLocale, utc)
  return html`<time datetime="${text}"><span class="num">${day}</span> <span class="num">${time}</span></time>`
}

/** An address as somebody elsewhere opens it: of a page of this service the API tells the path alone. */
export const publicAddress = ({ public_url }: Pick<Reader, "public_url">, text: string): string =>
  /^\/(?!\/)/u.test(text) ? `${public_url}${text}` : text

/** By itself it is also there to be copied, because it is given to somebody else. */
const link = (reader: Reader, text: string, { field, place }: { readonly field: string; readonly place: Place }): Content => {
  const [address, { action }] = [publicAddress(reader, text), messagesOf(reader.pageLocale)]
  if (!/^https?:\/\//u.test(address)) return text
  const id = `link-${field.replaceAll(/\W/gu, "-")}`
  const copied = { type: "button", class: "button plain", hidden: true, "data-copy": id, "data-copied": action.copied }
  return place === "row"
    ? html`<a href="${address}" rel="noopener noreferrer">${address}</a>`
    : html`<a id="${id}" href="${address}" rel="noopener noreferrer">${address}</a> <button${attributes(copied)}>${action.copy}</button>`
}

/** An amount of no currency of its own, and what that means. */
const ofEach = (pageLocale: PageLocale, minor: number): Html =>
  html`<span class="num">${decimal(pageLocale, minor, digitsOf("each"))}</span><br><small>${
    messagesOf(pageLocale).action.eachCurrency
  }</small>`

const one = (reader: Reader, { as, field, view }: Pick<Shown<string>, "as" | "field" | "view">, value: unknown, { currency, place }: {
  readonly currency: string
  readonly place: Place
}): Content => {
  const { pageLocale } = reader
  const texts = messagesOf(pageLocale)
  if (value === null || value === undefined || value === "") return html`<span class="quiet none">${texts.nothing}</span>`
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  switch (as) {
    case "money":
      if (typeof value === "number" && currency === "each") return ofEach(pageLocale, value)
      return typeof value === "number" && currency !== "" ? html`<span class="num">${money(pageLocale, value, currency)}</span>` : text
    case "number":
      return html`<span class="num">${typeof value === "number" ? whole(pageLocale, value) : text}</span>`
    case "time":
      return moment(pageLocale, text, place)
    case "state":
      return design.badge(wordOf(text, pageLocale), toneOf(text))
    case "flag":
      return value === true ? texts.yes : texts.no
    case "id":
      return idView(reader, text, { view, place })
    case "link":
      return link(reader, text, { field, place })
    case "value":
      return tree(pageLocale, value)
    default:
      if (place === "row" && ID.test(text)) return html`<code title="${text}">${shortened(text)}</code>`
      return Array.isArray(value) ? value.map(String).join(", ") : text
  }
}

/** Text of these fields is a word of the contract, or a sentence that is said as it is. */
const IN_WORDS = /(?:^|_)(?:reason|method)$/u

export const shown = (reader: Reader, field: Shown<string>, resource: Json, place: Place = "alone"): Content => {
  const value = valueAt(resource, field.field)
  const isWord = field.as === "text" && typeof value === "string" && IN_WORDS.test(field.field)
  return one(reader, field, isWord ? wordOf(value, reader.pageLocale) : value, {
    currency: field.currency ?? textAt(resource, field.of ?? "currency"),
    place
  })
}

/** A value where there is no place but for text, such as in a choice; empty where there is none. */
export const worded = (pageLocale: PageLocale, { as, currency, field, of }: Shown<string>, resource: Json): string => {
  const value = valueAt(resource, field)
  if (value === null || value === undefined || typeof value === "object") return ""
  if (as === "state") return wordOf(String(value), pageLocale)
  const code = currency ?? textAt(resource, of ?? "currency")
  return as === "money" && typeof value === "number" && code !== "" ? money(pageLocale, value, code) : String(value)
}

/** Without links: for text that is a link itself. */
export const plainly = (reader: Reader, { view: _view, ...field }: Shown<string>, resource: Json): Content =>
  field.as === "id" && valueAt(resource, field.field)
    ? html`<code>${shortened(textAt(resource, field.field))}</code>`
    : shown(reader, field.as === "link" ? { ...field, as: "text" } : field, resource, "row")

/** Kinds whose values stand below each other by their last digit. */
export const isNumeric = (as: Kind): boolean => as === "money" || as === "number"
