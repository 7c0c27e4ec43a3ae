/** Vectors in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

import type { StoredMetadata } from "../model.ts"
import type { VectorNamespace } from "./model.ts"

type Sql<A> = Effect.Effect<A, SqlError.SqlError>

export interface NewVector {
  readonly id: string
  readonly vector: Float32Array
  readonly metadata: StoredMetadata
}

export interface VectorRow {
  readonly id: string
  readonly version: number
  readonly vector: Float32Array
  readonly at: number
}

/** Rows that are read at once when a namespace is loaded: a few megabytes. */
const ROWS = 1_000

const bytesOf = ({ buffer, byteLength, byteOffset }: Float32Array): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)
/** A copy, because the driver's bytes begin anywhere and float4 only at multiples of four. */
const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer)

export class VectorRepository extends Context.Service<VectorRepository, {
  readonly namespace: (account: string, name: string) => Sql<VectorNamespace | undefined>
  /** Of all namespaces of the account. */
  readonly usage: (account: string) => Sql<{ readonly namespaces: number; readonly bytes: number }>
  readonly open: (account: string, name: string, dimensions: number, at: DateTime.Utc) => Sql<VectorNamespace>
  /** How many of these ids it has. */
  readonly countOf: (account: string, namespace: number, ids: ReadonlyArray<string>) => Sql<number>
  readonly put: (account: string, namespace: number, vectors: ReadonlyArray<NewVector>, at: DateTime.Utc) => Sql<void>
  /** What changed after this row of this version, in that order, some of it at a time. */
  readonly changes: (
    account: string,
    namespace: number,
    after: { readonly version: number; readonly id: string }
  ) => Sql<ReadonlyArray<VectorRow>>
  readonly ids: (account: string, namespace: number, filter?: StoredMetadata) => Sql<ReadonlyArray<string>>
  readonly facts: (account: string, namespace: number, ids: ReadonlyArray<string>) => Sql<ReadonlyMap<string, StoredMetadata>>
  readonly remove: (account: string, namespace: number, ids: ReadonlyArray<string>) => Sql<number>
  readonly removeNamespace: (account: string, name: string) => Sql<VectorNamespace | undefined>
}>()("@svc/stores/VectorRepository") {
  static readonly layer = Layer.effect(
    VectorRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = "id, dimensions, vectors, version, pruned"

      const put = Effect.fnUntraced(function*(account: string, namespace: number, vectors: ReadonlyArray<NewVector>, at: DateTime.Utc) {
        const ids = vectors.map(({ id }) => id)
        const added = ids.length - (yield* countOf(account, namespace, ids))
        const [head] = yield* sql.unsafe<{ readonly version: number }>(
          `UPDATE vector_namespaces SET version = nextval('vector_versions'), vectors = vectors + $3::bigint
            WHERE account_id = $1 AND id = $2::bigint RETURNING version`,
          [account, namespace, added]
        )
        yield* sql.unsafe(
          `INSERT INTO stored_vectors (account_id, namespace_id, id, version, vector, updated_at)
         SELECT $1, $2::bigint, v.id, $3::bigint, v.vector, $4::timestamptz FROM unnest($5::text[], $6::bytea[]) AS v (id, vector)
         ON CONFLICT (account_id, namespace_id, id) DO UPDATE
           SET version = excluded.version, vector = excluded.vector, updated_at = excluded.updated_at`,
          [account, namespace, head?.version, iso(at), ids, vectors.map(({ vector }) => bytesOf(vector))]
        )
        yield* sql.unsafe(
          `INSERT INTO vector_facts (account_id, namespace_id, id, metadata)
         SELECT $1, $2::bigint, v.id, v.metadata::jsonb FROM unnest($3::text[], $4::text[]) AS v (id, metadata)
         ON CONFLICT (account_id, namespace_id, id) DO UPDATE SET metadata = excluded.metadata`,
          [account, namespace, ids, vectors.map(({ metadata }) => JSON.stringify(metadata))]
        )
      })

      const countOf = (account: string, namespace: number, ids: ReadonlyArray<string>) =>
        Effect.map(
          sql.unsafe<{ readonly n: number }>(
            `SELECT count(*) AS n FROM stored_vectors WHERE account_id = $1 AND namespace_id = $2::bigint AND id = ANY($3::text[])`,
            [account, namespace, ids]
          ),
          ([row]) => row?.n ?? 0
        )

      const remove = Effect.fnUntraced(function*(account: string, namespace: number, ids: ReadonlyArray<string>) {
        const where = `account_id = $1 AND namespace_id = $2::bigint AND id = ANY($3::text[])`
        const rows = yield* sql.unsafe(`DELETE FROM stored_vectors WHERE ${where} RETURNING id`, [account, namespace, ids])
        yield* sql.unsafe(`DELETE FROM vector_facts WHERE ${where}`, [account, namespace, ids])
        if (rows.length > 0) {
          yield* sql.unsafe(
            `UPDATE vector_namespaces
              SET (version, pruned) = (SELECT v, v FROM nextval('vector_versions') v), vectors = vectors - $3::bigint
              WHERE account_id = $1 AND id = $2::bigint`,
            [account, namespace, rows.length]
          )
        }
        return rows.length
      })

      const removeNamespace = Effect.fnUntraced(function*(account: string, name: string) {
        const [gone] = yield* sql.unsafe<VectorNamespace>(
          `DELETE FROM vector_namespaces WHERE account_id = $1 AND name = $2 RETURNING ${columns}`,
          [account, name]
        )
        if (gone === undefined) return undefined
        for (const table of ["stored_vectors", "vector_facts"]) {
          yield* sql.unsafe(`DELETE FROM ${table} WHERE account_id = $1 AND namespace_id = $2::bigint`, [account, gone.id])
        }
        return gone
      })

      return VectorRepository.of({
        namespace: (account, name) =>
          Effect.map(
            sql.unsafe<VectorNamespace>(`SELECT ${columns} FROM vector_namespaces WHERE account_id = $1 AND name = $2`, [account, name]),
            ([row]) => row
          ),
        usage: (account) =>
          Effect.map(
            sql.unsafe<{ readonly namespaces: number; readonly bytes: number }>(
              `SELECT count(*) AS namespaces, coalesce(sum(vectors * dimensions * 4), 0)::bigint AS bytes FROM vector_namespaces
                WHERE account_id = $1`,
              [account]
            ),
            ([row]) => row ?? { namespaces: 0, bytes: 0 }
          ),
        open: Effect.fnUntraced(function*(account, name, dimensions, at) {
          const [row] = yield* sql.unsafe<VectorNamespace>(
            `INSERT INTO vector_namespaces (account_id, name, dimensions, vectors, version, pruned, created_at)
              VALUES ($1, $2, $3, 0, 0, 0, $4::timestamptz) RETURNING ${columns}`,
            [account, name, dimensions, iso(at)]
          )
          return row ?? (yield* Effect.die("an insert returned no row"))
        }),
        countOf,
        put,
        changes: (account, namespace, { id, version }) =>
          Effect.map(
            sql.unsafe<{ readonly id: string; readonly version: number; readonly vector: Uint8Array; readonly updated_at: string }>(
              `SELECT id, version, vector, updated_at FROM stored_vectors
           WHERE account_id = $1 AND namespace_id = $2::bigint AND (version, id) > ($3::bigint, $4::text)
             ORDER BY version, id LIMIT ${ROWS}`,
              [account, namespace, version, id]
            ),
            (rows) =>
              rows.map((row) => ({ id: row.id, version: row.version, vector: floatsOf(row.vector), at: Date.parse(row.updated_at) }))
          ),
        ids: (account, namespace, filter = {}) =>
          Effect.map(
            sql.unsafe<{ readonly ids: ReadonlyArray<string> }>(
              `SELECT coalesce(array_agg(id), '{}') AS ids FROM vector_facts
                WHERE account_id = $1 AND namespace_id = $2::bigint AND metadata @> $3::jsonb`,
              [account, namespace, JSON.stringify(filter)]
            ),
            ([row]) => row?.ids ?? []
          ),
        facts: (account, namespace, ids) =>
          Effect.map(
            sql.unsafe<{ readonly id: string; readonly metadata: StoredMetadata }>(
              `SELECT id, metadata FROM vector_facts WHERE account_id = $1 AND namespace_id = $2::bigint AND id = ANY($3::text[])`,
              [account, namespace, ids]
            ),
            (rows) => new Map(rows.map(({ id, metadata }) => [id, metadata]))
          ),
        remove,
        removeNamespace
      })
    })
  )
}
