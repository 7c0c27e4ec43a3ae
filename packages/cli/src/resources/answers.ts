/** Prints what the API answered: tables and lines for people, the wire with `--json`, and files as they are. */
import { type Json as Row } from "@svc/desk/pages/json"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { Console, Effect, FileSystem, Stdio, Stream, Terminal } from "effect"
import { TerminalCapabilities } from "effect/cli"
import type { HttpClientResponse } from "effect/http"
import { CommandFailed } from "../failure.ts"
import { Json } from "../output.ts"
import { plain, plainJson } from "./plain.ts"
import type { Call, RequestFlags } from "./request.ts"
import { isJson, send } from "./request.ts"
import { pairLines, type Screen, tableLines } from "./table.ts"

const screen = Effect.gen(function*() {
  const { canAnimate, canColor } = yield* TerminalCapabilities.TerminalCapabilities
  const columns = canAnimate ? yield* (yield* Terminal.Terminal).columns : 0
  return { canColor, columns: columns > 0 ? columns : undefined } satisfies Screen
})

const printLines = (lines: ReadonlyArray<string>) => Effect.forEach(lines, (line) => Console.log(line), { discard: true })

const broken = new CommandFailed({ message: "The answer broke off. What was asked for may have been done: look before you ask again." })

/** What prints an answer for people: a line for each field, and a table for each list of objects in it. */
const printOne = Effect.fnUntraced(function*(group: string, text: string) {
  const answer = parseJson(text)
  if ((yield* Json) || !isRecord(answer)) return yield* Console.log(plainJson(text))
  const { columnsOf, linesOf, shown, viewFor } = yield* Effect.promise(() => import("./values.ts"))
  const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isRecord)
  const [lists, fields] = [true, false].map((wanted) => Object.entries(answer).filter(([, value]) => isList(value) === wanted))
  yield* printLines(pairLines(linesOf(viewFor(group), answer, Object.fromEntries(fields ?? []))))
  const place = yield* screen
  for (const [name, value] of lists ?? []) {
    const rows = Array.isArray(value) ? value.filter(isRecord) : []
    const columns = columnsOf(undefined, rows[0] ?? {})
    // What is listed in a payment is in its currency.
    const whole = (row: Row): Row => ({ currency: answer["currency"], ...row })
    const { head, lines } = tableLines({
      titles: columns.map(({ field }) => plain(field)),
      rows: rows.map((row) => columns.map((column) => shown(column, whole(row)))),
      right: columns.map(({ as }) => as === "money")
    }, place)
    yield* printLines([...name === "data" ? [] : ["", `${plain(name)}:`], head, ...lines])
  }
})

/** A file: into `output`, else to standard output, of which a terminal gets text alone. */
const printFile = Effect.fnUntraced(function*(answer: HttpClientResponse.HttpClientResponse, output: string | undefined) {
  const bytes = Stream.mapError(answer.stream, () => broken)
  if (output !== undefined) {
    const fs = yield* FileSystem.FileSystem
    const cannot = () => new CommandFailed({ message: `Cannot write ${output}. Name another file with --output.` })
    return yield* Stream.run(bytes, fs.sink(output)).pipe(
      Effect.catchTag("PlatformError", cannot)
    )
  }
  const stdio = yield* Stdio.Stdio
  if (!(yield* stdio.stdoutIsTerminal)) return yield* Effect.orDie(Stream.run(bytes, stdio.stdout({ endOnDone: false })))
  const type = answer.headers["content-type"] ?? ""
  if (!/^text\/|json/u.test(type)) {
    return yield* new CommandFailed({
      message: `The answer is a file (${plain(type)}), which a terminal cannot show. Name a file with --output.`
    })
  }
  yield* bytes.pipe(Stream.decodeText, Stream.splitLines, Stream.runForEach((line) => Console.log(plain(line))))
})

/** Does the call and prints its answer. */
export const show = Effect.fnUntraced(
  function*(group: string, call: Call, flags: RequestFlags, output?: string) {
    const answer = yield* send(call, flags)
    if (answer.status !== 204 && (!isJson(answer) || output !== undefined)) return yield* printFile(answer, output)
    const text = yield* Effect.mapError(answer.text, () => broken)
    if (text !== "") return yield* printOne(group, text)
    if (!(yield* Json)) yield* Console.log("Done.")
  }
)

const rowsOf = (answer: unknown): ReadonlyArray<Row> => {
  const rows = isRecord(answer) ? answer["data"] ?? Object.values(answer).find((value) => Array.isArray(value)) : []
  return Array.isArray(rows) ? rows.filter(isRecord) : []
}

/** What prints rows as they come, a page at a time. */
const rowPrinter = Effect.fnUntraced(function*(group: string) {
  if (yield* Json) {
    return (rows: ReadonlyArray<Row>) => printLines(rows.map((row) => plainJson(JSON.stringify(row))))
  }
  const { columnsOf, shown, viewFor } = yield* Effect.promise(() => import("./values.ts"))
  const place = yield* screen
  let [columns, widths]: [ReturnType<typeof columnsOf>, ReadonlyArray<number>] = [[], []]
  return Effect.fnUntraced(function*(rows: ReadonlyArray<Row>) {
    const isFirst = columns.length === 0
    if (isFirst) columns = columnsOf(viewFor(group), rows[0] ?? {})
    const table = tableLines(
      {
        titles: columns.map(({ field }) => plain(field)),
        rows: rows.map((row) => columns.map((column) => shown(column, row))),
        right: columns.map(({ as }) => as === "money" || as === "number")
      },
      place,
      widths
    )
    widths = table.widths
    yield* printLines(isFirst ? [table.head, ...table.lines] : table.lines)
  })
})

/** Which rows of a list are wanted: so many, or all, and whether the list has cursors. */
export interface Wanted {
  readonly limit: number
  readonly hasCursors: boolean
}

const MOST_PER_PAGE = 100

/** What a page was not asked for by hand. */
const nextOf = (query: ReadonlyArray<readonly [string, string]>, hasCursors: boolean, last: Row | undefined) => {
  const rest = query.filter(([name]) => name !== "page" && name !== "after")
  const page = Number(query.find(([name]) => name === "page")?.[1] ?? 1) + 1
  const isBackwards = query.some(([name]) => name === "before" || name === "page")
  return hasCursors && !isBackwards && typeof last?.["id"] === "string"
    ? [...rest, ["after", last["id"]] as const]
    : [...rest, ["page", String(page)] as const]
}

/** Reads as many pages as are needed, and prints each as it comes. */
export const showList = Effect.fnUntraced(function*(group: string, call: Call, flags: RequestFlags, { hasCursors, limit }: Wanted) {
  const print = yield* rowPrinter(group)
  let [query, left, count] = [call.query ?? [], limit, 0]
  for (;;) {
    const per_page = ["per_page", String(Math.min(left, MOST_PER_PAGE))] as const
    const text = yield* Effect.mapError((yield* send({ ...call, query: [...query, per_page] }, flags)).text, () => broken)
    const answer = parseJson(text)
    const rows = rowsOf(answer)
    if (rows.length > 0) yield* print(rows)
    left -= rows.length
    count += rows.length
    const hasMore = isRecord(answer) && answer["has_more"] === true && rows.length > 0
    if (hasMore && left > 0) {
      query = nextOf(query, hasCursors, rows.at(-1))
      continue
    }
    if (yield* Json) return
    if (count === 0) yield* Console.error("None.")
    if (hasMore) yield* Console.error(`There are more than these ${count}. --limit gives as many as you say, --all gives all.`)
    return
  }
})
