/** What this package brings: the gate before the tools, and what pays there. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { callStatus } from "./call-status/resource.ts"
import { creditPurchases } from "./credit-purchases/resource.ts"
import { paidCalls } from "./paid-calls/resource.ts"
import { toolCalls } from "./tool-calls/resource.ts"
import { usage } from "./usage/resource.ts"

export const paywall = pipe(creditPurchases, and(paidCalls), and(callStatus), and(usage))

/** What merchants are shown of it, on the payments API. */
export const paywallForMerchants = toolCalls
