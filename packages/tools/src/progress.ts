/** How far a run is, told to callers who want to know. A tool says it where it likes; without a listener it goes nowhere. */
import { Effect } from "effect"
import { Reference } from "@svc/kernel/reference"

export interface Step {
  /** Grows with each step. */
  readonly progress: number
  /** What `progress` comes to in the end, where that is known. */
  readonly total?: number
  readonly message?: string
}

/** In a run: `yield* (yield* Progress)({ progress: 1, total: 3 })`. */
export class Progress extends Reference<(step: Step) => Effect.Effect<void>>("@svc/tools/Progress", {
  defaultValue: () => () => Effect.void
}) {}
