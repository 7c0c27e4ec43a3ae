/**
 * The file of a provider, read as it comes: CSV in UTF-8 as RFC 4180 has it, its first line the names of the columns, in any order. Columns
 * that are not asked for are passed over. A line that cannot be read ends it all, and is named (docs/reconciliation.md).
 */
import { ValidationError } from "@svc/kernel/resource/errors"
import { findCardNumber } from "@svc/kernel/values/card-numbers"
import { Currency } from "@svc/kernel/values/currency"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { beginningOf } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import type { StatementLine } from "@svc/payments/rails/statement"
import { StatementType, statementTypes } from "@svc/payments/rails/statement"
import { Effect, Result, Schema, Stream } from "effect"
import { Csv } from "effect/encoding"

/** Lines of one file. */
export const MOST_LINES = 1_000_000

/** Characters of one line. */
const LONGEST_LINE = 8_192

const columns = ["type", "provider_reference", "amount", "currency", "occurred_at"] as const
type Column = typeof columns[number]
type Places = Readonly<Record<Column, number>>

const KEPT = "Nothing of the file was kept."

const bad = (line: number, column: string, why: string): ValidationError =>
  new ValidationError({ code: column, message: `line ${line}, column ${column}: ${why}. ${KEPT}`, details: { line, column } })

const shown = (cell: string): string =>
  findCardNumber(cell) === undefined
    ? JSON.stringify(cell.length > 40 ? `${beginningOf(cell, 40)}…` : cell)
    : "what looks like a card number"

const isType = Schema.is(StatementType)
const isCurrency = Schema.is(Currency)
const toTime = Schema.decodeUnknownResult(Timestamp)

const WHOLE = /^[1-9]\d{0,11}$/
const REFERENCE = /^[\x21-\x7e]{1,255}$/

/** Where each column stands. */
const placesOf = (header: ReadonlyArray<string>): Places => {
  const names = header.map((name) => name.trim().toLowerCase())
  const placeOf = (column: Column): number => {
    const at = names.indexOf(column)
    if (at < 0) {
      throw bad(1, column, `there is no such column. The first line names the columns, and these are needed: ${columns.join(", ")}`)
    }
    if (names.includes(column, at + 1)) throw bad(1, column, "there are two columns of this name")
    return at
  }
  return {
    type: placeOf("type"),
    provider_reference: placeOf("provider_reference"),
    amount: placeOf("amount"),
    currency: placeOf("currency"),
    occurred_at: placeOf("occurred_at")
  }
}

const timeOf = (cell: string, line: number): StatementLine["occurred_at"] => {
  const time = toTime(cell)
  if (Result.isFailure(time)) {
    throw bad(line, "occurred_at", `${shown(cell)} is no moment: write it as 2026-01-31T12:00:00.000Z, with an offset, or as a date alone`)
  }
  return time.success
}

const referenceOf = (cell: string, line: number): string | null => {
  if (cell === "") return null
  if (!REFERENCE.test(cell)) {
    throw bad(line, "provider_reference", `${shown(cell)} is no reference: at most 255 characters of ASCII without spaces`)
  }
  if (findCardNumber(cell) !== undefined) {
    throw bad(
      line,
      "provider_reference",
      "it holds what looks like a card number, which is not accepted here. Send the provider's reference"
    )
  }
  return cell
}

/** One line. Throws the refusal that names it: a failed Effect a cell would take longer than all the rest. */
const lineOf = (cells: ReadonlyArray<string>, places: Places, line: number): StatementLine => {
  const cell = (column: Column): string => {
    const text = cells[places[column]]
    if (text === undefined) throw bad(line, column, `the line has ${cells.length} cells, and this column is number ${places[column] + 1}`)
    return text.trim()
  }
  const [type, amount, currency] = [cell("type"), cell("amount"), cell("currency")]
  if (!isType(type)) throw bad(line, "type", `${shown(type)} is none of ${statementTypes.join(", ")}`)
  if (!WHOLE.test(amount) || Number(amount) > MAX_AMOUNT) {
    throw bad(
      line,
      "amount",
      `${
        shown(amount)
      } is no whole number of minor units from 1 to ${MAX_AMOUNT}, for example 1250 for 12.50 USD. The type says which way the money moves`
    )
  }
  if (!isCurrency(currency)) {
    throw bad(line, "currency", `${shown(currency)} is no currency of ISO 4217 in capital letters, for example USD`)
  }
  return {
    type,
    provider_reference: referenceOf(cell("provider_reference"), line),
    amount: Number(amount),
    currency,
    occurred_at: timeOf(cell("occurred_at"), line)
  }
}

const LINE_BREAK = /\r\n|\r|\n/g

/** Lines of the file that a record takes: a quoted cell may have line breaks. */
const heightOf = (cells: ReadonlyArray<string>): number => cells.reduce((height, cell) => height + (cell.match(LINE_BREAK)?.length ?? 0), 1)

/** Reads records one after another, and knows at which line of the file it is. */
const makeReader = () => {
  let places: Places | undefined
  let records = 0
  let nextLine = 1
  const sums = new Map<string, number>()

  const read = (cells: ReadonlyArray<string>): StatementLine | undefined => {
    records++
    const line = nextLine
    nextLine += heightOf(cells)
    if (cells.length === 1 && cells[0]?.trim() === "") return undefined
    if (places === undefined) {
      places = placesOf(cells)
      return undefined
    }
    if (records > MOST_LINES + 1) {
      throw bad(line, "type", `a file has at most ${MOST_LINES} lines. Send a report for each part of the period`)
    }
    const parsedLine = lineOf(cells, places, line)
    const sum = (sums.get(parsedLine.currency) ?? 0) + parsedLine.amount
    sums.set(parsedLine.currency, sum)
    if (!Number.isSafeInteger(sum)) {
      throw bad(
        line,
        "amount",
        `the amounts in ${parsedLine.currency} add up to more than ${Number.MAX_SAFE_INTEGER} by here. ` +
          "Send a report for each part of the period"
      )
    }
    return parsedLine
  }
  return {
    /** The lines of these records. Throws a ValidationError. */
    lines: (records: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<StatementLine> =>
      records.map(read).filter((found) => found !== undefined),
    /** Whether there was a header. */
    hasBegun: () => places !== undefined
  }
}

type Reader = ReturnType<typeof makeReader>

const linesOf = (
  reader: Reader,
  records: ReadonlyArray<ReadonlyArray<string>>
): Effect.Effect<ReadonlyArray<StatementLine>, ValidationError> => {
  try {
    return Effect.succeed(reader.lines(records))
  } catch (error) {
    if (error instanceof ValidationError) return Effect.fail(error)
    throw error
  }
}

const unreadable = ({ line, message }: Csv.CsvError): ValidationError =>
  new ValidationError({ code: "body", message: `line ${line}: ${message}. The file is CSV as RFC 4180 has it. ${KEPT}`, details: { line } })

/** The lines of a file, some at a time and never more than are asked for. */
export const readFile = <E>(bytes: Stream.Stream<Uint8Array, E>): Stream.Stream<ReadonlyArray<StatementLine>, E | ValidationError> =>
  Stream.suspend(() => {
    const reader = makeReader()
    const records = bytes.pipe(
      Stream.pipeThroughChannel(Csv.decode<E>({ maxRecordSize: LONGEST_LINE })),
      Stream.mapError((error) => Csv.isCsvError(error) ? unreadable(error) : error)
    )
    return Stream.chunks(records).pipe(
      Stream.mapEffect((chunk) => Effect.suspend(() => linesOf(reader, chunk))),
      Stream.concat(
        Stream.fromEffectDrain(Effect.suspend(() =>
          reader.hasBegun()
            ? Effect.void
            : Effect.fail(
              new ValidationError({
                code: "body",
                message: `body: the file is empty. Its first line names the columns: ${columns.join(", ")}. ${KEPT}`
              })
            )
        ))
      )
    )
  })
