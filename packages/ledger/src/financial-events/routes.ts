/**
 * What each event of the ledger does to a merchant's three buckets, and which platform account
 * stands against it. `pending` is captured and not yet settled, `available` is usable, `reserved`
 * is held for disputes, reserves, payouts under way and gift cards. Each event is one balanced
 * journal transaction; there is no route beside these.
 *
 * Everything that knows routes reads this table: `post` makes entries by it, `followsRoute` judges rows
 * by it wherever a ledger is verified, `route-check.ts` writes the database's CHECK from it, and
 * `npm run generate` the table of README.md. The rows of every ledger are judged by it for ever, so a
 * route that was released is never changed or removed. A new one is a line here and a line in `migrations.ts`.
 */
import type { Entry } from "@svc/kernel/road/decision"

/** The platform's accounts: assets P.rail_clearing and P.bank, income P.fees, P.fx, P.recoveries. */
export const counterAccounts = ["P.rail_clearing", "P.bank", "P.fees", "P.fx", "P.recoveries", "MEMO", ""] as const
export type CounterAccount = typeof counterAccounts[number]

type Sign = 1 | -1

/** How an amount moves: the part of `amount` that each bucket gains (+1) or loses (-1). */
export interface Route {
  readonly counter: CounterAccount
  readonly direction: "debit" | "credit"
  readonly available?: Sign
  readonly pending?: Sign
  readonly reserved?: Sign
  /** The amount moves through pending or through available, as the posting says. */
  readonly split?: Sign
  /** A split amount may also move partly through one and partly through the other. */
  readonly mixed?: true
}

const memo = (direction: Route["direction"]): Route => ({ counter: "MEMO", direction })

/** By event type. Where an event type has several routes, a word behind a slash tells them apart. */
export const routes = {
  payment_authorized: memo("credit"),
  payment_failed: memo("debit"),
  payment_captured: { counter: "P.rail_clearing", direction: "credit", pending: 1 },
  fee_charged: { counter: "P.fees", direction: "debit", split: -1 },
  // For a tool call that is paid by credits: the money moved when the credits were bought.
  "fee_charged/credits": memo("debit"),
  fee_refunded: { counter: "P.fees", direction: "credit", split: 1 },
  settlement_queued: memo("credit"),
  settlement_completed: { counter: "", direction: "credit", available: 1, pending: -1 },
  settlement_failed: memo("debit"),
  payment_refunded: { counter: "P.rail_clearing", direction: "debit", split: -1, mixed: true },
  // A conversion is two rows: out of pending in one currency, and into pending in another.
  "conversion_executed/source": { counter: "P.fx", direction: "debit", pending: -1 },
  "conversion_executed/target": { counter: "P.fx", direction: "credit", pending: 1 },
  // A conversion that is taken back, or given back, moves its money in whatever bucket the money is by then.
  "conversion_executed/taken_back": { counter: "P.fx", direction: "debit", split: -1, mixed: true },
  "conversion_executed/given_back": { counter: "P.fx", direction: "credit", split: 1 },
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

export type RouteName = keyof typeof routes
export const routeNames = Object.keys(routes) as ReadonlyArray<RouteName>

type EventTypeOf<Name extends string> = Name extends `${infer EventType}/${string}` ? EventType : Name
export type LedgerEventType = EventTypeOf<RouteName>
const eventTypeOf = (name: RouteName): LedgerEventType => name.split("/", 1)[0] as LedgerEventType

/** A route with all that follows from it. */
export interface RouteLeg extends Route {
  readonly event_type: LedgerEventType
  /** What the platform's account gains or loses: as much as the buckets, the other way. */
  readonly counterSign: Sign | undefined
}

const legOf = (name: RouteName): RouteLeg => {
  const route: Route = routes[name]
  const moved = (route.available ?? 0) + (route.pending ?? 0) + (route.reserved ?? 0) + (route.split ?? 0)
  return { ...route, event_type: eventTypeOf(name), counterSign: moved === 0 ? undefined : moved > 0 ? -1 : 1 }
}

// Worked out once: every payment posts four entries, and a check of a ledger judges millions.
export const legs: ReadonlyMap<string, RouteLeg> = new Map(routeNames.map((name) => [name, legOf(name)]))
export const legsOf: ReadonlyMap<string, ReadonlyArray<RouteLeg>> = Map.groupBy(legs.values(), ({ event_type }) => event_type)
export const ledgerEventTypes: ReadonlyArray<LedgerEventType> = Array.from(new Set(routeNames.map(eventTypeOf)))

// Never a negative zero: its text would make another hash.
const signed = (sign: Sign | undefined, amount: number): number => (sign === undefined || amount === 0 ? 0 : sign * amount)
const isAmount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

export interface Posting {
  /** Minor units, zero or more. */
  readonly amount: number
  readonly currency: string
  readonly resource_type: string
  readonly resource_id: string
  /** Of a split amount, how much moves through pending; the rest moves through available. Default: all of it. */
  readonly through_pending?: number
}

const misfit = (name: string, what: string) =>
  new RangeError(`${name} cannot be posted: ${what}. Mend the rule that posts it; the routes are in ledger/financial-events/routes.ts.`)

/** How much of a posting moves through pending. Throws when the route does not allow it. */
const throughPendingOf = (name: RouteName, { mixed, split }: RouteLeg, { amount, through_pending }: Posting): number => {
  if (!isAmount(amount)) throw misfit(name, `an amount of ${amount} is not a whole number from 0 to 2^53 - 1`)
  if (split === undefined) {
    if (through_pending !== undefined) throw misfit(name, "it moves the same buckets always, so through_pending says nothing")
    return 0
  }
  const through = through_pending ?? amount
  if (!isAmount(through) || through > amount) throw misfit(name, `${through} of ${amount} through pending is no part of it`)
  if (mixed !== true && through !== 0 && through !== amount) {
    throw misfit(name, `${through} of ${amount} through pending would take it from two buckets`)
  }
  return through
}

/** The entry of an event. Throws a RangeError when the posting does not fit the route: that is a defect of the caller's rules. */
export const post = (name: RouteName, posting: Posting): Entry => {
  const leg = legs.get(name)
  if (leg === undefined) throw misfit(name, "there is no such route")
  const { amount, currency, resource_id, resource_type } = posting
  const throughPending = throughPendingOf(name, leg, posting)
  return {
    event_type: leg.event_type,
    direction: leg.direction,
    amount,
    currency,
    delta_available: signed(leg.available, amount) + signed(leg.split, amount - throughPending),
    delta_pending: signed(leg.pending, amount) + signed(leg.split, throughPending),
    delta_reserved: signed(leg.reserved, amount),
    counter_account: leg.counter,
    counter_delta: signed(leg.counterSign, amount),
    resource_type,
    resource_id
  }
}

/** What of a row its route decides. */
export interface RouteColumns {
  readonly event_type: string
  readonly direction: string
  readonly amount: number
  readonly delta_available: number
  readonly delta_pending: number
  readonly delta_reserved: number
  readonly counter_account: string
  readonly counter_delta: number
}

const follows = (leg: RouteLeg, row: RouteColumns): boolean => {
  const { amount, delta_available, delta_pending } = row
  if (row.counter_account !== leg.counter || row.direction !== leg.direction) return false
  if (row.counter_delta !== signed(leg.counterSign, amount) || row.delta_reserved !== signed(leg.reserved, amount)) return false
  if (leg.split === undefined) return delta_available === signed(leg.available, amount) && delta_pending === signed(leg.pending, amount)
  const through = delta_pending === 0 ? 0 : leg.split * delta_pending
  return isAmount(through) && through <= amount && (leg.mixed === true || through === 0 || through === amount) &&
    delta_available === signed(leg.split, amount - through)
}

/**
 * Whether a row moves what a route of its event type moves, against that route's account. Such a row balances:
 * each route does. What `post` makes follows its route, and nothing else follows one.
 */
export const followsRoute = (row: RouteColumns): boolean =>
  isAmount(row.amount) && (legsOf.get(row.event_type)?.some((leg) => follows(leg, row)) ?? false)
