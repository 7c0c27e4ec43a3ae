/** From a decision about a customer to what a commit writes. */
import type { Addition } from "@svc/kernel/road/decision"
import { customers, defaultMethodChanged } from "./model.ts"
import type { CustomerDecision } from "./rules.ts"

type Written = Pick<Required<Addition>, "writes" | "events" | "moments">

const joined = <A>(one: ReadonlyArray<A> = [], other: ReadonlyArray<A> = []): ReadonlyArray<A> => [...one, ...other]

/** What both write. Neither sets timers, moves money or asks for anything. */
export const joinedAdditions = (one: Addition, other: Addition): Written => ({
  writes: joined(one.writes, other.writes),
  events: joined(one.events, other.events),
  moments: joined(one.moments, other.moments)
})

const momentsOf = ({ before, customer }: CustomerDecision) =>
  customer.default_payment_method_id === before ? [] : [defaultMethodChanged.of({ customer, before })]

/** What a commit writes of a customer, and what follows it. Customers have no events of their own. */
export const additionOf = (decision: CustomerDecision): Pick<Required<Addition>, "writes" | "moments"> => ({
  writes: [customers.write(decision.customer)],
  moments: momentsOf(decision)
})

/** What a commit of the customer writes besides the customer itself. */
export const additionWith = (decision: CustomerDecision, claimed: Addition): Written =>
  joinedAdditions({ moments: momentsOf(decision) }, claimed)
