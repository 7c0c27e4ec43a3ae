/** The routes of this package. A resource joins with a line here, and a line in `layer.ts`. */
import * as HttpApi from "effect/http-api/HttpApi"
import { CallsGroup } from "./call-status/api.ts"
import { CreditPurchasesGroup } from "./credit-purchases/api.ts"
import { ToolCallsGroup } from "./tool-calls/api.ts"
import { UsageGroup } from "./usage/api.ts"

/** On the tool server. */
export const contract = HttpApi.make("tools").add(CallsGroup).add(CreditPurchasesGroup).add(UsageGroup)

/** On the payments API. */
export const merchantContract = HttpApi.make("svc").add(ToolCallsGroup)
