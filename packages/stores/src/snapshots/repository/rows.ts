/** Snapshots in Postgres, without what they hold. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ANONYMOUS, type Description, type SnapshotContents, type SnapshotRow } from "../model.ts"

export interface NewSnapshot {
  readonly id: string
  readonly call_id: string | null
  readonly description: Description
  readonly processing_until: DateTime.Utc
  readonly expires_at: DateTime.Utc | null
  readonly created_at: DateTime.Utc
}

const ROW = "account_id, id, description, status, failure, programs, skipped, bytes, created_at, content_discarded_at"
const OWN = "account_id = $1 AND id = $2"

/** Overdue snapshots that are looked at in one round. */
const AT_ONCE = 100

export class SnapshotRepository extends Context.Service<SnapshotRepository>()("@svc/stores/SnapshotRepository", {
  make: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = (where: string, values: ReadonlyArray<unknown>) =>
      sql.unsafe<SnapshotRow>(`SELECT ${ROW} FROM snapshots WHERE ${where}`, values)
    const first = ([row]: ReadonlyArray<SnapshotRow>): SnapshotRow | undefined => row

    return {
      insert: (account: string, { call_id, created_at, description, expires_at, id, processing_until }: NewSnapshot) =>
        Effect.asVoid(sql.unsafe(
          `INSERT INTO snapshots (account_id, id, call_id, description, status, processing_until, expires_at, created_at)
           VALUES ($1, $2, $3, $4::text::json, 'processing', $5::timestamptz, $6::timestamptz, $7::timestamptz)`,
          [
            account,
            id,
            call_id,
            JSON.stringify(description),
            iso(processing_until),
            expires_at === null ? null : iso(expires_at),
            iso(created_at)
          ]
        )),

      find: (account: string, id: string) => Effect.map(rows(OWN, [account, id]), first),

      /** One of the account, or of nobody that has not expired. */
      findOpen: (account: string, id: string, at: DateTime.Utc) =>
        Effect.map(
          rows(`account_id = ANY(ARRAY[$1, '${ANONYMOUS}']) AND id = $2 AND (expires_at IS NULL OR expires_at > $3::timestamptz)`, [
            account,
            id,
            iso(at)
          ]),
          first
        ),

      /** Ids of those whose content is there, or may still come. */
      withContent: (account: string) =>
        Effect.map(
          sql.unsafe<{ readonly id: string }>(
            `SELECT id FROM snapshots WHERE account_id = $1 AND content_discarded_at IS NULL AND status <> 'failed'`,
            [account]
          ),
          (found) => found.map(({ id }) => id)
        ),

      complete: (account: string, id: string, { programs, skipped }: Pick<SnapshotContents, "programs" | "skipped">) =>
        Effect.asVoid(sql.unsafe(
          `UPDATE snapshots SET status = 'completed', programs = $3::text::json, skipped = $4::text::json WHERE ${OWN}`,
          [account, id, JSON.stringify(programs), JSON.stringify(skipped)]
        )),

      fail: (account: string, id: string, failure: string) =>
        Effect.asVoid(sql.unsafe(`UPDATE snapshots SET status = 'failed', failure = $3 WHERE ${OWN}`, [account, id, failure])),

      addBytes: (account: string, id: string, bytes: number) =>
        Effect.asVoid(sql.unsafe(`UPDATE snapshots SET bytes = bytes + $3::int8 WHERE ${OWN}`, [account, id, bytes])),

      /** The first time counts. */
      markDiscarded: (account: string, id: string, at: DateTime.Utc) =>
        Effect.asVoid(sql.unsafe(
          `UPDATE snapshots SET content_discarded_at = coalesce(content_discarded_at, $3::timestamptz) WHERE ${OWN}`,
          [account, id, iso(at)]
        )),

      /** With its files and artifacts. */
      remove: (account: string, id: string) => Effect.asVoid(sql.unsafe(`DELETE FROM snapshots WHERE ${OWN}`, [account, id])),

      /** Of all accounts: those whose worker is gone. */
      overdue: (at: DateTime.Utc) => rows(`status = 'processing' AND processing_until <= $1::timestamptz LIMIT ${AT_ONCE}`, [iso(at)]),

      /** Of nobody: those that are kept no longer. */
      expired: (at: DateTime.Utc) => rows(`expires_at <= $1::timestamptz LIMIT ${AT_ONCE}`, [iso(at)])
    }
  })
}) {
  static readonly layer = Layer.effect(SnapshotRepository, SnapshotRepository.make)
}
