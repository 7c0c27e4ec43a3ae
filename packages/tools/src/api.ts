/** What the tool server promises besides its tools. A resource joins with one line here, and one in `layer.ts`. */
import * as HttpApi from "effect/http-api/HttpApi"
import { ToolAccountsGroup } from "./accounts/api.ts"
import { AgentsGroup } from "./agents/api.ts"
import { CallsGroup } from "./call-status/api.ts"
import { CreditPurchasesGroup } from "./credit-purchases/api.ts"
import { FeedbackGroup } from "./feedback/api.ts"
import { UsageGroup } from "./usage/api.ts"

export const contract = HttpApi.make("tools")
  .add(ToolAccountsGroup)
  .add(AgentsGroup)
  .add(CallsGroup)
  .add(CreditPurchasesGroup)
  .add(UsageGroup)
  .add(FeedbackGroup)
