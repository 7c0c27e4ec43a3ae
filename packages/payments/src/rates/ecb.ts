/**
 * Reads the euro foreign exchange reference rates as the European Central Bank publishes them every working day at about 16:00 in
 * Frankfurt: `eurofxref-daily.xml`, and `eurofxref-hist-90d.xml`, which has the same form and more days. Only the newest day is read.
 *
 *     <gesmes:Envelope …><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.1561'/>…</Cube></Cube></gesmes:Envelope>
 *
 * Effect's own `Xml` reads the text: it expands no entities and loads nothing. A document type is refused, because such a file needs none.
 */
import { currencies } from "@svc/kernel/values/currency"
import { Data, Effect, Result, Stream } from "effect"
import { Xml } from "effect/encoding"
import { type RateTable, ratioOf } from "./model.ts"

/** The text is not a table of exchange rates. */
export class NoTable extends Data.TaggedError("NoTable")<{ readonly message: string }> {}

const failed = (message: string) => Result.fail(new NoTable({ message: `This is no file of reference rates: ${message}.` }))

const DAY = /^\d{4}-\d\d-\d\d$/

const isDay = (text: string): boolean => DAY.test(text) && new Date(`${text}T00:00:00.000Z`).toJSON()?.startsWith(text) === true

/** The rates of one day: decimal text by currency. */
type Day = Map<string, string>

/** Adds the day, or the rate, of a `Cube` element. Returns the day to which the rates inside the element belong. */
const enterCube = (
  { currency, rate, time }: Readonly<Record<string, string>>,
  days: Map<string, Day>,
  open: Day | undefined
): Result.Result<Day | undefined, NoTable> => {
  let day = open
  if (time !== undefined) {
    if (!isDay(time) || days.has(time)) return failed(`${JSON.stringify(time)} is no day, or is there twice`)
    days.set(time, day = new Map())
  }
  if (currency !== undefined && rate !== undefined) {
    if (day === undefined || day.has(currency)) {
      return failed(`the rate of ${JSON.stringify(currency)} stands outside a day, or twice in it`)
    }
    day.set(currency, rate)
  }
  return Result.succeed(day)
}

/** The rates of each day. The tags of the document must be nested correctly. */
const daysOf = (events: ReadonlyArray<Xml.Event>): Result.Result<ReadonlyMap<string, Day>, NoTable> =>
  Result.gen(function*() {
    const days = new Map<string, Day>()
    const openDays: Array<Day | undefined> = []
    for (const [at, event] of events.entries()) {
      if (event._tag === "Doctype") return yield* failed("it has a document type")
      const isAlone = events[at - 1]?._tag === "StartElement" && events[at + 1]?._tag === "EndElement"
      if (event._tag === "Text" && event.text.trim() !== "" && !isAlone) return yield* failed("text stands beside an element")
      if (event._tag === "EndElement") openDays.pop()
      if (event._tag === "StartElement") {
        const day = openDays.at(-1)
        openDays.push(event.name === "Cube" ? yield* enterCube(event.attributes, days, day) : day)
      }
    }
    return days
  })

const eventsOf = (text: string) =>
  Stream.make(text).pipe(
    Stream.pipeThroughChannel(Xml.decodeString()),
    Stream.runCollect,
    Effect.mapError(({ message }) => new NoTable({ message: `This is no file of reference rates: ${message}.` }))
  )

const isRate = (decimal: string): boolean => Result.isSuccess(Result.try(() => ratioOf(decimal)))

const knownCurrencies: ReadonlySet<string> = new Set(currencies)

/** The table of the newest day. Currencies that the service does not know, such as withdrawn ones, are left out. */
export const readReferenceRates = (text: string): Effect.Effect<RateTable, NoTable> =>
  Effect.flatMap(eventsOf(text), (events) => Effect.fromResult(tableOf(events)))

const tableOf = (events: ReadonlyArray<Xml.Event>): Result.Result<RateTable, NoTable> =>
  Result.gen(function*() {
    const days = yield* daysOf(events)
    const date = Array.from(days.keys()).sort().at(-1)
    const rates = date === undefined ? undefined : days.get(date)
    if (date === undefined || rates === undefined || rates.size === 0) return yield* failed("it has no day with rates")
    for (const [currency, rate] of rates) {
      if (!isRate(rate)) {
        return yield* failed(`the rate of ${JSON.stringify(currency)} is ${JSON.stringify(rate)}, and no decimal above zero`)
      }
    }
    const units = Object.fromEntries(Array.from(rates).filter(([currency]) => knownCurrencies.has(currency)))
    return { date, source: "European Central Bank, euro foreign exchange reference rates", units: { EUR: "1", ...units } }
  })
