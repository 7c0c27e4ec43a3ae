/**
 * What a profile adds to the methods and tools of this server. Nothing, as it is installed: the suites that judge servers look for tools,
 * resources and prompts of their own, and their tests add those here, to the same transports.
 */
import { Reference } from "@svc/kernel/values/reference"
import { type Effect } from "effect"
import type { MethodAnswer } from "./answers.ts"
import type { Params } from "./json-rpc.ts"
import type { Peer } from "./peer.ts"

export type Method = (params: Params, peer: Peer) => Effect.Effect<MethodAnswer>

export class Extras extends Reference<{
  readonly capabilities: Readonly<Record<string, unknown>>
  /** By name. `listed` is what `tools/list` shows, `call` answers `tools/call`. */
  readonly tools: ReadonlyMap<string, { readonly listed: object; readonly call: Method }>
  /** By name; before the methods of this server. */
  readonly methods: ReadonlyMap<string, Method>
}>("@svc/doors/mcp/Extras", { defaultValue: () => ({ capabilities: {}, tools: new Map(), methods: new Map() }) }) {}
