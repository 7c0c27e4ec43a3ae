/** What this package brings: what is sold again and again, to whom, and what is owed for it. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { billingCycles } from "./billing-cycles/resource/resource.ts"
import { customers } from "./customers/resource.ts"
import { invoices } from "./invoices/resource/resource.ts"
import { metrics } from "./metrics/resource.ts"
import { orders } from "./orders/resource.ts"
import { plans } from "./plans/resource.ts"
import { subscriptions } from "./subscriptions/resource/resource.ts"

export const billing = pipe(
  plans,
  and(customers),
  and(orders),
  and(billingCycles),
  and(subscriptions),
  and(invoices),
  and(metrics)
)
