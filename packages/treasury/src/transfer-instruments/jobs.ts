/** What of transfer instruments happens without a request. */
import { Effect } from "effect"
import { ACTIVATE } from "./model.ts"
import { TransferInstruments } from "./service.ts"

/** The timers of transfer instruments, by kind. */
export const instrumentJobs = Effect.map(TransferInstruments, ({ cooledOff }) => new Map([[ACTIVATE, cooledOff]]))
