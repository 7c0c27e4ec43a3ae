/** The tools of the group by their names, each with its own types. */
import type { RpcGroup } from "effect/rpc"
import { Tools } from "./group.ts"

export type Tool = RpcGroup.Rpcs<typeof Tools>

type ByName = { readonly [T in Tool as T["_tag"]]: T }

/** A map of the group knows less of its values than a record. */
const isByName = (tools: Readonly<Record<string, Tool>>): tools is ByName =>
  Object.entries(tools).every(([name, { _tag }]) => name === _tag)

const toolsByName = (): ByName => {
  const tools: Readonly<Record<string, Tool>> = Object.fromEntries(Tools.requests)
  if (isByName(tools)) return tools
  throw new TypeError("a tool of the group stands under another name than its own")
}

export const byName = toolsByName()
