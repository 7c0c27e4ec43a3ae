/** Values of rows as people read them: money as decimals, moments to the minute, and nothing that a terminal would obey. Pure. */
import { decimalOf } from "@svc/design/format"
import { type Json, valueAt } from "@svc/desk/pages/json"
import { views } from "@svc/desk/views/all"
import type { Kind, Shown, View } from "@svc/kernel/resource/view"
import { currencies, exponentOf } from "@svc/kernel/values/currency"
import { isRecord } from "@svc/kernel/values/record"
import { iso } from "@svc/kernel/values/time"
import { momentIn } from "../moments.ts"
import { plain } from "./plain.ts"

/** A column of a table, or a line of a resource. */
export type Column = Pick<Shown<string>, "as" | "field" | "of">

/** The view that shows what an endpoint of this group answers. */
export const viewFor = (group: string): View | undefined =>
  views.find((view) => view.group.identifier === group) ?? views.find(({ also }) => also.some(({ identifier }) => identifier === group))

const NOTHING = "-"

const money = (value: unknown, currency: unknown): string =>
  typeof value === "number" && typeof currency === "string" && currencies.includes(currency)
    ? `${decimalOf(value, exponentOf(currency))} ${currency}`
    : String(value)

/** To the minute, in UTC. */
const minute = (text: string): string => {
  const at = momentIn(text)
  return at === undefined ? text : iso(at).slice(0, 16).replace("T", " ")
}

const written = ({ as, field, of = "currency" }: Column, resource: Json): string => {
  const value = valueAt(resource, field)
  if (value === null || value === undefined || value === "") return NOTHING
  if (as === "money") return money(value, valueAt(resource, of))
  if (as === "time" && typeof value === "string") return minute(value)
  if (as === "flag") return value === true ? "yes" : "no"
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

export const shown = (column: Column, resource: Json): string => plain(written(column, resource))

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u

const kindOf = (value: unknown): Kind => typeof value === "string" && MOMENT.test(value) ? "time" : "text"

/** In a row amounts and their changes are money of the row's currency; where that is not known, they stay in minor units. */
const MONEY = /(?:^|_)amount$|^delta_/u
const kindInRow = (field: string, value: unknown): Kind => MONEY.test(field) && typeof value === "number" ? "money" : kindOf(value)

const MOST_COLUMNS = 7

/** The columns of a list: those of its view after the field that names a row, else what its first row has. */
export const columnsOf = (view: View | undefined, first: Json): ReadonlyArray<Column> => {
  const [{ key = "id" }, columns]: readonly [Pick<View, "key">, ReadonlyArray<Column>] = view === undefined
    ? [{}, []]
    : [view, view.columns]
  const named = columns.some(({ field }) => field === key) || !Object.hasOwn(first, key) ? [] : [{ field: key, as: "id" as const }]
  if (columns.some(({ field }) => valueAt(first, field) !== undefined)) return [...named, ...columns]
  return Object.entries(first).filter(([, value]) => !isRecord(value) && !Array.isArray(value)).slice(0, MOST_COLUMNS)
    .map(([field, value]) => ({ field, as: kindInRow(field, value) }))
}

/** A line for each field of a resource; an object's fields have lines of their own. What the view says of a field is how it is shown. */
export const linesOf = (
  view: View | undefined,
  resource: Json,
  within: Json = resource,
  prefix = ""
): ReadonlyArray<readonly [string, string]> =>
  Object.entries(within).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
    const field = `${prefix}${name}`
    if (isRecord(value) && Object.keys(value).length > 0) return linesOf(view, resource, value, `${field}.`)
    const known = [...view?.facts ?? [], ...view?.columns ?? []].find((column) => column.field === field)
    return [[plain(field), shown({ ...known, field, as: known?.as ?? kindOf(value) }, resource)]]
  })
