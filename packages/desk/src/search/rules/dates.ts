/** Reads days and months as people write them, in UTC: `2026-03-04`, `4 March 2026`, `yesterday`, `March`. */
import { locales } from "@svc/design/locale"
import { DateTime, Option } from "effect"
import type { TimeReading } from "../model.ts"

/** The number of a month by its name, long and short, in the languages of the pages. */
const months: ReadonlyMap<string, number> = new Map(
  locales.flatMap((locale) =>
    (["long", "short"] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, n) => {
        const name = DateTime.formatIntl(
          DateTime.makeUnsafe({ year: 2026, month: n + 1, day: 1 }),
          new Intl.DateTimeFormat(locale, { month, timeZone: "UTC" })
        )
        return [name.toLowerCase().replace(/\.$/u, ""), n + 1] as const
      })
    )
  )
)

const two = (n: number): string => String(n).padStart(2, "0")

/** The first moment of a day; undefined for the 30th of February. */
const startOf = (year: number, month: number, day: number): DateTime.Utc | undefined => {
  const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`
  const at = Option.getOrUndefined(DateTime.make(`${text}T00:00:00Z`))
  return at !== undefined && DateTime.formatIsoDateUtc(at) === text ? DateTime.toUtc(at) : undefined
}

const spanning = (from: DateTime.Utc | undefined, parts: { readonly days: number } | { readonly months: number }) =>
  from === undefined ? [] : [{ from: from.epochMilliseconds, to: DateTime.add(from, parts).epochMilliseconds }]

/** A day, or a month where there is none. Without a year it is the last one that has begun. */
const timesOf = (at: DateTime.Utc, year: string | undefined, month: number | undefined, day?: string): ReadonlyArray<TimeReading> => {
  if (month === undefined) return []
  const span = (of: number) => spanning(startOf(of, month, Number(day ?? 1)), day === undefined ? { months: 1 } : { days: 1 })
  if (year !== undefined) return span(Number(year))
  const present = DateTime.getPartUtc(at, "year")
  return [present, present - 1].flatMap(span).filter(({ from }) => from <= at.epochMilliseconds).slice(0, 1)
}

type Form = readonly [pattern: RegExp, times: (at: DateTime.Utc, found: ReadonlyArray<string | undefined>) => ReadonlyArray<TimeReading>]

const byName = (name: string | undefined): number | undefined => months.get(name ?? "")

const forms: ReadonlyArray<Form> = [
  [/^today$/u, (at) => spanning(DateTime.startOf(at, "day"), { days: 1 })],
  [/^yesterday$/u, (at) => spanning(DateTime.subtract(DateTime.startOf(at, "day"), { days: 1 }), { days: 1 })],
  [/^this month$/u, (at) => spanning(DateTime.startOf(at, "month"), { months: 1 })],
  [/^last month$/u, (at) => spanning(DateTime.subtract(DateTime.startOf(at, "month"), { months: 1 }), { months: 1 })],
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/u, (at, [year, _, month, day]) => timesOf(at, year, Number(month), day)],
  [/^(\d{4})[-/](\d{1,2})$/u, (at, [year, month]) => timesOf(at, year, Number(month))],
  [/^(\d{1,2})\/(\d{4})$/u, (at, [month, year]) => timesOf(at, year, Number(month))],
  // Some write the day first, some the month.
  [/^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/u, (at, [day, _, month, year]) => timesOf(at, year, Number(month), day)],
  [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/u, (at, [month, day, year]) => month === day ? [] : timesOf(at, year, Number(month), day)],
  [/^(\d{4})年 ?(\d{1,2})月(?: ?(\d{1,2})日)?$/u, (at, [year, month, day]) => timesOf(at, year, Number(month), day)],
  [
    /^(\d{1,2})(?:st|nd|rd|th|\.)? (?:de |of )?(\p{L}+)\.?(?:,? (?:de )?(\d{4}))?$/u,
    (at, [day, name, year]) => timesOf(at, year, byName(name), day)
  ],
  [/^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/u, (at, [name, day, year]) => timesOf(at, year, byName(name), day)],
  [/^(\p{L}+)\.?(?: (?:de )?(\d{4}))?$/u, (at, [name, year]) => timesOf(at, year, byName(name))]
]

export const timesIn = (text: string, at: DateTime.Utc): ReadonlyArray<TimeReading> => {
  const words = text.toLowerCase()
  return forms.flatMap(([pattern, times]) => {
    const [whole, ...found] = pattern.exec(words) ?? []
    return whole === undefined ? [] : times(at, found)
  })
}
