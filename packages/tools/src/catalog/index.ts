/** What follows from the group of tools: lists, prices, scopes, and the catalog that the gate calls from. */
import type { ApiKeyScope } from "@svc/accounts/access/model"
import { Catalog, provided } from "@svc/tool-kit/derive"
import type { Compiled, ToolMeta } from "@svc/tool-kit/tool"
import { type Context, Effect, Layer } from "effect"
import type { Tool } from "./by-name.ts"
import { Tools } from "./group.ts"

export type { Tool } from "./by-name.ts"

/** All of them, each with its own types erased or not as its reader needs. */
export const all: ReadonlyArray<Tool> = Array.from(Tools.requests.values())

/** What `tools/list` shows to everybody. */
export const listed = all.filter(({ meta }) => meta.auth !== "agent").map((one) => one.listed)

/** What it shows to agent keys besides. */
export const listedToAgents = all.filter(({ meta }) => meta.auth === "agent").map((one) => one.listed)

type ServicesOf<C> = C extends Compiled<infer R> ? R : never

/** What the tools call, all together. */
export type ToolServices = ServicesOf<Tool["compiled"]>

export const compiled: ReadonlyArray<Compiled<ToolServices>> = all.map((one) => one.compiled)

const named = <R>(one: Compiled<R>): ReadonlyArray<readonly [string, Compiled<R>]> => namesOf(one).map((name) => [name, one])

const namesOf = <R>({ meta, name }: Compiled<R>): ReadonlyArray<string> => [name, ...(meta.also ?? [])]

/** The scope of a key that lets an agent key call tools in the name of its account. */
export const CALLS_TOOLS: ApiKeyScope = "tool_calls:write"

/**
 * What a restricted key needs to let an agent key call a tool. Calls spend the account's credits, and read, keep and delete its data, so a
 * tool asks for `tool_calls:write` besides the scopes of the payments API that do what it does; without it a free tool whose own scopes say
 * all that it does. A tool that is free and needs no key is anybody's, and asks for nothing.
 */
const scopesOf = ({ auth, prices, scopes = [] }: ToolMeta): ReadonlyArray<ApiKeyScope> =>
  prices !== "free" || (auth !== "none" && scopes.length === 0) ? [CALLS_TOOLS, ...scopes] : scopes

/** Each tool by all its names, and the scopes that a key needs to let an agent key call it. */
export const toolScopes: ReadonlyMap<string, ReadonlyArray<ApiKeyScope>> = new Map(
  compiled.flatMap((one) => namesOf(one).map((name) => [name, scopesOf(one.meta)] as const))
)

/** The tools, each with those services of the context that it calls. */
export const provideTools = (context: Context.Context<ToolServices>): ReadonlyArray<Compiled<never>> =>
  all.map((one) => provided<ToolServices>(one, context))

/** The tools with what this installation gives them. */
export const layer = Layer.effect(
  Catalog,
  Effect.map(Effect.context<ToolServices>(), (context) => new Map(provideTools(context).flatMap(named)))
)
