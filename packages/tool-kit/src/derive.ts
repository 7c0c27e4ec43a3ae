/** The tools of a group with what an installation gives them. */
import { Context, Effect, Result } from "effect"
import { only, type ServiceKeys } from "./called-services.ts"
import type { Compiled } from "./tool.ts"

/** The tools of this installation by name, other names included, with the services that they need. */
export class Catalog extends Context.Service<Catalog, ReadonlyMap<string, Compiled<never>>>()("@svc/tool-kit/Catalog") {}

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

/** A tool with those services of a process that it calls. */
export const provided = <R>(
  { compiled, services }: { readonly compiled: Compiled<R>; readonly services: ServiceKeys },
  all: Context.Context<R>
): Compiled<never> => bind(only(services, all))(compiled)
