/** The gate, in the order of its checks. */
import { nextId } from "@svc/kernel/ids"
import { Duration, Effect, Layer, Result } from "effect"
import type { Call, Mode } from "../call.ts"
import { modes } from "../call.ts"
import { Catalog } from "../derive.ts"
import type { Outcome } from "../tool.ts"
import { type Answered, Gate, type ToolAnswer, type ToolRequest } from "./model.ts"
import { refuse } from "./refusals.ts"

const modeOf = (asked: string | undefined): Mode => modes.find((mode) => mode === asked?.trim().toLowerCase()) ?? "standard"

const answered = (outcome: Outcome): Answered => {
  const rest = { headers: {}, meta: {} }
  return outcome._tag === "Failed"
    ? { _tag: "Answered", result: { error: outcome.error }, isError: true, ...rest }
    : { _tag: "Answered", result: outcome.result, isError: false, ...rest }
}

const make = Effect.gen(function*() {
  const tools = yield* Catalog

  const call = Effect.fn("Gate.call")(function*(request: ToolRequest): Effect.fn.Return<ToolAnswer> {
    const tool = tools.get(request.name)
    if (tool === undefined) return refuse("UNKNOWN_TOOL", `It was called ${JSON.stringify(request.name.slice(0, 80))}.`)
    const id = yield* nextId("call")
    const asked: Call = { id, mode: modeOf(request.headers["x-agent-mode"]) }
    const prepared = tool.prepare(request.arguments, asked)
    if (Result.isFailure(prepared)) return refuse("INVALID_ARGUMENTS", prepared.failure.message)
    const away = yield* prepared.success.absent
    if (away !== undefined) return answered(away)
    return yield* prepared.success.run.pipe(
      Effect.timeout(Duration.seconds(tool.meta.limits.seconds)),
      Effect.map(answered),
      Effect.catchCause((cause) => Effect.as(Effect.logError("a tool failed", cause), refuse("INTERNAL", `Call ${id}.`)))
    )
  })
  return Gate.of({ call })
})

export const layer = Layer.effect(Gate, make)
