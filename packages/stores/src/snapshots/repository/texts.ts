/** What snapshots hold, in Postgres: files and artifacts, compressed. Every method takes the account first. */
import type { Artifact } from "@svc/tool-kit/services/snapshots"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SnapshotFile, StoredArtifact } from "../model.ts"
import { chunksOf, ROWS_AT_ONCE } from "./chunks.ts"

const OWN = "account_id = $1 AND snapshot_id = $2"

/** What every text of a snapshot has. */
export type Text = Pick<StoredArtifact, "path" | "deflated">

export class SnapshotTexts extends Context.Service<SnapshotTexts>()("@svc/stores/SnapshotTexts", {
  make: Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** Those after a path, in the order of paths: as many as travel at once. */
    const after =
      <A extends Text>(table: "snapshot_files" | "snapshot_artifacts", columns: string) => (account: string, id: string, path: string) =>
        sql.unsafe<A>(`SELECT ${columns} FROM ${table} WHERE ${OWN} AND path > $3 ORDER BY path LIMIT ${ROWS_AT_ONCE}`, [account, id, path])

    /** The sum over the rows of a statement that tells the bytes of each. */
    const bytesOf = (statement: string, values: ReadonlyArray<unknown>) =>
      Effect.map(
        sql.unsafe<{ readonly bytes: number }>(statement, values),
        (rows) => rows.reduce((sum, { bytes }) => sum + bytes, 0)
      )

    return {
      addFiles: (account: string, id: string, files: ReadonlyArray<SnapshotFile>) =>
        Effect.forEach(chunksOf(files), (chunk) =>
          sql.unsafe(
            `INSERT INTO snapshot_files (account_id, snapshot_id, path, sha256, bytes, lines, deflated)
             SELECT $1, $2, f.* FROM unnest($3::text[], $4::text[], $5::int4[], $6::int4[], $7::bytea[]) AS f`,
            [
              account,
              id,
              chunk.map(({ path }) => path),
              chunk.map(({ sha256 }) => sha256),
              chunk.map(({ bytes }) => bytes),
              chunk.map(({ lines }) => lines),
              chunk.map(({ deflated }) => deflated)
            ]
          ), { discard: true }),

      addArtifacts: (account: string, id: string, artifacts: ReadonlyArray<StoredArtifact>) =>
        Effect.forEach(chunksOf(artifacts), (chunk) =>
          sql.unsafe(
            `INSERT INTO snapshot_artifacts (account_id, snapshot_id, path, program, free, evidence, bytes, sha256, deflated, citations)
             SELECT $1, $2, a.*
             FROM unnest($3::text[], $4::text[], $5::bool[], $6::text[], $7::int4[], $8::text[], $9::bytea[], $10::bytea[]) AS a`,
            [
              account,
              id,
              chunk.map(({ path }) => path),
              chunk.map(({ program }) => program),
              chunk.map(({ free }) => free),
              chunk.map(({ evidence }) => evidence),
              chunk.map(({ bytes }) => bytes),
              chunk.map(({ sha256 }) => sha256),
              chunk.map(({ deflated }) => deflated),
              chunk.map(({ citations }) => citations)
            ]
          ), { discard: true }),

      filesAfter: after<SnapshotFile>("snapshot_files", "path, sha256, bytes, lines, deflated"),
      artifactsAfter: after<Text>("snapshot_artifacts", "path, deflated"),

      /** Without their texts, in the order of paths. */
      artifacts: (account: string, id: string) =>
        sql.unsafe<Artifact>(
          `SELECT path, program, free, bytes, sha256, evidence FROM snapshot_artifacts WHERE ${OWN} ORDER BY path`,
          [account, id]
        ),

      artifact: (account: string, id: string, path: string) =>
        Effect.map(
          sql.unsafe<Pick<StoredArtifact, "deflated" | "citations">>(
            `SELECT deflated, citations FROM snapshot_artifacts WHERE ${OWN} AND path = $3`,
            [account, id, path]
          ),
          ([row]) => row
        ),

      /** The compressed bytes that they took. */
      removeFiles: (account: string, id: string) =>
        bytesOf(`DELETE FROM snapshot_files WHERE ${OWN} RETURNING length(deflated) AS bytes`, [account, id]),

      /** The compressed bytes that they took. */
      removeArtifacts: (account: string, id: string, paths: ReadonlyArray<string>) =>
        bytesOf(
          `DELETE FROM snapshot_artifacts WHERE ${OWN} AND path = ANY($3::text[]) RETURNING length(deflated) + length(citations) AS bytes`,
          [account, id, paths]
        )
    }
  })
}) {
  static readonly layer = Layer.effect(SnapshotTexts, SnapshotTexts.make)
}
