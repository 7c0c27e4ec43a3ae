/** What this package brings: the tools, the gate before them, and the doors that lead there. */
import { and } from "@svc/kernel/part"
import { Effect, Layer, pipe } from "effect"
import * as catalog from "./catalog/index.ts"
import * as gate from "./gate/gate.ts"
import { CallLimit } from "./gate/limits.ts"
import * as mcp from "./mcp/http.ts"
import { PaymentMethods } from "./paid-calls/methods.ts"
import { Pages } from "./paid-calls/pages.ts"
import { paidCalls } from "./paid-calls/resource.ts"
import { Tiers } from "./plans.ts"
import { toolCalls } from "./tool-calls/resource.ts"

/** The tables, services and timers. */
export const tools = pipe(toolCalls, and(paidCalls))

/** The routes of the tool server. */
export const doors = mcp.layer

/** What stands between the doors and the tools. */
export const gateway = gate.layer.pipe(Layer.provideMerge(catalog.layer))

/** What this package is told of the installation: how it is reached, how it is paid, how many calls a minute are taken. */
export const installed = (toolsUrl: string) =>
  Layer.mergeAll(
    PaymentMethods.layer,
    CallLimit.layer,
    Layer.succeed(Pages, Pages.at(toolsUrl)),
    // Everybody is on the free plan until plans are sold.
    Layer.succeed(Tiers, { of: () => Effect.succeed("free" as const) })
  )
