/**
 * Reads the euro foreign exchange reference rates as the European Central Bank publishes them every working day at about 16:00 in Frankfurt:
 * `eurofxref-daily.xml`, and `eurofxref-hist-90d.xml`, which has the same form and more days. Of either the newest day counts.
 *
 *     <gesmes:Envelope …><Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.1561'/>…</Cube></Cube></gesmes:Envelope>
 *
 * The form is fixed and has neither entities nor text that matters, so it is read as it is written (docs/decisions/0045): tags that nest, with
 * quoted attributes. A document type, an entity, or anything else that such a file has no need of is refused.
 */
import { currencies } from "@svc/kernel/currency"
import { Data, Result } from "effect"
import { ratioOf, type RateTable } from "./model.ts"

/** The text is no table of rates. */
export class NoTable extends Data.TaggedError("NoTable")<{ readonly message: string }> {}

interface Tag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly closes: boolean
  readonly empty: boolean
}

const SKIPPED = String.raw`\s+|<\?xml[^<>]*\?>|<!--(?:(?!--)[\s\S])*-->`
const TAG = String.raw`<(?<slash>/?)(?<name>[A-Za-z_][\w:.-]*)(?<attributes>(?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:'[^'<&]*'|"[^"<&]*"))*)\s*(?<empty>/?)>`
const TEXT = String.raw`[^<>&\s][^<>&]*`
const ATTRIBUTE = /([A-Za-z_][\w:.-]*)\s*=\s*(?:'([^']*)'|"([^"]*)")/gu

const failed = (message: string) => Result.fail(new NoTable({ message: `This is no file of reference rates: ${message}.` }))

/** The tags of the text in order; text between them says who publishes it, and is passed over. */
const tagsOf = (text: string): Result.Result<ReadonlyArray<Tag>, NoTable> => {
  const next = new RegExp(`${SKIPPED}|${TAG}|${TEXT}`, "gyu")
  const tags: Array<Tag> = []
  // A byte order mark is no part of the text.
  next.lastIndex = text.startsWith("\uFEFF") ? 1 : 0
  while (next.lastIndex < text.length) {
    const from = next.lastIndex
    const found = next.exec(text)
    if (found === null) return failed(`${JSON.stringify(text.slice(from, from + 30))}, at character ${from + 1}, is not part of its form`)
    const { attributes = "", empty, name, slash } = found.groups ?? {}
    if (name === undefined) continue
    tags.push({ name, closes: slash === "/", empty: empty === "/", attributes: new Map(Array.from(attributes.matchAll(ATTRIBUTE), ([, key = "", one, other]) => [key, one ?? other ?? ""])) })
  }
  return Result.succeed(tags)
}

const DAY = /^\d{4}-\d\d-\d\d$/

const isDay = (text: string): boolean => DAY.test(text) && new Date(`${text}T00:00:00.000Z`).toJSON()?.startsWith(text) === true

/** The rates of each day. Tags must nest, and rates stand in a day. */
const daysOf = (tags: ReadonlyArray<Tag>): Result.Result<ReadonlyMap<string, Map<string, string>>, NoTable> => {
  const open: Array<{ readonly name: string; readonly day: Map<string, string> | undefined }> = []
  const days = new Map<string, Map<string, string>>()
  for (const { attributes, closes, empty, name } of tags) {
    if (closes) {
      if (open.pop()?.name !== name) return failed(`</${name}> closes what is not open`)
      continue
    }
    let day = open.at(-1)?.day
    const time = attributes.get("time")
    if (name === "Cube" && time !== undefined) {
      if (!isDay(time) || days.has(time)) return failed(`${JSON.stringify(time)} is no day, or is there twice`)
      days.set(time, day = new Map())
    }
    const [currency, rate] = [attributes.get("currency"), attributes.get("rate")]
    if (name === "Cube" && currency !== undefined && rate !== undefined) {
      if (day === undefined || day.has(currency)) return failed(`the rate of ${JSON.stringify(currency)} stands outside a day, or twice in it`)
      day.set(currency, rate)
    }
    if (!empty) open.push({ name, day })
  }
  return open.length === 0 ? Result.succeed(days) : failed(`<${open.at(-1)?.name}> is not closed: it was cut off`)
}

const isRate = (decimal: string): boolean => Result.isSuccess(Result.try(() => ratioOf(decimal)))

const known: ReadonlySet<string> = new Set(currencies)

/** The table of the newest day. Currencies that are none here, such as one that was withdrawn, are left out. */
export const readReferenceRates = (text: string): Result.Result<RateTable, NoTable> =>
  Result.gen(function*() {
    const days = yield* daysOf(yield* tagsOf(text))
    const date = Array.from(days.keys()).sort().at(-1)
    const rates = date === undefined ? undefined : days.get(date)
    if (date === undefined || rates === undefined || rates.size === 0) return yield* failed("it has no day with rates")
    for (const [currency, rate] of rates) if (!isRate(rate)) return yield* failed(`the rate of ${JSON.stringify(currency)} is ${JSON.stringify(rate)}, and no decimal above zero`)
    const units = Object.fromEntries(Array.from(rates).filter(([currency]) => known.has(currency)))
    return { date, source: "European Central Bank, euro foreign exchange reference rates", units: { EUR: "1", ...units } }
  })
