/** Events of an account: captured, counted, removed. */
import { now } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { InvalidFields, MOST_NAMESPACES, StorageFull, type StoreBusy } from "../model.ts"
import { Turns } from "../turns.ts"
import { type AnalyticsEvent, type AnalyticsQuery, type BucketCount, type EventCount, MOST_EVENTS } from "./model.ts"
import { AnalyticsRepository } from "./repository.ts"

/** `more`: there are more lines than were asked for. */
export type AnalyticsCounts =
  | { readonly count: number }
  | { readonly users: number }
  | { readonly events: ReadonlyArray<typeof EventCount.Type>; readonly more: boolean }
  | { readonly buckets: ReadonlyArray<typeof BucketCount.Type>; readonly more: boolean }

type Asked = AnalyticsQuery & { readonly limit: number }

const noCounts = ({ kind }: Asked): AnalyticsCounts =>
  kind === "count"
    ? { count: 0 }
    : kind === "distinct_users"
    ? { users: 0 }
    : kind === "count_by_event"
    ? { events: [], more: false }
    : { buckets: [], more: false }

/** Node's list of time zones and that of Postgres are two: one of them may be older. */
const isUnknownZone = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const { cause } = error.reason
  return typeof cause === "object" && cause !== null && "code" in cause && cause.code === "22023"
}

export class Analytics extends Context.Service<Analytics, {
  readonly capture: (
    account: string,
    namespace: string,
    events: ReadonlyArray<AnalyticsEvent>
  ) => Effect.Effect<number, InvalidFields | StorageFull | StoreBusy>
  /** Nothing in a namespace that does not exist. */
  readonly query: (account: string, namespace: string, asked: Asked) => Effect.Effect<AnalyticsCounts, InvalidFields | StoreBusy>
  /** How many events it had. */
  readonly removeNamespace: (account: string, namespace: string) => Effect.Effect<number, StoreBusy>
}>()("@svc/stores/Analytics") {
  static readonly layer = Layer.effect(
    Analytics,
    Effect.gen(function*() {
      const repository = yield* AnalyticsRepository
      const turns = yield* Turns

      const capture = Effect.fnUntraced(
        function*(
          account: string,
          name: string,
          events: ReadonlyArray<AnalyticsEvent>
        ): Effect.fn.Return<number, InvalidFields | StorageFull | SqlError.SqlError> {
          if (events.length === 0) return 0
          const usage = yield* repository.usage(account)
          if (usage.events + events.length > MOST_EVENTS) {
            return yield* new StorageFull({
              message: `An account keeps ${MOST_EVENTS} events, and has ${usage.events}. Delete a namespace of them.`
            })
          }
          const storedNamespace = yield* repository.namespace(account, name)
          if (storedNamespace === undefined && usage.namespaces >= MOST_NAMESPACES) {
            return yield* new StorageFull({
              message: `An account has at most ${MOST_NAMESPACES} namespaces of events. Delete one, or use one of them.`
            })
          }
          const at = yield* now
          const namespace = storedNamespace ?? (yield* repository.open(account, name, at))
          yield* repository.add(
            account,
            namespace.id,
            events.map((event) => ({ ...event, properties: event.properties ?? {}, timestamp: event.timestamp ?? at }))
          )
          return events.length
        }
      )

      const query = Effect.fnUntraced(
        function*(account: string, name: string, asked: Asked): Effect.fn.Return<AnalyticsCounts, InvalidFields | SqlError.SqlError> {
          const namespace = yield* repository.namespace(account, name)
          if (namespace === undefined) return noCounts(asked)
          const { bucket = "day", kind, limit, time_zone = "UTC" } = asked
          switch (kind) {
            case "count":
              return { count: yield* repository.count(account, namespace.id, asked) }
            case "distinct_users":
              return { users: yield* repository.users(account, namespace.id, asked) }
            case "count_by_event": {
              const lines = yield* repository.byEvent(account, namespace.id, asked, limit + 1)
              return { events: lines.slice(0, limit), more: lines.length > limit }
            }
            case "count_by_bucket": {
              const lines = yield* repository.byBucket(account, namespace.id, asked, bucket, time_zone, limit + 1).pipe(
                Effect.catchIf(
                  isUnknownZone,
                  () => new InvalidFields({ message: `query.time_zone: the database does not know ${time_zone}.` })
                )
              )
              return {
                buckets: lines.slice(0, limit).map(({ count, start }) => ({ start: DateTime.makeUnsafe(start), count })),
                more: lines.length > limit
              }
            }
          }
        }
      )

      return Analytics.of({
        capture: (account, namespace, events) => turns.write("analytics", account, capture(account, namespace, events)),
        query: (account, namespace, asked) => turns.take("analytics", account, query(account, namespace, asked)),
        removeNamespace: (account, namespace) => turns.write("analytics", account, repository.removeNamespace(account, namespace))
      })
    })
  )
}
