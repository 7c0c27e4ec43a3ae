/**
 * Parts: what a resource brings, and how parts add up to a package, and packages to the service. A resource that joins
 * is one folder with a `resource.ts`, one line in its package's `layer.ts` and one in its `api.ts`; nothing here and
 * nothing in the server knows its name.
 */
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { Migrations } from "../database/migrations.ts"

/**
 * What happens when a timer is due. Its own commit moves or removes the timer; one that is left after
 * success is removed, and after failure tried again later. It is stopped when the lease is over. Its
 * time is `now` of `time.ts`: that of the account's own clock where it has one.
 */
export type TimerHandler = (account_id: string, resource_id: string) => Effect.Effect<void, unknown>

/** The handlers of timers, by kind. */
export type Timers = ReadonlyMap<string, TimerHandler>

/** What one resource, one package or all of them bring. The type parameters ending in N are what each still needs. */
export interface Part<S, SN, R, RN, TN, WN> {
  /** Services: for the routes and timers of this part, and for parts above. */
  readonly services: Layer.Layer<S, never, SN>
  /** The handlers of the groups that `api.ts` promises, and middleware for those of parts above. */
  readonly routes: Layer.Layer<R, never, RN>
  /** What happens when a timer of this part is due. */
  readonly timers: Effect.Effect<Timers, never, TN>
  /**
   * What runs beside requests and timers for as long as the process does. They may need connections of their own. What falls due in an
   * account without being a timer is added to its `Agendas` here, or the account's own clock would pass over it.
   */
  readonly workers: Layer.Layer<never, SqlError.SqlError, WN>
  /** Tables, by the number and name of the migration that makes them. */
  readonly migrations: Migrations
}

/** A part that brings nothing, to spread below what a resource does bring. */
export const nothing = {
  services: Layer.empty,
  routes: Layer.empty,
  timers: Effect.succeed<Timers>(new Map()),
  workers: Layer.empty,
  migrations: {}
} satisfies Part<never, never, never, never, never, never>

/** Two maps in one. Throws a RangeError, a defect, when both have a key: one of the two would never run. */
const joined = <A>(what: string, one: Iterable<readonly [string, A]>, other: Iterable<readonly [string, A]>): Map<string, A> => {
  const all = new Map(one)
  for (const [key, value] of other) {
    if (all.has(key)) throw new RangeError(`two parts bring the ${what} ${key}`)
    all.set(key, value)
  }
  return all
}

/** Both parts in one. The upper one may use the services of the lower one, and the middleware that its routes bring. */
export const and = <S2, SN2, R2, RN2, TN2, WN2>(upper: Part<S2, SN2, R2, RN2, TN2, WN2>) =>
<S, SN, R, RN, TN, WN>(
  lower: Part<S, SN, R, RN, TN, WN>
): Part<S | S2, SN | Exclude<SN2, S>, R | R2, RN | Exclude<RN2, R>, TN | TN2, WN | WN2> => ({
  services: Layer.provideMerge(upper.services, lower.services),
  routes: Layer.provideMerge(upper.routes, lower.routes),
  timers: Effect.zipWith(lower.timers, upper.timers, (one, other) => joined("timer", one, other)),
  workers: Layer.merge(lower.workers, upper.workers),
  migrations: Object.fromEntries(joined("migration", Object.entries(lower.migrations), Object.entries(upper.migrations)))
})
