/**
 * The values that a JSON schema asks for, from what a document says with a label or in a table. A value is taken where the document names
 * the property, and says it once; whatever is missing, ambiguous or of another type is null.
 */
import type { Schema } from "effect"
import { type Contents, contentsOf, type Labelled, labelOf } from "./labels.ts"
import type { Cell, Span, Table } from "./tables.ts"

type JsonSchema = Readonly<Record<string, unknown>>

/** Deeper schemas ask for nothing that a document names. */
const DEEPEST = 8

const isObject = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value)

/** Follows `#/$defs/…`. */
const resolved = (schema: unknown, root: JsonSchema): JsonSchema => {
  if (!isObject(schema)) return {}
  const { $ref } = schema
  if (typeof $ref !== "string" || !$ref.startsWith("#/")) return schema
  const target = $ref.slice(2).split("/").reduce<unknown>((at, name) => isObject(at) ? at[name] : undefined, root)
  return isObject(target) ? target : {}
}

const typeOf = ({ items, properties, type }: JsonSchema): unknown => {
  const named: unknown = Array.isArray(type) ? type.find((one) => one !== "null") : type
  return named ?? (properties === undefined ? items === undefined ? "string" : "array" : "object")
}

/** The one number that a text says: `1,234.50 EUR`, `12,50`. Null for `1,234`, which is 1234 or 1.234. */
export const numberIn = (text: string): number | null => {
  const [, sign = "", digits = ""] = /^[^\d,.+-]{0,8}([-+]?)[^\d,.+-]{0,8}(\d[\d,.' \u00a0\u202f]*)(\D{0,12})$/u.exec(text) ?? []
  const compact = digits.trim().replaceAll(/[' \u00a0\u202f](?=\d{3}(?!\d))/gu, "")
  const point = /^(?:\d+|\d{1,3}(?:,\d{3})+(?=\.))(?:\.\d+)?$/u.test(compact) && !/^\d{1,3}\.\d{3}$/u.test(compact)
  const comma = /^(?:\d+|\d{1,3}(?:\.\d{3})+(?=,))(?:,\d+)?$/u.test(compact) && !/^\d{1,3},\d{3}$/u.test(compact)
  if (!point && !comma) return null
  const plain = point ? compact.replaceAll(",", "") : compact.replaceAll(".", "").replace(",", ".")
  return Number(sign + plain)
}

const booleans: Readonly<Record<string, boolean>> = { true: true, yes: true, false: false, no: false }

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/u.test(text)

/** Null where the text is not what the schema asks for. */
const valueOf = (schema: JsonSchema, text: string): Schema.Json => {
  switch (typeOf(schema)) {
    case "number":
      return numberIn(text)
    case "integer": {
      const number = numberIn(text)
      return Number.isSafeInteger(number) ? number : null
    }
    case "boolean":
      return booleans[text.toLowerCase()] ?? null
    case "string": {
      if (Array.isArray(schema["enum"])) {
        return schema["enum"].find((one) => typeof one === "string" && one.toLowerCase() === text.toLowerCase()) ?? null
      }
      return schema["format"] === "date" && !isDate(text) ? null : text
    }
    default:
      return null
  }
}

export interface Extraction {
  readonly extracted: Schema.Json
  /** Where each value stands in the Markdown, by its JSON pointer. */
  readonly spans: Readonly<Record<string, Span>>
}

export const extract = (root: object, markdown: string): Extraction => {
  const schema = root as JsonSchema
  const contents: Contents = contentsOf(markdown)
  const spans: Record<string, Span> = {}

  const labelsOf = (
    name: string,
    { title }: JsonSchema
  ): ReadonlyArray<string> => [labelOf(name), ...(typeof title === "string" ? [labelOf(title)] : [])]

  const taken = (schema: JsonSchema, cell: Cell, path: string): Schema.Json => {
    const value = valueOf(schema, cell.text)
    if (value !== null) spans[path] = { start: cell.start, end: cell.end }
    return value
  }

  /** Said once, or the same each time. */
  const said = (labels: ReadonlyArray<string>, { end, start }: Span): Labelled | undefined => {
    const found = contents.labelled.filter((one) => labels.includes(one.label) && one.start >= start && one.end <= end)
    return found.every(({ text }) => text === found[0]?.text) ? found[0] : undefined
  }

  const properties = (schema: JsonSchema): ReadonlyArray<readonly [string, JsonSchema]> =>
    Object.entries(isObject(schema["properties"]) ? schema["properties"] : {}).map((
      [name, one]
    ) => [name, resolved(one, root as JsonSchema)])

  /** The columns of a table that properties name. */
  const columnsOf = (asked: ReadonlyArray<readonly [string, JsonSchema]>, { head }: Table) =>
    asked.flatMap(([name, one]) => {
      const labels = labelsOf(name, one)
      const column = head.findIndex(({ text }) => labels.includes(labelOf(text)))
      return column === -1 ? [] : [{ name, one, column }]
    })

  /** From the tables that name the most properties, and all required ones, as far as their heads are the same. */
  const rowsOf = (items: JsonSchema, range: Span, path: string): Schema.Json => {
    const asked = properties(items)
    const required = Array.isArray(items["required"]) ? items["required"] : []
    const fitting = contents.tables.flatMap((table) => {
      const columns = columnsOf(asked, table)
      const isWithin = table.head.every(({ end, start }) => start >= range.start && end <= range.end)
      const isWhole = columns.length > 0 && required.every((name) => columns.some((column) => column.name === name))
      return isWithin && isWhole ? [{ table, columns, head: table.head.map(({ text }) => labelOf(text)).join("|") }] : []
    })
    const most = Math.max(...fitting.map(({ columns }) => columns.length))
    const best = fitting.filter(({ columns }) => columns.length === most)
    if (best.length === 0 || best.some(({ head }) => head !== best[0]?.head)) return null
    const rows = best.flatMap(({ columns, table }) => table.rows.map((row) => ({ columns, row })))
    return rows.map(({ columns, row }, index) =>
      Object.fromEntries(asked.map(([name]) => {
        const column = columns.find((column) => column.name === name)
        const cell = column === undefined ? undefined : row[column.column]
        return [name, column === undefined || cell === undefined ? null : taken(column.one, cell, `${path}/${index}/${escaped(name)}`)]
      }))
    )
  }

  const sectionOf = (labels: ReadonlyArray<string>, range: Span): Span | undefined => {
    const found = contents.sections.filter(({ end, label, start }) => labels.includes(label) && start >= range.start && end <= range.end)
    return found.length === 1 ? found[0] : undefined
  }

  const property = (name: string, schema: JsonSchema, range: Span, path: string): Schema.Json => {
    const labels = labelsOf(name, schema)
    switch (typeOf(schema)) {
      case "object": {
        const section = sectionOf(labels, range)
        return section === undefined || path.split("/").length > DEEPEST ? null : object(schema, section, path)
      }
      case "array":
        return rowsOf(resolved(schema["items"], root as JsonSchema), sectionOf(labels, range) ?? range, path)
      default: {
        const value = said(labels, range)
        return value === undefined ? null : taken(schema, value, path)
      }
    }
  }

  const object = (schema: JsonSchema, range: Span, path: string): Schema.Json =>
    Object.fromEntries(properties(schema).map(([name, one]) => [name, property(name, one, range, `${path}/${escaped(name)}`)]))

  const whole = { start: 0, end: markdown.length }
  const extracted = typeOf(schema) === "array"
    ? rowsOf(resolved(schema["items"], schema), whole, "")
    : object(schema, whole, "")
  return { extracted, spans }
}

/** RFC 6901. */
const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")
