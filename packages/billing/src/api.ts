/** What this package promises. The SDK imports this and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { CustomersGroup } from "./customers/api.ts"
import { MetricsGroup } from "./metrics/api.ts"
import { PlansGroup } from "./plans/api.ts"

export const contract = HttpApi.make("svc")
  .add(PlansGroup)
  .add(CustomersGroup)
  .add(MetricsGroup)
