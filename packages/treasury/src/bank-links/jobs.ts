/** What of bank links happens without a request. */
import { Effect } from "effect"
import { EXPIRES } from "./model.ts"
import { BankLinks } from "./service.ts"

/** The timers of bank links, by kind. */
export const bankLinkJobs = Effect.map(BankLinks, ({ expire }) => new Map([[EXPIRES, expire]]))
