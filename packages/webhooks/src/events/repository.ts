/** The event log in Postgres. Commits write it; here it is only read. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { VersionChanges } from "@svc/kernel/resource/version-change"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type EventType, type LoggedEventRow, rendering, type StoredEvent } from "./model.ts"

/** What a list of events is narrowed to. */
export interface EventFilter {
  readonly type?: EventType | undefined
  /** Only events with a greater sequence number, oldest first. */
  readonly after_seq?: number | undefined
}

export class EventRepository extends Context.Service<EventRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<LoggedEventRow | undefined>
  /** Newest first, or oldest first with `after_seq`. */
  readonly list: (account: string, filter: EventFilter, page: PageRequest) => Effect.Effect<Page<LoggedEventRow>>
}>()("@svc/webhooks/EventRepository") {
  static readonly layer = Layer.effect(
    EventRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`account_id, seq, id, type, resource_version, api_version, rendered_as, data, metadata, actor, created_at`
      const render = rendering(yield* VersionChanges)

      // The log is in the order of its numbers, a cursor is an id. An id that no event has stands between two that have theirs.
      const atOrAfter = (account: string, id: string) =>
        sql`COALESCE((SELECT seq FROM events
          WHERE account_id = ${account} AND id >= ${id} ORDER BY id LIMIT 1), ${Number.MAX_SAFE_INTEGER})`
      const atOrBefore = (account: string, id: string) =>
        sql`COALESCE((SELECT seq FROM events WHERE account_id = ${account} AND id <= ${id} ORDER BY id DESC LIMIT 1), 0)`

      return EventRepository.of({
        find: (account, id) =>
          Effect.orDie(Effect.map(
            sql<StoredEvent>`SELECT ${columns} FROM events WHERE account_id = ${account} AND id = ${id}`,
            ([row]) => row === undefined ? undefined : render(row)
          )),
        list: (account, { after_seq, type }, page) => {
          // Older events lie before the first one at or after the id, newer events behind the last one at or before it.
          const [towardsAfter, towardsBefore] = after_seq === undefined ? [atOrAfter, atOrBefore] : [atOrBefore, atOrAfter]
          return Effect.orDie(Effect.map(
            listPage<StoredEvent>(sql, {
              table: "events",
              columns,
              where: [
                sql`account_id = ${account}`,
                ...(type === undefined ? [] : [sql`type = ${type}`]),
                ...(after_seq === undefined ? [] : [sql`seq > ${after_seq}`])
              ],
              key: "seq",
              order: after_seq === undefined ? "descending" : "ascending",
              places: (id, side) => side === "after" ? towardsAfter(account, id) : towardsBefore(account, id)
            }, page),
            (rows) => mapPage(rows, render)
          ))
        }
      })
    })
  )
}
