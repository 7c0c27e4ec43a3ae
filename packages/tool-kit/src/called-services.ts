/** Which services a tool calls. */
import { Context } from "effect"

export type ServiceKeys = ReadonlyArray<Context.Key<unknown, unknown>>

/**
 * The services that `ready`, `run`, `undo` and `weaknesses` ask for. A call is given these alone of all that the process has
 * (docs/decisions/0056-small-contexts.md). A tool that asks for none leaves the field out.
 */
export type CalledServices<K extends ServiceKeys, R> =
  & { readonly services?: K }
  & ([R] extends [Context.Service.Identifier<K[number]>] ? unknown : { readonly services: readonly [Context.Key<R, unknown>] })

/** The services of these keys alone. `CalledServices` has checked that a tool with them asks for no other. */
export const only = <R>(services: ServiceKeys, all: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(Context.pick(...services)(all).mapUnsafe)
