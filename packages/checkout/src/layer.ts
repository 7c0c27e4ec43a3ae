/** What this package brings: the pages that a merchant's customers see. */
import { nothing } from "@svc/kernel/part"

export const checkout = nothing
