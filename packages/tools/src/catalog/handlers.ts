/** The handlers of the group: each call goes through the gate, for the caller that the middleware provides. */
import { Gate } from "@svc/tool-kit/gate/model"
import type { ToolHandler } from "@svc/tool-kit/tool"
import { Context, Effect, Layer, Struct } from "effect"
import { byName } from "./by-name.ts"
import { Tools } from "./group.ts"

interface Handled<P, A, E> {
  readonly handler: ToolHandler<P, A, E>
}

interface HandlerOf extends Struct.Lambda {
  <P, A, E>(tool: Handled<P, A, E>): ToolHandler<P, A, E>
  readonly "~lambda.out": this["~lambda.in"] extends Handled<infer P, infer A, infer E> ? ToolHandler<P, A, E> : never
}

const handlers = Struct.map(byName, Struct.lambda<HandlerOf>(({ handler }) => handler))

/** Of the services of the process, the gate alone: `Tools.toLayer` would merge all of them into the context of each call. */
const onlyGate = Context.pick(Gate)

export const layer = Layer.effectContext(
  Effect.updateContext(Tools.toHandlers(handlers), (context: Context.Context<Gate>) => onlyGate(context))
)
