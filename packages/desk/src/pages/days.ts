/** Volume and balances by day: a picture, and its numbers in a table. Pure. */
import { bars, steps } from "@svc/design/charts/by-day"
import { daysBetween } from "@svc/design/charts/scale"
import { dayInShort, money, moneyInShort, whole } from "@svc/design/format"
import { type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import { DateTime } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { numberAt, objectAt, objectsAt, table } from "./parts.ts"
import { type Json, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

type Page = Pick<Visit, "pageLocale">

/** What the API says of one currency, and the answer that it is part of. */
export interface OfCurrency {
  readonly answer: Json
  readonly of: Json
}

const daysOf = ({ answer }: OfCurrency): ReadonlyArray<string> =>
  daysBetween(textAt(answer, "from").slice(0, 10), textAt(answer, "to").slice(0, 10))

const endsOf = (pageLocale: PageLocale, days: ReadonlyArray<string>): readonly [string, string] => {
  const end = (day: string | undefined) => day === undefined ? "" : dayInShort(pageLocale, DateTime.makeUnsafe(day))
  return [end(days[0]), end(days.at(-1))]
}

/** A picture with its table, by an id that only these have: the script of the page puts what is new in its place. */
const figure = (pageLocale: PageLocale, id: string, picture: Content, numbers: Content): Html => {
  const folded = html`<details><summary>${messagesOf(pageLocale).pictures.numbers}</summary>${numbers}</details>`
  return html`<figure class="figure" id="${id}" data-follows>${picture}${folded}</figure>`
}

const dayCell = (pageLocale: PageLocale, day: string): Html =>
  html`<time datetime="${day}">${dayInShort(pageLocale, DateTime.makeUnsafe(day))}</time>`

export const volumePicture = ({ pageLocale }: Page, asked: OfCurrency): Html => {
  const words = messagesOf(pageLocale).pictures
  const currency = textAt(asked.of, "currency")
  const rows = objectsAt(asked.of, "days")
  const byDay = new Map(rows.map((row) => [textAt(row, "day"), row]))
  const days = daysOf(asked)
  const values = (field: string, sign: 1 | -1) => days.map((day) => sign * numberAt(byDay.get(day) ?? {}, field))
  const sum = (json: Json, field: string) => money(pageLocale, numberAt(json, field), currency)
  const title = words.volume.title(currency)
  const refunds = numberAt(asked.of, "refunded") === 0 ? [] : [{ name: words.refunded, values: values("refunded", -1) }]
  const picture = bars({
    id: `volume-${currency}`,
    title,
    description: words.volume.about(sum(asked.of, "captured"), sum(asked.of, "refunded")),
    series: [{ name: words.captured, values: values("captured", 1) }, ...refunds],
    label: (value) => moneyInShort(pageLocale, value, currency),
    ends: endsOf(pageLocale, days)
  })
  const numbers = table(
    title,
    [
      { name: words.day },
      { name: words.captured, kind: "money" },
      { name: words.refunded, kind: "money" },
      { name: words.payments, kind: "money" }
    ],
    rows.map((row) => [
      dayCell(pageLocale, textAt(row, "day")),
      sum(row, "captured"),
      sum(row, "refunded"),
      whole(pageLocale, numberAt(row, "payments"))
    ])
  )
  return figure(pageLocale, `volume-${currency}-figure`, picture, numbers)
}

/** In the order in which money goes through them. */
const buckets = ["pending", "available", "reserved"] as const

/** What the buckets held at the end of each day: where nothing moved, what they held before. */
const heldOn = (days: ReadonlyArray<string>, of: Json): ReadonlyArray<Json> => {
  const byDay = new Map(objectsAt(of, "days").map((row) => [textAt(row, "day"), row]))
  let held = objectAt(of, "opening")
  return days.map((day) => held = byDay.get(day) ?? held)
}

export const balancesPicture = ({ pageLocale }: Page, asked: OfCurrency): Html => {
  const words = messagesOf(pageLocale).pictures
  const currency = textAt(asked.of, "currency")
  const days = daysOf(asked)
  const held = heldOn(days, asked.of)
  const sum = (json: Json, field: string) => money(pageLocale, numberAt(json, field), currency)
  const title = words.balances.title(currency)
  const last = held.at(-1) ?? {}
  const picture = steps({
    id: `balances-${currency}`,
    title,
    description: words.balances.about(sum(last, "pending"), sum(last, "available"), sum(last, "reserved")),
    series: buckets.map((bucket) => ({ name: words[bucket], values: held.map((one) => numberAt(one, bucket)) })),
    label: (value) => moneyInShort(pageLocale, value, currency),
    ends: endsOf(pageLocale, days)
  })
  const row = (name: Content, json: Json) => [name, ...buckets.map((bucket) => sum(json, bucket))]
  const numbers = table(
    title,
    [{ name: words.day }, ...buckets.map((bucket) => ({ name: words[bucket], kind: "money" as const }))],
    [
      row(words.balances.before, objectAt(asked.of, "opening")),
      ...objectsAt(asked.of, "days").map((one) => row(dayCell(pageLocale, textAt(one, "day")), one))
    ]
  )
  return figure(pageLocale, `balances-${currency}-figure`, picture, numbers)
}
