/**
 * What layers of packages above add to a service that is built before them: what follows a commit, what stands
 * against closing an account. A part carries them as an effect that yields them; `contribute` puts them in.
 */
import { type Context, Effect, Layer, type Scope } from "effect"

export interface Contributions<A> {
  /** All there are now, in the order in which they came. */
  readonly all: () => ReadonlyArray<A>
  /** Adds these for as long as the scope is open. */
  readonly add: (items: ReadonlyArray<A>) => Effect.Effect<void, never, Scope.Scope>
}

export const contributions = <A>(): Contributions<A> => {
  let all: ReadonlyArray<A> = []
  return {
    all: () => all,
    add: (items) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          all = [...all, ...items]
        }),
        () =>
          Effect.sync(() => {
            all = all.filter((item) => !items.includes(item))
          })
      )
  }
}

/** A layer that contributes what the effect yields. Any number of them may contribute to one service. */
export const contribute = <Id, A, R>(
  to: Context.Key<Id, Contributions<A>>,
  items: Effect.Effect<ReadonlyArray<A>, never, R>
): Layer.Layer<never, never, Id | R> =>
  Layer.effectDiscard(Effect.gen(function*() {
    const service = yield* Effect.service(to)
    yield* service.add(yield* items)
  }))
