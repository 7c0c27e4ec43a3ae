/** What this package brings: what is sold again and again, to whom, and what is owed for it. */
import { nothing } from "@svc/kernel/part"

export const billing = nothing
