/** The timers of quotes, and what a quote does when a payment uses the quote. */
import { Effect } from "effect"
import { EXPIRES, quoteUsed } from "./model.ts"
import { onUse, Quotes } from "./service.ts"

/** The timers of quotes, by kind. */
export const quoteJobs = Effect.map(Quotes, ({ expire }) => new Map([[EXPIRES, expire]]))

/** A commit that uses a quote also writes the quote. */
export const quoteFollowUps = Effect.succeed([quoteUsed.follow(onUse)])
