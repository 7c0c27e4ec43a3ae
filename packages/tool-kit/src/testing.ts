/**
 * For the test of a tool: it is called by its types, within the process. No HTTP, no key, no price and no database; what the tool itself
 * asks for is given by the test, as mocks of its backends.
 */
import { Effect, Layer, Result } from "effect"
import type { Call } from "./call.ts"
import { bind } from "./derive.ts"
import { Gate, type ToolAnswer, type ToolRequest } from "./gate/model.ts"
import { refuse } from "./gate/refusals.ts"
import { answerOf } from "./outcome.ts"
import type { Compiled } from "./tool.ts"
import { CurrentCaller, Identified } from "./typed/caller.ts"

/** The call as the tool sees it, where a test does not say otherwise. */
const testCall: Call = { id: "call_test", mode: "standard", account: { id: "acct_test", sandbox: true } }

const answer = Effect.fnUntraced(function*(tool: Compiled<never>, request: ToolRequest, call: Call): Effect.fn.Return<ToolAnswer> {
  if (request.name !== tool.name) return refuse("UNKNOWN_TOOL", `This test has ${tool.name} alone.`)
  const prepared = tool.prepare(request.arguments, call)
  if (Result.isFailure(prepared)) return refuse("INVALID_ARGUMENTS", prepared.failure.message)
  const { absent, run } = prepared.success
  return answerOf((yield* absent) ?? (yield* run))
})

/** A gate that takes no money: every call of the tool runs, whoever calls and whatever it costs. */
const freeGate = <R>(tool: Compiled<R>, call: Call): Layer.Layer<Gate, never, R> =>
  Layer.unwrap(Effect.map(
    Effect.context<R>(),
    (services) => Layer.mock(Gate)({ call: (request) => answer(bind(services)(tool), request, call) })
  ))

const anonymous = Layer.succeed(
  Identified,
  Identified.of((handler) =>
    Effect.provideService(handler, CurrentCaller, { caller: undefined, headers: {}, address: undefined, url: "http://localhost/rpc" })
  )
)

/**
 * What a client of `RpcTest` needs besides the tool's handler. `changes` says whose call it is, or in which mode: a tool for agent keys is
 * given its agent so.
 */
export const freeCalls = <R>(tool: { readonly compiled: Compiled<R> }, changes: Partial<Call> = {}) =>
  Layer.merge(freeGate(tool.compiled, { ...testCall, ...changes }), anonymous)
