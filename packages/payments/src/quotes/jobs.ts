/** What of quotes happens without a request. */
import { Effect } from "effect"
import { EXPIRES } from "./model.ts"
import { Quotes } from "./service.ts"

/** The timers of quotes, by kind. */
export const quoteJobs = Effect.map(Quotes, ({ expire }) => new Map([[EXPIRES, expire]]))
