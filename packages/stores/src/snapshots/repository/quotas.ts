/** How many snapshots were made and what they take, in Postgres, for all processes together. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** What an account keeps, in compressed bytes. */
export interface Usage {
  readonly snapshot_bytes: number
  readonly fact_bytes: number
}

const hourBefore = (at: DateTime.Utc): string => iso(DateTime.subtract(at, { hours: 1 }))

export class SnapshotQuotas extends Context.Service<SnapshotQuotas>()("@svc/stores/SnapshotQuotas", {
  make: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const isCounted = (statement: string, values: ReadonlyArray<unknown>) =>
      Effect.map(sql.unsafe(`${statement} RETURNING made`, values), ({ length }) => length === 1)

    return {
      /** Counts one more snapshot of a month, such as `2026-11`. False, and nothing is counted, where there are `most` already. */
      takeOfMonth: (account: string, month: string, most: number) =>
        isCounted(
          `INSERT INTO snapshot_accounts AS a (account_id, month, made) SELECT $1, $2::date, 1 WHERE $3::int4 > 0
           ON CONFLICT (account_id) DO UPDATE SET month = greatest(a.month, excluded.month),
             made = 1 + CASE WHEN a.month >= excluded.month THEN a.made ELSE 0 END
           WHERE a.month < excluded.month OR a.made < $3::int4`,
          [account, `${month}-01`, most]
        ),

      giveBackOfMonth: (account: string, month: string) =>
        Effect.asVoid(sql.unsafe(
          `UPDATE snapshot_accounts SET made = made - 1 WHERE account_id = $1 AND month = $2::date AND made > 0`,
          [account, `${month}-01`]
        )),

      /** Counts one more of an hour that begins with the first. False, and nothing is counted, where there are `most` already. */
      takeOfNetwork: (network_sha256: string, at: DateTime.Utc, most: number) =>
        isCounted(
          `INSERT INTO snapshot_networks AS n (network_sha256, since, made) VALUES ($1, $2::timestamptz, 1)
           ON CONFLICT (network_sha256) DO UPDATE
             SET since = CASE WHEN n.since <= $3::timestamptz THEN excluded.since ELSE n.since END,
                 made = CASE WHEN n.since <= $3::timestamptz THEN 1 ELSE n.made + 1 END
           WHERE n.since <= $3::timestamptz OR n.made < $4::int4`,
          [network_sha256, iso(at), hourBefore(at), most]
        ),

      forgetNetworks: (at: DateTime.Utc) =>
        Effect.asVoid(sql.unsafe(`DELETE FROM snapshot_networks WHERE since <= $1::timestamptz`, [hourBefore(at)])),

      usage: (account: string) =>
        Effect.map(
          sql.unsafe<Usage>(`SELECT snapshot_bytes, fact_bytes FROM snapshot_accounts WHERE account_id = $1`, [account]),
          ([row]): Usage => row ?? { snapshot_bytes: 0, fact_bytes: 0 }
        ),

      addUsage: (account: string, { fact_bytes = 0, snapshot_bytes = 0 }: Partial<Usage>) =>
        Effect.asVoid(sql.unsafe(
          `INSERT INTO snapshot_accounts AS a (account_id, snapshot_bytes, fact_bytes)
           VALUES ($1, greatest($2::int8, 0), greatest($3::int8, 0))
           ON CONFLICT (account_id) DO UPDATE SET snapshot_bytes = a.snapshot_bytes + $2::int8, fact_bytes = a.fact_bytes + $3::int8`,
          [account, snapshot_bytes, fact_bytes]
        ))
    }
  })
}) {
  static readonly layer = Layer.effect(SnapshotQuotas, SnapshotQuotas.make)
}
