/** What of conversions happens without a request. */
import { Effect } from "effect"
import { captureMade } from "../payment-intents/model.ts"
import { onCapture } from "./service.ts"

/** A capture that was exchanged writes its conversion in the same commit. */
export const conversionFollowUps = Effect.succeed([captureMade.follow(onCapture)])
