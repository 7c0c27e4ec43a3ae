/** Who calls a tool by its types: what stands between each procedure and the gate. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { Context, Effect, Schema } from "effect"
import { RpcMiddleware } from "effect/rpc"
import { Gate, type ToolAnswer, type ToolRequest } from "../gate/model.ts"
import { KeyRefused, ToolServerFailed } from "./errors.ts"

/** The caller of the procedure that runs. */
export class CurrentCaller extends Context.Service<CurrentCaller, {
  /** By the key of the call; undefined without one, as for whoever pays call by call. */
  readonly caller: ToolCaller | undefined
  /** Which key, mode, budget and payment the call has. Names in lower case. */
  readonly headers: ToolRequest["headers"]
  /** The address of the connection, which no header of a message can name; undefined within the process. */
  readonly address: string | undefined
  /** The address at which the tool server was reached. */
  readonly url: string
}>()("@svc/tool-kit/CurrentCaller") {}

/** Recognises the key of each call and provides its caller. A key that is no current one is refused before anything else. */
export class Identified extends RpcMiddleware.Service<Identified, { provides: CurrentCaller }>()("@svc/tool-kit/Identified", {
  error: Schema.Union([KeyRefused, ToolServerFailed])
}) {}

/** Calls a tool through the gate, as any other door does. */
export const throughGate = Effect.fnUntraced(function*(
  name: string,
  args: unknown
): Effect.fn.Return<ToolAnswer, never, Gate | CurrentCaller> {
  const gate = yield* Gate
  const { address, caller, headers, url } = yield* CurrentCaller
  return yield* gate.call({ name, arguments: args, headers, meta: {}, url, address, ...(caller === undefined ? {} : { caller }) })
})
