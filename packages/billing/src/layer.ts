/** What this package brings: what is sold again and again, to whom, and what is owed for it. */
import { plans } from "./plans/resource.ts"

export const billing = plans
