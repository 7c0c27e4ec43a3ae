/**
 * The accounting rules, written out by hand and apart from the table of routes that they judge: every way in which an
 * event may move an amount of 1,000.
 */
import type { Entry } from "@svc/kernel/road/decision"
import type { RouteName } from "./routes.ts"

/** The event types of the contract, in its order. */
export const contractEventTypes = [
  "payment_authorized",
  "payment_captured",
  "payment_refunded",
  "payment_failed",
  "fee_charged",
  "fee_refunded",
  "settlement_queued",
  "settlement_completed",
  "settlement_failed",
  "conversion_executed",
  "quote_generated",
  "dispute_opened",
  "dispute_won",
  "dispute_lost",
  "dispute_accepted",
  "dispute_expired",
  "reserve_held",
  "reserve_released",
  "reserve_forfeited",
  "payout_initiated",
  "payout_completed",
  "payout_failed",
  "payout_cancelled",
  "payout_returned",
  "orchestration_leg_debit",
  "orchestration_leg_credit",
  "orchestration_leg_reversed",
  "gift_card_issued",
  "gift_card_loaded",
  "gift_card_redeemed"
]

/** What is asked of `post`: the route and, where it is said, how much moves through pending. */
type Asked = RouteName | readonly [route: RouteName, through_pending: number]

type Line = readonly [
  asked: Asked,
  event_type: string,
  direction: "debit" | "credit",
  available: number,
  pending: number,
  reserved: number,
  counter_account: string,
  counter_delta: number
]

const lines: ReadonlyArray<Line> = [
  ["payment_authorized", "payment_authorized", "credit", 0, 0, 0, "MEMO", 0],
  ["payment_failed", "payment_failed", "debit", 0, 0, 0, "MEMO", 0],
  ["payment_captured", "payment_captured", "credit", 0, 1_000, 0, "P.rail_clearing", -1_000],
  // Of a payment from pending; of a dispute or a payout from available; of a tool call paid by credits from nowhere.
  ["fee_charged", "fee_charged", "debit", 0, -1_000, 0, "P.fees", 1_000],
  [["fee_charged", 1_000], "fee_charged", "debit", 0, -1_000, 0, "P.fees", 1_000],
  [["fee_charged", 0], "fee_charged", "debit", -1_000, 0, 0, "P.fees", 1_000],
  ["fee_charged/credits", "fee_charged", "debit", 0, 0, 0, "MEMO", 0],
  // Into the bucket that it came from.
  ["fee_refunded", "fee_refunded", "credit", 0, 1_000, 0, "P.fees", -1_000],
  [["fee_refunded", 1_000], "fee_refunded", "credit", 0, 1_000, 0, "P.fees", -1_000],
  [["fee_refunded", 0], "fee_refunded", "credit", 1_000, 0, 0, "P.fees", -1_000],
  ["settlement_queued", "settlement_queued", "credit", 0, 0, 0, "MEMO", 0],
  ["settlement_completed", "settlement_completed", "credit", 1_000, -1_000, 0, "", 0],
  ["settlement_failed", "settlement_failed", "debit", 0, 0, 0, "MEMO", 0],
  // What is not settled comes out of pending, the rest out of available.
  ["payment_refunded", "payment_refunded", "debit", 0, -1_000, 0, "P.rail_clearing", 1_000],
  [["payment_refunded", 1_000], "payment_refunded", "debit", 0, -1_000, 0, "P.rail_clearing", 1_000],
  [["payment_refunded", 400], "payment_refunded", "debit", -600, -400, 0, "P.rail_clearing", 1_000],
  [["payment_refunded", 0], "payment_refunded", "debit", -1_000, 0, 0, "P.rail_clearing", 1_000],
  ["conversion_executed/source", "conversion_executed", "debit", 0, -1_000, 0, "P.fx", 1_000],
  ["conversion_executed/target", "conversion_executed", "credit", 0, 1_000, 0, "P.fx", -1_000],
  // Undone by a refund or a dispute.
  ["conversion_executed/taken_back", "conversion_executed", "debit", 0, -1_000, 0, "P.fx", 1_000],
  [["conversion_executed/taken_back", 400], "conversion_executed", "debit", -600, -400, 0, "P.fx", 1_000],
  [["conversion_executed/taken_back", 0], "conversion_executed", "debit", -1_000, 0, 0, "P.fx", 1_000],
  ["conversion_executed/given_back", "conversion_executed", "credit", 0, 1_000, 0, "P.fx", -1_000],
  [["conversion_executed/given_back", 0], "conversion_executed", "credit", 1_000, 0, 0, "P.fx", -1_000],
  ["quote_generated", "quote_generated", "credit", 0, 0, 0, "MEMO", 0],
  ["dispute_opened", "dispute_opened", "debit", -1_000, 0, 1_000, "", 0],
  ["dispute_won", "dispute_won", "credit", 1_000, 0, -1_000, "", 0],
  ["dispute_lost", "dispute_lost", "debit", 0, 0, -1_000, "P.rail_clearing", 1_000],
  ["dispute_accepted", "dispute_accepted", "debit", 0, 0, -1_000, "P.rail_clearing", 1_000],
  ["dispute_expired", "dispute_expired", "debit", 0, 0, -1_000, "P.rail_clearing", 1_000],
  ["reserve_held", "reserve_held", "debit", -1_000, 0, 1_000, "", 0],
  ["reserve_released", "reserve_released", "credit", 1_000, 0, -1_000, "", 0],
  ["reserve_forfeited", "reserve_forfeited", "debit", 0, 0, -1_000, "P.recoveries", 1_000],
  ["payout_initiated", "payout_initiated", "debit", -1_000, 0, 1_000, "", 0],
  ["payout_completed", "payout_completed", "debit", 0, 0, -1_000, "P.bank", 1_000],
  ["payout_failed", "payout_failed", "credit", 1_000, 0, -1_000, "", 0],
  ["payout_cancelled", "payout_cancelled", "credit", 1_000, 0, -1_000, "", 0],
  ["payout_returned", "payout_returned", "credit", 1_000, 0, 0, "P.bank", -1_000],
  ["orchestration_leg_debit", "orchestration_leg_debit", "debit", 0, 0, 0, "MEMO", 0],
  ["orchestration_leg_credit", "orchestration_leg_credit", "credit", 0, 0, 0, "MEMO", 0],
  ["orchestration_leg_reversed", "orchestration_leg_reversed", "debit", 0, 0, 0, "MEMO", 0],
  ["gift_card_issued", "gift_card_issued", "credit", 0, 0, 0, "MEMO", 0],
  ["gift_card_loaded", "gift_card_loaded", "debit", 0, -1_000, 1_000, "", 0],
  [["gift_card_loaded", 1_000], "gift_card_loaded", "debit", 0, -1_000, 1_000, "", 0],
  [["gift_card_loaded", 0], "gift_card_loaded", "debit", -1_000, 0, 1_000, "", 0],
  ["gift_card_redeemed", "gift_card_redeemed", "credit", 1_000, 0, -1_000, "", 0]
]

export const posting = { amount: 1_000, currency: "USD", resource_type: "payment_intent", resource_id: "pi_1" }

/** Every posting of 1,000, and the entry that it makes. */
export const accounting = lines.map(
  ([asked, event_type, direction, delta_available, delta_pending, delta_reserved, counter_account, counter_delta]) => {
    const [route, through_pending] = typeof asked === "string" ? [asked, undefined] : asked
    const entry: Entry = {
      ...posting,
      event_type,
      direction,
      delta_available,
      delta_pending,
      delta_reserved,
      counter_account,
      counter_delta
    }
    return { name: through_pending === undefined ? route : `${route}, ${through_pending} through pending`, route, through_pending, entry }
  }
)

const counterAccounts = ["P.rail_clearing", "P.bank", "P.fees", "P.fx", "P.recoveries", "MEMO", "", "P.elsewhere"]

const buckets = ["delta_available", "delta_pending", "delta_reserved"] as const

/** The entry with tenths of what moves through one bucket moved through another: all of it, a part, more than it, less than nothing. */
const misplaced = (entry: Entry): ReadonlyArray<Entry> =>
  buckets.flatMap((from) =>
    buckets.filter((to) => to !== from && entry[from] !== 0).flatMap((to) =>
      [10, 4, 14, -4].map((tenths) => {
        const shifted = entry[from] * tenths / 10
        return { ...entry, [from]: entry[from] - shifted, [to]: entry[to] + shifted }
      })
    )
  )

/** Changes of one kind each, in an entry that follows its route. */
const wrongs = (entry: Entry): ReadonlyArray<readonly [what: string, wrong: Entry]> => [
  ...misplaced(entry).map((wrong) => ["another bucket", wrong] as const),
  ...buckets.filter((bucket) => entry[bucket] !== 0).flatMap((bucket) => [
    ["another sign", { ...entry, [bucket]: -entry[bucket] }] as const,
    ["another sign, balanced", { ...entry, [bucket]: -entry[bucket], counter_delta: entry.counter_delta + 2 * entry[bucket] }] as const,
    ["nothing moved", { ...entry, [bucket]: 0 }] as const
  ]),
  ...buckets.flatMap((bucket) => [
    ["one more moved", { ...entry, [bucket]: entry[bucket] + 1 }] as const,
    ["one more moved, balanced", { ...entry, [bucket]: entry[bucket] + 1, counter_delta: entry.counter_delta - 1 }] as const
  ]),
  ...counterAccounts.filter((account) => account !== entry.counter_account).map((counter_account) =>
    ["another account", { ...entry, counter_account }] as const
  ),
  ["another sum", { ...entry, counter_delta: entry.counter_delta + 1 }],
  ["another direction", { ...entry, direction: entry.direction === "debit" ? "credit" : "debit" }],
  ["another event", { ...entry, event_type: `${entry.event_type}_imagined` }],
  ["no amount", { ...entry, amount: -1_000 }]
]

const moves = ({ counter_account, counter_delta, delta_available, delta_pending, delta_reserved, direction, event_type }: Entry): string =>
  [event_type, direction, delta_available, delta_pending, delta_reserved, counter_account, counter_delta].join()

const right = new Set(accounting.map(({ entry }) => moves(entry)))
/** What comes out of both buckets in any proportion, and against which account: what only moves it between the two is right. */
const mixed: ReadonlyMap<string, string> = new Map([["payment_refunded", "P.rail_clearing"], ["conversion_executed", "P.fx"]])
const isMixed = (
  { counter_account, counter_delta, delta_available, delta_pending, delta_reserved, direction, event_type }: Entry
): boolean =>
  mixed.get(event_type) === counter_account && direction === "debit" && counter_delta === 1_000 &&
  delta_available <= 0 && delta_pending <= 0 && delta_reserved === 0 && delta_available + delta_pending === -1_000

/** Every route with one thing wrong, such as the bucket, the sign, the account or the direction. */
export const wrongEntries: ReadonlyArray<readonly [name: string, wrong: Entry]> = accounting.flatMap(({ entry, name }) =>
  wrongs(entry)
    .filter(([, wrong]) => wrong.amount !== 1_000 || !(right.has(moves(wrong)) || isMixed(wrong)))
    .map(([what, wrong]) => [`${name}: ${what}`, wrong] as const)
)
