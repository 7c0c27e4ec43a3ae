/** What a list is exported as: its format, its columns, the zone of its times; and the form that asks for it. Pure. */
import * as design from "@svc/design/components"
import { decimalOf } from "@svc/design/format"
import { attributes, type Html, html } from "@svc/design/html"
import type { Kind, View } from "@svc/kernel/resource/view"
import { Currency, exponentOf } from "@svc/kernel/values/currency"
import { isRecord } from "@svc/kernel/values/record"
import { DateTime, Option, Result, Schema } from "effect"
import { fieldSchema, fieldsOf, keyOf } from "../api/endpoints.ts"
import { scalarIn } from "../api/schemas.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordsOf } from "../i18n/words.ts"
import { csvLine, textCell } from "./csv.ts"
import { type Asked, withoutCursors } from "./filters.ts"
import { type Json, textAt, valueAt } from "./json.ts"
import type { Visit } from "./visit.ts"

export const formats = ["csv", "ndjson"] as const
export type ExportFormat = (typeof formats)[number]

export interface ExportColumn {
  readonly field: string
  readonly as: Kind
  /** The field with the currency of a `money`. */
  readonly of: string
}

export interface ExportPlan {
  readonly format: ExportFormat
  readonly columns: ReadonlyArray<ExportColumn>
  /** Of all times; undefined for UTC, as the API writes them. */
  readonly zone: DateTime.TimeZone | undefined
}

/** Parameters of an export that are no filters of its list. */
const NAMES: ReadonlySet<string> = new Set(["format", "columns", "time_zone", "after"])

/** Each field once, as it stands first. */
const eachOnce = (columns: ReadonlyArray<ExportColumn>): ReadonlyArray<ExportColumn> =>
  columns.filter(({ field }, at) => columns.findIndex((column) => column.field === field) === at)

/** All that a list can be exported with: its id, its columns, and each value of the resource that is no object and no list. */
export const columnsOf = (view: View): ReadonlyArray<ExportColumn> => {
  const text = (field: string): ExportColumn => ({ field, as: "text", of: "currency" })
  const shown = [...view.columns, ...view.facts.filter(({ as }) => as !== "value")]
  const others = Array.from(fieldsOf(view)).flatMap((field) => {
    const as = scalarIn(fieldSchema(view, field) ?? {})
    return as === undefined ? [] : [{ field, as, of: "currency" }]
  })
  // An amount of a fixed currency has no field beside it that says so: it counts minor units, as in the API.
  const own = shown.map(({ as, currency, field, of = "currency" }) => ({ field, as: currency === undefined ? as : "number" as const, of }))
  const all = [text(keyOf(view)), ...own, ...others]
  return eachOnce([...all, ...currenciesOf(all).map(text)])
}

/** The fields without which amounts in major units say nothing. */
const currenciesOf = (columns: ReadonlyArray<ExportColumn>): ReadonlyArray<string> =>
  columns.filter(({ as }) => as === "money").map(({ of }) => of)

/** What is exported where nothing was chosen: the id and the list's own columns. */
const usual = (view: View): ReadonlySet<string> => new Set([keyOf(view), ...view.columns.map(({ field }) => field)])

/** The id is the place of a row, so that it always comes along, and so do the currencies of amounts. */
const completed = (view: View, all: ReadonlyArray<ExportColumn>, names: ReadonlySet<string>): ReadonlyArray<ExportColumn> => {
  const chosen = all.filter(({ field }) => names.has(field))
  const needed = new Set([keyOf(view), ...names, ...currenciesOf(chosen)])
  return all.filter(({ field }) => needed.has(field))
}

/** What the address of an export asks for, or why there is none. */
export const planOf = (
  { pageLocale }: Pick<Visit, "pageLocale">,
  view: View,
  asked: URLSearchParams
): Result.Result<ExportPlan, string> => {
  const texts = messagesOf(pageLocale).exports
  const [format, zoneName] = [asked.get("format") ?? "csv", asked.get("time_zone")?.trim() || "UTC"]
  const name = Array.from(asked.keys()).find((one) => !NAMES.has(one) && !view.filters.includes(one))
  if (name !== undefined) return Result.fail(texts.unknown(name))
  if (format !== "csv" && format !== "ndjson") return Result.fail(texts.unknownFormat(format))
  const all = columnsOf(view)
  const named = asked.getAll("columns").flatMap((text) => text.split(",")).filter((field) => field !== "")
  const unknown = named.find((field) => !all.some((column) => column.field === field))
  if (unknown !== undefined) return Result.fail(texts.unknownColumn(unknown))
  const zone = DateTime.zoneMakeNamed(zoneName)
  if (Option.isNone(zone)) return Result.fail(texts.unknownZone(zoneName))
  return Result.succeed({
    format,
    columns: completed(view, all, named.length === 0 ? usual(view) : new Set(named)),
    zone: zone.value.id === "UTC" ? undefined : zone.value
  })
}

/** A moment of the API in this zone, with its offset. */
const inZone = (text: string, zone: DateTime.TimeZone | undefined): string =>
  zone === undefined
    ? text
    : Option.match(DateTime.make(text), { onNone: () => text, onSome: (at) => DateTime.formatIsoOffset(DateTime.setZone(at, zone)) })

const isCurrency = Schema.is(Currency)

const cellOf = ({ as, field, of }: ExportColumn, row: Json, zone: ExportPlan["zone"]): string => {
  const value = valueAt(row, field)
  if (value === null || value === undefined) return ""
  if (typeof value === "number" && as === "money") {
    const currency = textAt(row, of)
    // Without its currency nobody knows where the point belongs.
    return isCurrency(currency) ? decimalOf(value, exponentOf(currency)) : ""
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value)
  if (typeof value === "string") return textCell(as === "time" ? inZone(value, zone) : value)
  return textCell(JSON.stringify(value))
}

/** The object with this value at the end of the path. */
const withValue = (object: Json, [name = "", ...rest]: ReadonlyArray<string>, value: unknown): Json => {
  const inner = object[name]
  return { ...object, [name]: rest.length === 0 ? value : withValue(isRecord(inner) ? inner : {}, rest, value) }
}

/** The chosen fields where the API has them; times in the zone. */
const picked = ({ columns, zone }: ExportPlan, row: Json): Json =>
  columns.reduce<Json>((object, { as, field }) => {
    const value = valueAt(row, field)
    if (value === undefined) return object
    const path = Object.hasOwn(row, field) ? [field] : field.split(".")
    return withValue(object, path, as === "time" && typeof value === "string" ? inZone(value, zone) : value)
  }, {})

export const headOf = ({ columns, format }: ExportPlan): string => format === "csv" ? csvLine(columns.map(({ field }) => field)) : ""

export const rowOf = (plan: ExportPlan, row: Json): string =>
  plan.format === "csv"
    ? csvLine(plan.columns.map((column) => cellOf(column, row, plan.zone)))
    : `${JSON.stringify(picked(plan, row))}\n`

export const exportAddress = ({ name }: Pick<View, "name">): string => `/desk/exports/${name}`

/** Asks for the rows that the filters leave. */
export const exportView = ({ pageLocale }: Visit, view: View, asked: Asked): Html => {
  const [texts, words, chosen] = [messagesOf(pageLocale).exports, wordsOf(view, pageLocale), usual(view)]
  const select = html`<select id="export-format" name="format">${
    formats.map((format) => html`<option value="${format}">${texts.formats[format]}</option>`)
  }</select>`
  return html`<details class="card"><summary>${texts.title}</summary><form class="stack" action="${exportAddress(view)}">${
    Object.entries(withoutCursors(asked)).map(([name, value]) => html`<input${attributes({ type: "hidden", name, value })}>`)
  }<p class="quiet">${texts.note}</p><fieldset class="columns"><legend>${texts.columns}</legend>${
    columnsOf(view).map(({ field }) =>
      html`<label><input${attributes({ type: "checkbox", name: "columns", value: field, checked: chosen.has(field) })}> ${
        words.field(field)
      }</label>`
    )
  }</fieldset><div class="filters"><div class="field"><label for="export-format">${texts.format}</label>${select}</div>${
    design.field({ id: "export-zone", label: texts.timeZone, attributes: { name: "time_zone", value: "UTC" } })
  }${design.button({ label: texts.save, kind: "primary" })}</div></form></details>`
}
