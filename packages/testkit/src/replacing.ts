/**
 * A test puts its own service in the place of any service of an application of layers, in one line:
 * `services.pipe(replacing(Rates, { between: () => Effect.fail(…) }))`. `docs/swapping-a-layer.md` shows how.
 */
import { Context, Effect, Layer, Option } from "effect"

/**
 * The service of the test, or a function that makes it of the real one. Effects, streams and functions that return them may be left out:
 * whoever uses one of those dies with the names of the service and of the member.
 */
export type Replacement<S extends object> = Layer.PartialEffectful<S> | ((real: S) => S | Layer.PartialEffectful<S>)

type Swap = <A>(context: Context.Context<A>) => Context.Context<A>

/** An array, a Map or an instance of a class is a whole service. `Layer.mock` would lose what stands in its prototype. */
const isWhole = <S extends object>(service: S | Layer.PartialEffectful<S>): service is S =>
  Object.getPrototypeOf(service) !== Object.prototype

const isMaker = <S extends object>(replacement: Replacement<S>): replacement is (real: S) => S | Layer.PartialEffectful<S> =>
  typeof replacement === "function"

const serviceOf = <I, S extends object>(key: Context.Key<I, S>, replacement: Replacement<S>, real: S): S => {
  const service = isMaker(replacement) ? replacement(real) : replacement
  return isWhole(service) ? service : Context.get(Effect.runSync(Effect.scoped(Layer.build(Layer.mock(key)(service)))), key)
}

/** The swaps of the applications that are being built, by their memo maps: an inner application applies those around it after its own. */
const swaps = new WeakMap<Layer.MemoMap, Swap>()

/**
 * Effect has no documented way to replace a service below layers that are wired already: `Layer.provide` reaches only what is still
 * required. All layers are built through a memo map, so this one changes the context that each layer is given. The map is new, as with
 * `Layer.fresh`, because a layer that another application has built already would keep the real service.
 */
const swapped = <I, S extends object, Out, E, R>(app: Layer.Layer<Out, E, R>, key: Context.Key<I, S>, replacement: Replacement<S>) =>
  Layer.fromBuildMemo((outer, scope): Effect.Effect<Context.Context<Out>, E, R> => {
    const swapAround: Swap = swaps.get(outer) ?? ((context) => context)
    /** By the service that a layer was given. What was swapped already stays as it is. */
    const replaced = new Map<S, S>()
    const swap: Swap = (context) => {
      const given = Option.getOrUndefined(Context.getOption(context, key))
      if (given === undefined) return swapAround(context)
      const service = replaced.get(given) ?? serviceOf(key, replacement, given)
      replaced.set(given, service)
      const result = swapAround(Context.add(context, key, service))
      const last = Context.get(result, key)
      replaced.set(last, last)
      return result
    }
    const built = Layer.makeMemoMapUnsafe()
    const memoMap: Layer.MemoMap = {
      "~effect/Layer/MemoMap": "~effect/Layer/MemoMap",
      get: (layer, within) => built.get(layer, within),
      getOrElseMemoize: (layer, within, build) =>
        built.getOrElseMemoize(layer, within, (_, inner) => Effect.updateContext(build(memoMap, inner), swap))
    }
    swaps.set(memoMap, swap)
    return Effect.flatMap(Layer.buildWithMemoMap(app, memoMap, scope), (context) => {
      const result = swap(context)
      return replaced.size > 0
        ? Effect.succeed(result)
        : Effect.die(
          new Error(`${key.key} is not replaced: no layer of this application provides it. Replace a service that one provides.`)
        )
    })
  })

/**
 * The application with another service, which every layer of it sees. It does not compile for a service that the application does not
 * provide, or with another shape. The real service is still built: a database or a server is exchanged by the settings that make it.
 */
export const replacing =
  <I, S extends object>(key: Context.Key<I, S>, replacement: NoInfer<Replacement<S>>) =>
  <Out, E, R>(app: Layer.Layer<Out | I, E, R>): Layer.Layer<Out | I, E, R> => swapped(app, key, replacement)

/**
 * The same for a service that a part of the application keeps to itself, such as the repository of a resource. No type knows of it, so an
 * application without it dies when it is built.
 */
export const replacingWithin =
  <I, S extends object>(key: Context.Key<I, S>, replacement: NoInfer<Replacement<S>>) =>
  <Out, E, R>(app: Layer.Layer<Out, E, R>): Layer.Layer<Out, E, R> => swapped(app, key, replacement)
