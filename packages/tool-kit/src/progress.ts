/** How far a run is, told to callers who want to know. A tool says it where it likes; without a listener it goes nowhere. */
import { Reference } from "@svc/kernel/values/reference"
import { Effect } from "effect"

export interface Step {
  /** Grows with each step. */
  readonly progress: number
  /** What `progress` comes to in the end, where that is known. */
  readonly total?: number
  readonly message?: string
}

/** In a run: `yield* (yield* Progress)({ progress: 1, total: 3 })`. */
export class Progress extends Reference<(step: Step) => Effect.Effect<void>>("@svc/tool-kit/Progress", {
  defaultValue: () => () => Effect.void
}) {}
