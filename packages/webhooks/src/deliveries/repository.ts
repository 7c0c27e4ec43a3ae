/** Deliveries and their attempts in Postgres, as the API reads and replays them. Workers use the queue. */
import { witnessed } from "@svc/kernel/parts/actor"
import { listPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { VersionChanges } from "@svc/kernel/resource/version-change"
import { ulidFloor } from "@svc/kernel/values/ids"
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type EventType, rendering, type StoredEvent } from "../events/model.ts"
import type { DeliveryRow, DeliveryStatus, DeliveryWithEvent, ReplayRequest, WebhookAttempt } from "./model.ts"

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly type?: EventType | undefined
}

/** `source` is delivered again under the id `id`; `again`: also when it was replayed before. */
export interface Replay {
  readonly source: string
  readonly id: string
  readonly again: boolean
}

/** Rows that one statement of a long operation touches. */
export const BATCH = 500

export class DeliveryRepository extends Context.Service<DeliveryRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<DeliveryWithEvent | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: DeliveryFilter, page: PageRequest) => Effect.Effect<Page<DeliveryWithEvent>>
  /** First attempt first. */
  readonly attempts: (account: string, id: string, page: PageRequest) => Effect.Effect<Page<WebhookAttempt>>
  readonly hasEndpoint: (account: string) => Effect.Effect<boolean>
  /** Deliveries finished up to `end` and not replayed yet, oldest first, between the ids `from` and `before`. */
  readonly replayable: (
    account: string,
    request: ReplayRequest,
    from: string,
    before: string,
    end: DateTime.Utc
  ) => Effect.Effect<ReadonlyArray<string>>
  /**
   * Queues finished deliveries again and marks them as replayed. Returns the new ids; sources that are not finished, or were replayed
   * already, give none.
   */
  readonly replay: (account: string, replays: ReadonlyArray<Replay>, at: DateTime.Utc) => Effect.Effect<ReadonlyArray<string>>
  /** Makes every waiting delivery due at once. */
  readonly hasten: (account: string, at: DateTime.Utc) => Effect.Effect<void>
}>()("@svc/webhooks/DeliveryRepository") {
  static readonly layer = Layer.effect(
    DeliveryRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const render = rendering(yield* VersionChanges)
      const columns = sql`account_id, id, event_id, event_seq, event_type, status, attempts, due_at, last_outcome, replayed_as,
        delivered_at, created_at`
      // Written out, because the planner knows a partial index only by a literal.
      const withStatus = (status: DeliveryStatus) => sql`status = ${sql.literal(`'${status}'`)}`
      const filtered = (account: string, { status, type }: DeliveryFilter) =>
        sql.and([
          sql`account_id = ${account}`,
          ...(status === undefined ? [] : [withStatus(status)]),
          ...(type === undefined ? [] : [sql`event_type = ${type}`])
        ])

      const withEvents = Effect.fnUntraced(function*(account: string, deliveries: ReadonlyArray<DeliveryRow>) {
        if (deliveries.length === 0) return []
        const events = yield* sql<StoredEvent>`
        SELECT account_id, seq, id, type, resource_version, api_version, rendered_as, data, metadata, actor, created_at FROM events
        WHERE account_id = ${account} AND ${sql.in("seq", Array.from(new Set(deliveries.map((delivery) => delivery.event_seq))))}`
        const bySeq = new Map(events.map((event) => [event.seq, render(event)]))
        return yield* Effect.forEach(deliveries, (delivery) => {
          const event = bySeq.get(delivery.event_seq)
          return event === undefined ? Effect.die(`the event of ${delivery.id} is gone from the log`) : Effect.succeed({ delivery, event })
        })
      })

      const find = Effect.fnUntraced(function*(account: string, id: string) {
        const rows = yield* sql<DeliveryRow>`SELECT ${columns} FROM webhook_deliveries WHERE account_id = ${account} AND id = ${id}`
        return (yield* withEvents(account, rows))[0]
      }, Effect.orDie)

      const list = Effect.fnUntraced(function*(account: string, filter: DeliveryFilter, page: PageRequest) {
        const { data, ...rest } = yield* listPage<DeliveryRow>(sql, {
          table: "webhook_deliveries",
          columns,
          where: [filtered(account, filter)]
        }, page)
        return { ...rest, data: yield* withEvents(account, data) }
      }, Effect.orDie)

      const attempts = (account: string, id: string, page: PageRequest) =>
        Effect.orDie(listPage<WebhookAttempt>(sql, {
          table: "webhook_attempts",
          columns: sql`id, number, outcome, response_status, duration_ms, error, created_at`,
          where: [sql`account_id = ${account} AND delivery_id = ${id}`],
          order: "ascending"
        }, page))

      const replayable = (
        account: string,
        { since, status = "failed", type, until }: ReplayRequest,
        from: string,
        before: string,
        end: DateTime.Utc
      ) => {
        // The time of a delivery is in its id, so that a span of time is a span of the primary key.
        const floor = (at: DateTime.Utc) => ulidFloor("whq", Math.max(0, at.epochMilliseconds))
        return Effect.orDie(Effect.map(
          sql<{ readonly id: string }>`
          SELECT id FROM webhook_deliveries
          WHERE ${filtered(account, { status, type })} AND last_outcome <> 'replayed' AND updated_at <= ${iso(end)}::timestamptz
            AND id > ${from} AND id < ${before}
            AND ${since === undefined ? sql`true` : sql`id >= ${floor(since)}`}
            AND ${until === undefined ? sql`true` : sql`id < ${floor(until)}`}
          ORDER BY id LIMIT ${BATCH}`,
          (rows) => rows.map((row) => row.id)
        ))
      }

      const queueAgain = (account: string, replays: ReadonlyArray<Replay>, at: DateTime.Utc) =>
        Effect.map(
          // Locked in one order, so that replays of the same deliveries wait for each other. Whoever waited sees what became of them
          // meanwhile.
          sql<{ readonly id: string }>`
          WITH wanted AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(replays)}::jsonb) r(source text, id text, again boolean)),
          finished AS MATERIALIZED (
            SELECT d.id FROM webhook_deliveries d JOIN wanted ON wanted.source = d.id
            WHERE d.account_id = ${account} AND d.status IN ('delivered', 'failed') AND (wanted.again OR d.last_outcome <> 'replayed')
            ORDER BY d.id FOR UPDATE OF d),
          source AS (
            UPDATE webhook_deliveries d SET last_outcome = 'replayed', replayed_as = r.id, updated_at = ${iso(at)}::timestamptz
            FROM finished JOIN wanted r ON r.source = finished.id
            WHERE d.account_id = ${account} AND d.id = finished.id
            RETURNING r.id, d.event_id, d.event_seq, d.event_type, d.resource_id)
          INSERT INTO webhook_deliveries (account_id, id, event_id, event_seq, event_type, resource_id, status, attempts, due_at,
            created_at, updated_at)
          SELECT ${account}, id, event_id, event_seq, event_type, resource_id, 'pending', 0,
            ${iso(at)}::timestamptz, ${iso(at)}::timestamptz, ${iso(at)}::timestamptz
          FROM source
          RETURNING id`,
          (rows) => rows.map((row) => row.id)
        )

      const replay = (account: string, replays: ReadonlyArray<Replay>, at: DateTime.Utc) =>
        Effect.orDie(
          witnessed(sql)(queueAgain(account, replays, at), (resource_ids) => ({
            account_id: account,
            resource_type: "webhook_delivery",
            resource_ids,
            action: "created"
          }))
        )

      /** Rows in a worker's hands are skipped: their worker decides about them. */
      const hastenSome = (account: string, at: DateTime.Utc) =>
        sql`WITH waiting AS MATERIALIZED (
          SELECT id FROM webhook_deliveries
          WHERE account_id = ${account} AND status IN ('pending', 'retrying') AND due_at > ${iso(at)}::timestamptz
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        UPDATE webhook_deliveries d SET due_at = ${iso(at)}::timestamptz
        FROM waiting
        WHERE d.account_id = ${account} AND d.id = waiting.id
        RETURNING d.id`

      return DeliveryRepository.of({
        find,
        list,
        attempts,
        hasEndpoint: (account) =>
          Effect.orDie(Effect.map(sql`SELECT 1 FROM webhook_endpoints WHERE account_id = ${account}`, (rows) => rows.length > 0)),
        replayable,
        replay,
        hasten: (account, at) =>
          Effect.orDie(Effect.asVoid(Effect.repeat(hastenSome(account, at), { while: (rows) => rows.length === BATCH })))
      })
    })
  )
}
