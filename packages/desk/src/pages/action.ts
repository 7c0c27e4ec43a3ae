/** What an action asks for, as a form. What the form gave becomes a request in `sent.ts`. Pure. */
import * as design from "@svc/design/components"
import { decimalOf, money } from "@svc/design/format"
import { attributes, type Html, html } from "@svc/design/html"
import type { Action, Input, Known, View } from "@svc/kernel/resource/view"
import { choicesFor, type EndpointFacts, endpointOf } from "../api/endpoints.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordOf, wordsOf } from "../i18n/words.ts"
import { listAddress, placeOf } from "./addresses.ts"
import { digitsOf } from "./amounts.ts"
import { type Json, textAt, valueAt } from "./json.ts"
import { type Offer, type Offers, suggestions, withChosen } from "./offers.ts"
import { linkTo } from "./parts.ts"
import { shown } from "./values.ts"
import type { Visit } from "./visit.ts"

export type AnyAction = Action<string, string, string>

export interface Refusal {
  readonly message: string
  /** The id of the payment that was made and declined. */
  readonly payment?: string
  /** What is wrong with which field; the rest is said above the form. */
  readonly fields: Readonly<Record<string, string>>
}

/** The fields of a form. Of a name that stands there more than once, all values. */
export type Sent = Readonly<Record<string, string>>

/** What the installation has, by what forms call it. */
export type KnownChoices = Readonly<Record<Known, ReadonlyArray<string>>>

/** A form as it is shown: at first, or again with what was sent and why it was refused. */
export interface Form {
  readonly visit: Visit
  readonly view: View
  readonly action: AnyAction
  /** Undefined where the action makes one. */
  readonly resource: Json | undefined
  readonly idempotency_key: string
  readonly known: KnownChoices
  readonly offers: Offers
  readonly sent?: Sent
  readonly refusal?: Refusal
}

/** Values of `many` stand in one field of what was sent, one a line, as those of `lines` do. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text.split(/\r?\n/u).map((line) => line.trim()).filter((line) => line !== "")

/** The choice that stands for all, of `many`. */
export const ALL = "*"

/** What may be chosen, and what was chosen before it was gone. */
export const choicesOf = (
  endpoint: EndpointFacts,
  { field, from }: Input<string>,
  known: KnownChoices,
  chosen = ""
): ReadonlyArray<string> =>
  typeof from === "string"
    ? Array.from(new Set([...known[from], ...linesOf(chosen).filter((choice) => choice !== ALL)]))
    : from ?? choicesFor(endpoint, field)

const minorText = (minor: number, currency: string): string => {
  try {
    return decimalOf(minor, digitsOf(currency))
  } catch {
    return String(minor)
  }
}

const initial = ({ all, as, currency, initially, of = "currency" }: Input<string>, resource: Json | undefined): string => {
  const value = resource === undefined || initially === undefined ? undefined : valueAt(resource, initially)
  if (resource === undefined || value === null || value === undefined) return all === "unlimited" ? ALL : ""
  if (as === "money" && typeof value === "number") return minorText(value, currency ?? textAt(resource, of))
  if (Array.isArray(value) && as !== "json") return value.map(String).join("\n")
  return typeof value === "object" ? JSON.stringify(value, null, 2) : as === "time" ? String(value).slice(0, 16) : String(value)
}

interface Shape {
  readonly id: string
  readonly field: string
  readonly label: string
  readonly value: string
  readonly error: string | undefined
  readonly required: boolean
  /** What helps to fill it in. */
  readonly hint?: string | undefined
}

/** A label, what is given, and the place where its error is told. */
const labelled = ({ error, hint, id, label }: Shape, control: Html): Html =>
  html`<div class="field"><label for="${id}">${label}</label>${control}${
    hint === undefined ? null : html`<small id="${id}-hint">${hint}</small>`
  }<span class="error" id="${id}-error">${error}</span></div>`

const common = ({ error, field, hint, id, required }: Shape) => ({
  id,
  name: field,
  required,
  "aria-describedby": hint === undefined ? `${id}-error` : `${id}-hint ${id}-error`,
  "aria-invalid": error === undefined ? undefined : "true"
})

const choiceView = ({ pageLocale }: Visit, shape: Shape, choices: ReadonlyArray<Offer>): Html => {
  const none = shape.required ? messagesOf(pageLocale).action.choose : messagesOf(pageLocale).nothing
  const options = [{ value: "", label: none }, ...choices]
  return labelled(
    shape,
    html`<select${attributes(common(shape))}>${
      options.map(({ label, value }) => html`<option${attributes({ value, selected: value === shape.value })}>${label}</option>`)
    }</select>`
  )
}

/** A tick at "all" hides the others: it counts, whatever else is ticked. */
const manyView = ({ pageLocale }: Visit, { error, field, id, label, value }: Shape, { all, choices }: {
  readonly all: Input<string>["all"]
  readonly choices: ReadonlyArray<string>
}): Html => {
  const [chosen, { each, unlimited }] = [linesOf(value), messagesOf(pageLocale).action]
  const box = (choice: string, label: string) =>
    design.choice({ name: field, value: choice, label, checked: chosen.includes(choice), attributes: { type: "checkbox" } })
  return html`<fieldset${attributes({ "aria-describedby": `${id}-error` })}><legend class="label">${label}</legend><div${
    attributes({ class: all === undefined ? "choices" : "choices many" })
  }>${all === undefined ? null : box(ALL, all === "each" ? each : unlimited)}${
    choices.map((choice) => box(choice, wordOf(choice, pageLocale)))
  }</div><span class="error" id="${id}-error">${error}</span></fieldset>`
}

const types: Readonly<Partial<Record<Input<string>["as"], string>>> = { time: "datetime-local", file: "file" }
const modes: Readonly<Partial<Record<Input<string>["as"], string>>> = { money: "decimal", number: "numeric" }

const noteOf = ({ pageLocale }: Visit, { as, currency, optional }: Input<string>): string => {
  const texts = messagesOf(pageLocale).action
  const notes = [
    ...as === "time" ? [texts.utc] : [],
    ...as === "lines" ? [texts.line] : [],
    ...currency === undefined ? [] : [currency === "each" ? texts.eachCurrency : currency],
    ...optional === true ? [texts.optional] : []
  ]
  return notes.length === 0 ? "" : ` (${notes.join(", ")})`
}

const textView = (shape: Shape, as: Input<string>["as"], offered: ReadonlyArray<Offer>): Html => {
  const list = offered.length === 0 ? undefined : `${shape.id}-offers`
  const more = {
    type: types[as] ?? "text",
    inputmode: modes[as],
    autocomplete: "off",
    ...as === "file" ? {} : { value: shape.value },
    list
  }
  return labelled(shape, html`<input${attributes({ ...common(shape), ...more })}>${list === undefined ? null : suggestions(list, offered)}`)
}

const numberAt = (resource: Json, field: string): number => {
  const value = valueAt(resource, field)
  return typeof value === "number" ? value : 0
}

/** How much an amount can be that is all of it where it is left out. */
const mostText = (
  { pageLocale }: Visit,
  { currency, most, of = "currency" }: Input<string>,
  resource: Json | undefined
): string | undefined => {
  const code = resource === undefined ? "" : currency ?? textAt(resource, of)
  if (most === undefined || resource === undefined || code === "") return undefined
  const rest = Math.max(0, most.less.reduce((left, field) => left - numberAt(resource, field), numberAt(resource, most.of)))
  return messagesOf(pageLocale).action.most(code, money(pageLocale, rest, code))
}

const inputView = ({ action, known, offers, refusal, resource, sent, view, visit }: Form, input: Input<string>): Html => {
  const { as, field, optional } = input
  const value = sent === undefined ? initial(input, resource) : sent[field] ?? ""
  const id = `f-${field.replaceAll(/\W/gu, "-")}`
  const shape: Shape = {
    id,
    field,
    label: `${wordsOf(view, visit.pageLocale).field(field)}${noteOf(visit, input)}`,
    value,
    error: refusal?.fields[field],
    required: optional !== true
  }
  const choices = choicesOf(endpointOf(view, action.endpoint), input, known, value)
  if (as === "flag") {
    return design.choice({ name: field, value: "true", label: shape.label, checked: value === "true", attributes: { type: "checkbox" } })
  }
  if (as === "many") return manyView(visit, shape, { all: input.all, choices })
  if (as === "choice") return choiceView(visit, shape, choices.map((one) => ({ value: one, label: wordOf(one, visit.pageLocale) })))
  const offered = offers[field] ?? []
  const isOpen = input.offers !== undefined && "view" in input.offers && input.offers.open === true
  if (offered.length > 0 && !isOpen) return choiceView(visit, shape, withChosen(offered, value))
  if (as === "long" || as === "lines" || as === "json") {
    return labelled(
      shape,
      html`<textarea${attributes({ ...common(shape), rows: 4, spellcheck: as === "long" ? undefined : "false" })}>
${value}</textarea>`
    )
  }
  return textView({ ...shape, hint: mostText(visit, input, resource) }, as, offered)
}

/** A file comes last: what stands before it is read before its bytes come. */
const inOrder = ({ asks }: AnyAction) => asks.toSorted((a, b) => Number(a.as === "file") - Number(b.as === "file"))

export const isUpload = ({ asks }: Pick<AnyAction, "asks">): boolean => asks.some(({ as }) => as === "file")

/** Where somebody goes who does not go on. */
export const backAddress = (view: View, resource: Json | undefined): string =>
  resource === undefined ? listAddress(view) : placeOf(view, resource)

/** A digit in a refusal of a form with an amount is most likely minor units. */
const refusalText = ({ pageLocale }: Visit, { asks }: AnyAction, { message, payment }: Refusal): Html =>
  html`${message}${payment === undefined ? null : html` ${linkTo({ pageLocale }, "payments", payment)}`}${
    /\d{3}/u.test(message) && asks.some(({ as }) => as === "money") ? html` ${messagesOf(pageLocale).action.minorUnits}` : null
  }`

export const actionView = (form: Form): Html => {
  const { action, idempotency_key, refusal, resource, view, visit } = form
  const [texts, label] = [messagesOf(visit.pageLocale).action, wordsOf(view, visit.pageLocale).action(action.endpoint)]
  const version = resource === undefined ? undefined : valueAt(resource, "version")
  return html`<form${
    attributes({ method: "post", class: "card stack form", enctype: isUpload(action) ? "multipart/form-data" : undefined })
  }>${refusal === undefined ? null : design.alert(label, refusalText(visit, action, refusal))}${
    resource === undefined || action.on === "all"
      ? null
      : design.list(view.columns.map((column) =>
        [wordsOf(view, visit.pageLocale).field(column.field), shown(visit, column, resource)] as const
      ))
  }${
    action.final === true ? html`<p>${texts.final}</p>` : null
  }<input type="hidden" name="token" value="${visit.form_token}"><input type="hidden" name="idempotency_key" value="${idempotency_key}">${
    typeof version === "number" ? html`<input type="hidden" name="version" value="${version}">` : null
  }${inOrder(action).map((input) => inputView(form, input))}<div class="beside">${
    design.button({ label, kind: action.final === true ? "danger" : "primary" })
  }${design.button({ label: texts.keep, href: backAddress(view, resource) })}</div></form>`
}
