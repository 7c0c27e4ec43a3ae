/** What this package brings: taking a customer's money. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { approvals } from "./approvals/resource.ts"
import { conversions } from "./conversions/resource.ts"
import { disputes } from "./disputes/resource.ts"
import { files } from "./files/resource.ts"
import { giftCards } from "./gift-cards/resource.ts"
import { paymentIntents } from "./payment-intents/resource.ts"
import { paymentMethods } from "./payment-methods/resource.ts"
import { quotes } from "./quotes/resource.ts"
import { railBooks } from "./rail-books/resource.ts"
import { secondLooks } from "./second-looks/resource.ts"
import { settlements } from "./settlements/resource.ts"

export const payments = pipe(
  railBooks,
  and(paymentMethods),
  and(quotes),
  and(secondLooks),
  and(paymentIntents),
  and(conversions),
  and(settlements),
  and(files),
  and(disputes),
  and(approvals),
  and(giftCards)
)
