/**
 * What each event of the ledger does to a merchant's three buckets, and which platform account
 * stands against it. `pending` is captured and not yet settled, `available` is usable, `reserved`
 * is held for disputes, reserves, payouts under way and gift cards. Each event is one balanced
 * journal transaction; there is no route beside these.
 */
import type { Entry } from "@svc/kernel/road/decision"

/** The platform's accounts: assets P.rail_clearing and P.bank, income P.fees, P.fx, P.recoveries. */
export const counterAccounts = ["P.rail_clearing", "P.bank", "P.fees", "P.fx", "P.recoveries", "MEMO", ""] as const
export type CounterAccount = typeof counterAccounts[number]

/** How an amount moves: the part of `amount` that each bucket gains (+1) or loses (-1). */
interface Route {
  readonly counter: CounterAccount
  readonly direction: "debit" | "credit"
  readonly available?: 1 | -1
  readonly pending?: 1 | -1
  readonly reserved?: 1 | -1
  /** The amount moves through pending or through available, as the posting says. */
  readonly split?: 1 | -1
  /** A split amount may also move partly through one and partly through the other. */
  readonly mixed?: true
}

const memo = (direction: Route["direction"]): Route => ({ counter: "MEMO", direction })

export const routes = {
  payment_authorized: memo("credit"),
  payment_failed: memo("debit"),
  payment_captured: { counter: "P.rail_clearing", direction: "credit", pending: 1 },
  fee_charged: { counter: "P.fees", direction: "debit", split: -1 },
  fee_refunded: { counter: "P.fees", direction: "credit", split: 1 },
  settlement_queued: memo("credit"),
  settlement_completed: { counter: "", direction: "credit", available: 1, pending: -1 },
  settlement_failed: memo("debit"),
  payment_refunded: { counter: "P.rail_clearing", direction: "debit", split: -1, mixed: true },
  conversion_executed: { counter: "P.fx", direction: "debit", pending: -1 },
  quote_generated: memo("credit"),
  dispute_opened: { counter: "", direction: "debit", available: -1, reserved: 1 },
  dispute_won: { counter: "", direction: "credit", available: 1, reserved: -1 },
  dispute_lost: { counter: "P.rail_clearing", direction: "debit", reserved: -1 },
  dispute_accepted: { counter: "P.rail_clearing", direction: "debit", reserved: -1 },
  dispute_expired: { counter: "P.rail_clearing", direction: "debit", reserved: -1 },
  reserve_held: { counter: "", direction: "debit", available: -1, reserved: 1 },
  reserve_released: { counter: "", direction: "credit", available: 1, reserved: -1 },
  reserve_forfeited: { counter: "P.recoveries", direction: "debit", reserved: -1 },
  payout_initiated: { counter: "", direction: "debit", available: -1, reserved: 1 },
  payout_completed: { counter: "P.bank", direction: "debit", reserved: -1 },
  payout_failed: { counter: "", direction: "credit", available: 1, reserved: -1 },
  payout_cancelled: { counter: "", direction: "credit", available: 1, reserved: -1 },
  payout_returned: { counter: "P.bank", direction: "credit", available: 1 },
  orchestration_leg_debit: memo("debit"),
  orchestration_leg_credit: memo("credit"),
  orchestration_leg_reversed: memo("debit"),
  gift_card_issued: memo("credit"),
  gift_card_loaded: { counter: "", direction: "debit", split: -1, reserved: 1 },
  gift_card_redeemed: { counter: "", direction: "credit", available: 1, reserved: -1 }
} as const satisfies Record<string, Route>

export type LedgerEventType = keyof typeof routes
export const ledgerEventTypes = Object.keys(routes) as ReadonlyArray<LedgerEventType>

export interface Posting {
  /** Minor units, zero or more. */
  readonly amount: number
  readonly currency: string
  readonly resource_type: string
  readonly resource_id: string
  /** Of a split amount, how much moves through pending; the rest moves through available. Default: all of it. */
  readonly through_pending?: number
}

const times = (sign: 1 | -1 | undefined, amount: number): number => (sign === undefined || amount === 0 ? 0 : sign * amount)

/** The entry of an event. Throws when the posting does not fit the route: that is a defect of the caller's rules. */
export const post = (event_type: LedgerEventType, posting: Posting): Entry => {
  const route: Route = routes[event_type]
  const { amount, currency, resource_id, resource_type } = posting
  const throughPending = route.split === undefined ? 0 : posting.through_pending ?? amount
  const isWhole = throughPending === 0 || throughPending === amount
  if (!Number.isSafeInteger(amount) || amount < 0 || throughPending < 0 || throughPending > amount || !(isWhole || route.mixed)) {
    throw new RangeError(`${event_type}: ${throughPending} of ${amount} through pending is not a posting`)
  }
  const delta_available = times(route.available, amount) + times(route.split, amount - throughPending)
  const delta_pending = times(route.pending, amount) + times(route.split, throughPending)
  const delta_reserved = times(route.reserved, amount)
  const moved = delta_available + delta_pending + delta_reserved
  return {
    event_type,
    direction: route.direction,
    amount,
    currency,
    delta_available,
    delta_pending,
    delta_reserved,
    counter_account: route.counter,
    counter_delta: moved === 0 ? 0 : -moved,
    resource_type,
    resource_id
  }
}
