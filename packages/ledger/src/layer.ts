/** What this package brings: the books, and the proof that they are right. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { balances } from "./balances/resource.ts"
import { checkpoints } from "./checkpoints/resource.ts"
import { ledgerExport } from "./export/resource.ts"
import { financialEvents } from "./financial-events/resource.ts"
import { volume } from "./volume/resource.ts"

export const ledger = pipe(financialEvents, and(balances), and(checkpoints), and(ledgerExport), and(volume))

/** What the commit road writes entries with. */
export { layer as journal } from "./financial-events/journal.ts"
