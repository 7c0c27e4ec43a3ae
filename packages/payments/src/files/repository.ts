/** Files in Postgres. Every method takes the account first. */
import { witnessed } from "@svc/kernel/parts/actor"
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type File, type FilePurpose } from "./model.ts"

const COLUMNS = "merchant_id, id, purpose, filename, content_type, size, sha256, created_at"

export class FileRepository extends Context.Service<FileRepository, {
  /** Keeps it, unless the account has the same bytes for the same purpose: then that file. */
  readonly keep: (file: File, content: Uint8Array) => Effect.Effect<File>
  readonly count: (account: string) => Effect.Effect<number>
  readonly find: (account: string, id: string) => Effect.Effect<File | undefined>
  /** The ids among these that are files of the account. */
  readonly findAll: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<File>>
  readonly content: (account: string, id: string) => Effect.Effect<Uint8Array | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: { readonly purpose?: FilePurpose }, page: PageRequest) => Effect.Effect<Page<File>>
}>()("@svc/payments/FileRepository") {
  static readonly layer = Layer.effect(
    FileRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(COLUMNS)

      const insert = Effect.fnUntraced(function*(file: File, content: Uint8Array) {
        const { content_type, created_at, filename, id, merchant_id, purpose, sha256, size } = file
        yield* sql`INSERT INTO files (${columns}, content)
        VALUES (${merchant_id}, ${id}, ${purpose}, ${filename}, ${content_type}, ${size}, ${sha256}, ${
          DateTime.formatIso(created_at)
        }, ${content})
        ON CONFLICT (merchant_id, purpose, sha256) DO NOTHING`
        const [row] =
          yield* sql`SELECT ${columns} FROM files WHERE merchant_id = ${merchant_id} AND purpose = ${purpose} AND sha256 = ${sha256}`
        return decodeRow(row)
      })

      const keep = (file: File, content: Uint8Array) =>
        Effect.orDie(
          witnessed(sql)(insert(file, content), ({ id, merchant_id }) => ({
            account_id: merchant_id,
            resource_type: "file",
            resource_ids: id === file.id ? [id] : [],
            action: "created"
          }))
        )

      const count = (account: string) =>
        Effect.orDie(
          Effect.map(
            sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM files WHERE merchant_id = ${account}`,
            ([row]) => row?.n ?? 0
          )
        )

      const findAll = (account: string, ids: ReadonlyArray<string>) =>
        Effect.orDie(
          Effect.map(sql`SELECT ${columns} FROM files WHERE merchant_id = ${account} AND id = ANY(${ids}::text[])`, (rows) =>
            rows.map((row) => decodeRow(row)))
        )

      const content = (account: string, id: string) =>
        Effect.orDie(
          Effect.map(
            sql<{ readonly content: Uint8Array }>`SELECT content FROM files WHERE merchant_id = ${account} AND id = ${id}`,
            ([row]) => row?.content
          )
        )

      const list = (account: string, { purpose }: { readonly purpose?: FilePurpose }, page: PageRequest) => {
        const where = [sql`merchant_id = ${account}`, ...(purpose === undefined ? [] : [sql`purpose = ${purpose}`])]
        return Effect.orDie(Effect.map(listPage(sql, { table: "files", where, columns }, page), (rows) => mapPage(rows, decodeRow)))
      }

      return FileRepository.of({
        keep,
        count,
        find: (account, id) => Effect.map(findAll(account, [id]), ([file]) => file),
        findAll,
        content,
        list
      })
    })
  )
}
