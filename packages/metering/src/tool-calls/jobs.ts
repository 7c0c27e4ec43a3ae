/** What of calls happens without a request. */
import { Effect } from "effect"
import { ABANDONED } from "./model.ts"
import { Meter } from "./service/meter.ts"

export const toolCallJobs = Effect.map(Meter, ({ abandon }) => new Map([[ABANDONED, abandon]]))
