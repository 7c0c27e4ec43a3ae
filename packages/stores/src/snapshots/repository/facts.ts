/** Facts of files that an account has had analyzed, in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { CachedFacts } from "../model.ts"
import { chunksOf } from "./chunks.ts"

const sum = (rows: ReadonlyArray<{ readonly bytes: number }>): number => rows.reduce((all, { bytes }) => all + bytes, 0)

export class FactRepository extends Context.Service<FactRepository>()("@svc/stores/FactRepository", {
  make: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return {
      find: (account: string, keys: ReadonlyArray<string>) =>
        sql.unsafe<CachedFacts>(`SELECT key, deflated FROM snapshot_facts WHERE account_id = $1 AND key = ANY($2::text[])`, [
          account,
          keys
        ]),

      /** To the hour, so that reading a cache seldom writes. */
      touch: (account: string, keys: ReadonlyArray<string>, at: DateTime.Utc) =>
        Effect.asVoid(sql.unsafe(
          `UPDATE snapshot_facts SET used_at = $3::timestamptz
            WHERE account_id = $1 AND key = ANY($2::text[]) AND used_at < $4::timestamptz`,
          [account, keys, iso(at), iso(DateTime.subtract(at, { hours: 1 }))]
        )),

      /** The bytes of those that were not there. */
      add: (account: string, entries: ReadonlyArray<CachedFacts>, at: DateTime.Utc) =>
        Effect.map(
          Effect.forEach(chunksOf(entries), (chunk) =>
            sql.unsafe<{ readonly bytes: number }>(
              `INSERT INTO snapshot_facts (account_id, key, deflated, used_at)
               SELECT $1, f.key, f.deflated, $4::timestamptz FROM unnest($2::text[], $3::bytea[]) AS f (key, deflated)
               ON CONFLICT (account_id, key) DO NOTHING RETURNING length(deflated) AS bytes`,
              [account, chunk.map(({ key }) => key), chunk.map(({ deflated }) => deflated), iso(at)]
            )),
          (inserted) => sum(inserted.flat())
        ),

      /** Takes away those that were used longest ago, until they made up so many bytes. The bytes that they took. */
      removeOldest: (account: string, bytes: number) =>
        Effect.map(
          sql.unsafe<{ readonly bytes: number }>(
            `WITH sized AS (
               SELECT key, sum(length(deflated)) OVER (ORDER BY used_at, key) - length(deflated) AS before
               FROM snapshot_facts WHERE account_id = $1
             )
             DELETE FROM snapshot_facts f USING sized s
             WHERE f.account_id = $1 AND f.key = s.key AND s.before < $2::int8 RETURNING length(f.deflated) AS bytes`,
            [account, bytes]
          ),
          sum
        )
    }
  })
}) {
  static readonly layer = Layer.effect(FactRepository, FactRepository.make)
}
