/** The money of one payment through the buckets, by the entries of the ledger. Pure. */
import { flow, type Movement } from "@svc/design/charts/flow"
import { isolated, money, moneyInShort } from "@svc/design/format"
import { type Html, html } from "@svc/design/html"
import { messagesOf } from "../i18n/messages.ts"
import { inWords, numberAt, table } from "./parts.ts"
import { type Json, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

/** The lanes after that of the world outside, in the order in which money goes through them. */
const buckets = ["pending", "available", "reserved"] as const

const [MOST_MOVEMENTS, MOST_DIGITS] = [12, 12]

/** What each lane gains or loses by an entry. */
const movedBy = (entry: Json): ReadonlyArray<number> => {
  const moved = buckets.map((bucket) => numberAt(entry, `delta_${bucket}`))
  return [-moved.reduce((sum, one) => sum + one, 0), ...moved]
}

/** From each lane that loses to each that gains: on one side there is never more than one. */
const arrowsOf = (moved: ReadonlyArray<number>): Movement["arrows"] =>
  moved.flatMap((lost, from) => lost >= 0 ? [] : moved.flatMap((gained, to) => gained <= 0 ? [] : [[from, to] as const]))

/** What the entries leave in each bucket, by currency. */
export const heldOf = (entries: ReadonlyArray<Json>): ReadonlyArray<readonly [currency: string, held: ReadonlyArray<number>]> =>
  Array.from(Map.groupBy(entries, (entry) => textAt(entry, "currency")), ([currency, of]) => [
    currency,
    buckets.map((bucket) => of.reduce((sum, entry) => sum + numberAt(entry, `delta_${bucket}`), 0))
  ])

/** `entries` are all of the payment, the oldest first. Nothing where no money has moved. */
export const flowPicture = ({ pageLocale }: Pick<Visit, "pageLocale">, entries: ReadonlyArray<Json>): Html | null => {
  const words = messagesOf(pageLocale).pictures
  const moves = entries.filter((entry) => movedBy(entry).some((moved) => moved !== 0))
  if (moves.length === 0) return null
  const last = moves.slice(-MOST_MOVEMENTS)
  const held = heldOf(moves)
  const narrow = (amount: number, currency: string): string => {
    const text = money(pageLocale, amount, currency)
    return text.length > MOST_DIGITS ? moneyInShort(pageLocale, amount, currency) : text
  }
  const picture = flow({
    id: "flow",
    title: words.flow.title,
    description: words.flow.about(moves.length),
    lanes: [words.flow.outside, ...buckets.map((bucket) => words[bucket])],
    movements: last.map((entry) => ({
      text: words.flow.movement(
        inWords({ pageLocale }, textAt(entry, "event_type")),
        isolated(money(pageLocale, numberAt(entry, "amount"), textAt(entry, "currency")))
      ),
      arrows: arrowsOf(movedBy(entry))
    })),
    held: held.map(([currency, amounts]) => [null, ...amounts.map((amount) => narrow(amount, currency))])
  })
  const now = table(
    words.flow.now,
    [{ name: words.currency }, ...buckets.map((bucket) => ({ name: words[bucket], kind: "money" as const }))],
    held.map(([currency, amounts]) => [currency, ...amounts.map((amount) => money(pageLocale, amount, currency))])
  )
  const earlier = moves.length - last.length
  return html`<figure class="figure" id="flow-figure" data-follows>${
    earlier === 0 ? null : html`<p class="quiet">${words.flow.earlier(earlier)}</p>`
  }<div class="card">${picture}</div><figcaption class="quiet">${words.flow.now}</figcaption>${now}</figure>`
}
