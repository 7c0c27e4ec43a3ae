/** The tools of a group with what an installation gives them. */
import { Context, Effect, Result } from "effect"
import type { Compiled } from "./tool.ts"

/** The tools of this installation by name, other names included, with the services that they need. */
export class Catalog extends Context.Service<Catalog, ReadonlyMap<string, Compiled<never>>>()("@svc/tool-kit/Catalog") {}

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

/** Services come from the start, everything else (span, log level, clock) from the request. */
export const bind = <R>(services: Context.Context<R>) => (compiled: Compiled<R>): Compiled<never> => {
  const provide = <A, E>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E> => Effect.provideContext(effect, services)
  return {
    ...compiled,
    absent: provide(compiled.absent),
    weaknesses: provide(compiled.weaknesses),
    prepare: (args, call) =>
      Result.map(
        compiled.prepare(args, call),
        (prepared) => ({
          ...prepared,
          absent: provide(prepared.absent),
          run: provide(prepared.run),
          undo: (result) => provide(prepared.undo(result))
        })
      )
  }
}
