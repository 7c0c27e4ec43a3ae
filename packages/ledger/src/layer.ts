/** What this package brings: the books, and the proof that they are right. */
import { and } from "@svc/kernel/part"
import { pipe } from "effect"
import { financialEvents } from "./financial-events/resource.ts"
import { balances } from "./balances/resource.ts"

export const ledger = pipe(financialEvents, and(balances))

/** What the commit road writes entries with. */
export { layer as journal } from "./financial-events/journal.ts"
