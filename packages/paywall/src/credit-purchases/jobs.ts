/** What of purchases happens without a request. */
import { Effect } from "effect"
import { DUE } from "./model.ts"
import { CreditPurchases } from "./service/purchases.ts"

export const creditPurchaseJobs = Effect.map(CreditPurchases, ({ proceed }) => new Map([[DUE, proceed]]))
