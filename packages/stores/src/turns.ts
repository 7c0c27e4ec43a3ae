/**
 * Who may use the database for stored data, and when: so that no statement of it stands before a payment's, and no account before another.
 */
import { Context, Effect, Layer, RcMap, Semaphore } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { StoreBusy } from "./model.ts"

/** Of the pool's connections. */
const CONNECTIONS = 3

const isOther = <E>(error: E): error is Exclude<E, SqlError.SqlError> => !SqlError.isSqlError(error)

const busy = (error: unknown): Effect.Effect<never, StoreBusy> =>
  SqlError.isSqlError(error) && (error.reason._tag === "LockTimeoutError" || error.reason._tag === "StatementTimeoutError")
    ? Effect.fail(
      new StoreBusy({
        message: "This took too long, or waited too long for another call of the account. Try again in a few seconds.",
        retryable: true
      })
    )
    : Effect.die(error)

/** A statement that waited or ran too long says so to the caller, who may try again; any other failure of the database is a defect. */
const orBusy = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError.SqlError> | StoreBusy, R> =>
  Effect.matchEffect(effect, {
    onSuccess: Effect.succeed,
    onFailure: (error): Effect.Effect<never, Exclude<E, SqlError.SqlError> | StoreBusy> => isOther(error) ? Effect.fail(error) : busy(error)
  })

/** Which of the stores is used: their calls do not wait for each other. */
export type Store = "search" | "vectors" | "analytics" | "snapshots"

/**
 * One call of an account at a time in each store: in this process whatever it does, so that an account takes one connection and the others
 * do not wait for it; in all processes when it writes, so that what is counted and numbered is right.
 */
export class Turns extends Context.Service<Turns, {
  readonly take: <A, E, R>(
    store: Store,
    account: string,
    use: Effect.Effect<A, E | SqlError.SqlError, R>
  ) => Effect.Effect<A, Exclude<E, SqlError.SqlError> | StoreBusy, R>
  /** In a transaction that no other writer of the account's store is in. */
  readonly write: <A, E, R>(
    store: Store,
    account: string,
    use: Effect.Effect<A, E | SqlError.SqlError, R>
  ) => Effect.Effect<A, Exclude<E, SqlError.SqlError> | StoreBusy, R>
}>()("@svc/stores/Turns") {
  static readonly layer = Layer.effect(
    Turns,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const connections = yield* Semaphore.make(CONNECTIONS)
      const turns = yield* RcMap.make({ lookup: (_: string) => Semaphore.make(1) })
      const take = <A, E, R>(store: Store, account: string, use: Effect.Effect<A, E | SqlError.SqlError, R>) =>
        orBusy(
          Effect.scoped(
            Effect.flatMap(RcMap.get(turns, `${store} ${account}`), (turn) => turn.withPermits(1)(connections.withPermits(1)(use)))
          )
        )
      return Turns.of({
        take,
        write: (store, account, use) =>
          take(
            store,
            account,
            sql.withTransaction(Effect.andThen(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${store} ${account}`}, 0))`, use))
          )
      })
    })
  )
}
