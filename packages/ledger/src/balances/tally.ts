/** The balances as the commit road moves them: three buckets a currency, and what must hold of them after each commit. */
import type { Bucket, Commit, Requirement } from "@svc/kernel/road/decision"
import type { Tally, TallyChange, TallyFloor } from "@svc/kernel/road/tally"
import { makeId } from "@svc/kernel/values/ids"

/** What entries move in one currency. */
interface Sums {
  available: number
  pending: number
  reserved: number
}

/** `available` may: by refunds, disputes and fees, which must not fail. */
const NEVER_NEGATIVE = ["pending", "reserved"] as const

const floorsOf = <R>(sums: Sums, requires: ReadonlyArray<Requirement<R>>): ReadonlyArray<TallyFloor<R>> => {
  const floors: Array<TallyFloor<R>> = requires.map(({ at_least, bucket, currency, refusal }) => ({
    number: bucket,
    at_least,
    refusal: (held) => refusal({ currency, bucket, held: held[bucket] ?? 0 })
  }))
  for (const bucket of NEVER_NEGATIVE) if (sums[bucket] < 0) floors.push({ number: bucket, at_least: 0 })
  return floors
}

const turns = <R>({ entries, requires = [] }: Commit<R>): ReadonlyArray<TallyChange<R>> => {
  if (entries.length === 0 && requires.length === 0) return []
  const moved = new Map<string, Sums>(requires.map(({ currency }) => [currency, { available: 0, pending: 0, reserved: 0 }]))
  for (const { currency, delta_available, delta_pending, delta_reserved } of entries) {
    // A memo moves nothing.
    if (delta_available === 0 && delta_pending === 0 && delta_reserved === 0) continue
    const sums = moved.get(currency)
    if (sums === undefined) moved.set(currency, { available: delta_available, pending: delta_pending, reserved: delta_reserved })
    else {
      sums.available += delta_available
      sums.pending += delta_pending
      sums.reserved += delta_reserved
    }
  }
  return Array.from(moved, ([currency, sums]) => ({
    key: { currency },
    id: currency,
    moves: { ...sums },
    floors: floorsOf(sums, requires.filter((required) => required.currency === currency))
  }))
}

export const balances: Tally = {
  table: "balance_accounts",
  key: { currency: "text" },
  numbers: ["available", "pending", "reserved"] satisfies ReadonlyArray<Bucket>,
  computed: {},
  fixed: { columns: { id: "text" }, make: (millis) => ({ id: makeId("ba", millis) }) },
  turns
}
