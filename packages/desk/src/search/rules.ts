/** How a text is understood, as what it may be; and which hits of all readings are shown. Pure. */
import type { DateTime } from "effect"
import { matches, MOST_HITS, type Reading, type SearchHit } from "./model.ts"
import { kindOf, type SearchKind, searchKinds } from "./model/kinds.ts"
import { nameWordsIn } from "./model/names.ts"
import { amountsIn } from "./rules/amounts.ts"
import { timesIn } from "./rules/dates.ts"

const byPrefix: ReadonlyMap<string, SearchKind> = new Map(searchKinds.map((name) => [kindOf(name).prefix, name]))

/** Characters of an id after its prefix. */
const ULID_CHARS = 26
const ID = /^([a-z]+)_([0-9a-hjkmnp-tv-z]{1,26})$/iu

const idIn = (text: string): ReadonlyArray<Reading> => {
  const [, prefix = "", found = ""] = ID.exec(text) ?? []
  const [kind, rest] = [byPrefix.get(prefix.toLowerCase()), found.toUpperCase()]
  if (kind === undefined) return []
  const idOf = (fill: string) => `${prefix.toLowerCase()}_${rest.padEnd(ULID_CHARS, fill)}`
  return rest.length === ULID_CHARS
    ? [{ by: "id", kind, id: idOf("") }]
    : [{ by: "id_beginning", ids: { kind, from: idOf("0"), to: idOf("Z") } }]
}

const EMAIL = /^[^\s@]+@[^\s@]+$/u

/** `4242`, `•4242`, `**** 4242`, `visa 4242`. */
const LAST_FOUR = /^(?:(?:visa|mastercard|amex|card|iban|ending|in) )*[•·*.x -]*(\d{4})$/iu

/** All that a text may be, the most plausible first. Any text may be a reference: those are somebody else's words. */
export const readingsOf = (typed: string, at: DateTime.Utc): ReadonlyArray<Reading> => {
  const text = typed.trim()
  // Digits and signs of full width, and spaces of all kinds, as most people type them.
  const plain = text.normalize("NFKC").replaceAll(/\s+/gu, " ").trim()
  const [, digits] = LAST_FOUR.exec(plain) ?? []
  const [ids, times, amounts] = [idIn(plain), timesIn(plain, at), amountsIn(plain)]
  const words = ids.length > 0 || text.includes("@") ? [] : nameWordsIn(plain)
  const readings: ReadonlyArray<Reading> = text === "" ? [] : [
    ...ids,
    ...EMAIL.test(text) ? [{ by: "email", text } as const] : [],
    { by: "invoice_number", texts: Array.from(new Set([text, text.toUpperCase()])) },
    { by: "customer_reference", text },
    { by: "provider_reference", text },
    { by: "order_reference", text },
    ...words.length === 0 ? [] : [{ by: "name", words } as const],
    ...digits === undefined ? [] : [{ by: "last_four", digits } as const],
    ...times.length === 0 ? [] : [{ by: "date", times } as const],
    ...amounts.length === 0 ? [] : [{ by: "amount", amounts } as const]
  ]
  return readings.toSorted((one, other) => matches.indexOf(one.by) - matches.indexOf(other.by))
}

/**
 * Hits of the most plausible reading first, each thing once. Where readings have more than are shown together, each shows as many as the
 * others leave over, so that none hides another.
 */
export const shownOf = (found: ReadonlyArray<ReadonlyArray<SearchHit>>): ReadonlyArray<SearchHit> => {
  const seen = new Set<string>()
  const groups = found.map((hits) => hits.filter(({ id }) => !seen.has(id) && seen.add(id))).filter((hits) => hits.length > 0)
  const share = Math.floor(MOST_HITS / Math.max(groups.length, 1))
  let spare = MOST_HITS - groups.reduce((used, hits) => used + Math.min(hits.length, share), 0)
  return groups.flatMap((hits) => {
    const more = Math.min(spare, Math.max(hits.length - share, 0))
    spare -= more
    return hits.slice(0, share + more)
  })
}
