/** What of invoices happens without a request. */
import { Effect } from "effect"
import { FINALIZE } from "../model.ts"
import { Invoices } from "../service/invoices.ts"

/** The timers of invoices, by kind. */
export const invoiceJobs = Effect.map(Invoices, ({ proceed }) => new Map([[FINALIZE, proceed]]))
