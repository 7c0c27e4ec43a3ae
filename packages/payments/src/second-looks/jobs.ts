/** The verbs that the timers of second looks call. */
import type { TimerHandler } from "@svc/kernel/parts/part"
import { Effect } from "effect"
import { CARRY_OUT, EXPIRES } from "./model.ts"
import { SecondLooks } from "./service.ts"

/** The timers of second looks, by kind. Each may run twice. */
export const secondLookJobs = Effect.map(
  SecondLooks,
  ({ expire, finish }) => new Map<string, TimerHandler>([[EXPIRES, expire], [CARRY_OUT, finish]])
)
