/** What of quotes happens without a request. */
import { Effect } from "effect"
import { EXPIRES, quoteUsed } from "./model.ts"
import { onUse, Quotes } from "./service.ts"

/** The timers of quotes, by kind. */
export const quoteJobs = Effect.map(Quotes, ({ expire }) => new Map([[EXPIRES, expire]]))

/** What uses a quote writes it in its own commit. */
export const quoteFollowUps = Effect.succeed([quoteUsed.follow(onUse)])
