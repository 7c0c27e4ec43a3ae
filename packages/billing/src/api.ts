/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { BillingCyclesGroup } from "./billing-cycles/api.ts"
import { CustomersGroup } from "./customers/api.ts"
import { InvoicesGroup } from "./invoices/api.ts"
import { MetricsGroup } from "./metrics/api.ts"
import { OrdersGroup } from "./orders/api.ts"
import { PlansGroup } from "./plans/api.ts"
import { SubscriptionsGroup } from "./subscriptions/api.ts"
import { SubscriptionChangesGroup } from "./subscriptions/api/changes.ts"

export const contract = HttpApi.make("svc")
  .add(PlansGroup)
  .add(CustomersGroup)
  .add(SubscriptionsGroup)
  .add(SubscriptionChangesGroup)
  .add(BillingCyclesGroup)
  .add(InvoicesGroup)
  .add(OrdersGroup)
  .add(MetricsGroup)
