/** From a decision about a payout to what a commit writes. */
import type { Commit, KeyWrite, Requirement } from "@svc/kernel/road/decision"
import { encode, type Payout, payouts } from "./model.ts"
import type { PayoutDecision } from "./rules.ts"

export const wireOf = (payout: Payout): string => encode(payout).wire

/** What is written, under which key, and if what holds. */
export interface Writing<out R> {
  readonly cause: string
  readonly key?: KeyWrite
  readonly requires?: ReadonlyArray<Requirement<R>>
}

export const commitOf = <R1, R2 = never>({ clear, counters, entries, payout, set }: PayoutDecision<R1>, { cause, key, requires = [] }: Writing<R2>): Commit<R1 | R2> => ({
  account_id: payout.merchant_id,
  at: payout.updated_at,
  cause,
  writes: [{ table: payouts, row: encode(payout).row }],
  entries,
  events: [],
  set,
  clear,
  counters,
  requires,
  ...(key === undefined ? {} : { key })
})
