/** A call that may be made, between the checks and the money. */
import type { ToolCaller } from "@svc/accounts/access/model"
import type { BudgetChain } from "@svc/metering/tool-calls/rules"
import type { Call } from "@svc/tool-kit/call"
import type { ToolRequest } from "@svc/tool-kit/gate/model"
import { outcomeOf, type ToolOutcome } from "@svc/tool-kit/outcome"
import type { Compiled, PreparedCall } from "@svc/tool-kit/tool"
import { ToolTimedOut } from "@svc/tool-kit/typed/errors"
import { Duration, Effect } from "effect"
import type { Terms } from "./budget.ts"

/** Of a call that has passed all checks but those of money. */
export interface Admitted {
  readonly request: ToolRequest
  readonly tool: Compiled<never>
  readonly prepared: PreparedCall<never>
  readonly call: Call
  readonly caller: ToolCaller | undefined
  /** The key that the caller was recognised by. */
  readonly key: string | undefined
  /** Whose budgets it counts in. */
  readonly chain: BudgetChain
  /** What was agreed of its mode and price. */
  readonly terms: Terms
  /** RFC 8785 of name and arguments, hashed. */
  readonly arguments_sha256: string
}

/**
 * The run, for as long as the tool may take. What runs within the process and its database ends by itself, and needs no second fiber to
 * watch it.
 */
export const run = ({ prepared, tool }: Admitted): Effect.Effect<ToolOutcome> =>
  tool.meta.kind === "inline" ? prepared.run : prepared.run.pipe(Effect.timeoutOrElse({
    duration: Duration.seconds(tool.meta.limits.seconds),
    orElse: () =>
      Effect.sync(() =>
        outcomeOf(
          new ToolTimedOut({
            code: "timed_out",
            message: `${tool.name} took longer than ${tool.meta.limits.seconds} s and was given up. Nothing was charged.`,
            retryable: true
          })
        )
      )
  }))
