/** From a decision about a customer to what a commit writes. */
import type { Addition } from "@svc/kernel/road/decision"
import { type Customer, customers, defaultMethodChanged, encode } from "./model.ts"
import type { CustomerDecision } from "./rules.ts"

/** What a commit writes of a customer, and what follows it. Customers have no events of their own. */
export const additionOf = ({ before, customer }: CustomerDecision): Required<Pick<Addition, "writes" | "moments">> => ({
  writes: [{ table: customers, row: encode(customer).row }],
  moments: customer.default_payment_method_id === before ? [] : [defaultMethodChanged.of({ customer, before })]
})

export const wireOf = (customer: Customer): string => encode(customer).wire
