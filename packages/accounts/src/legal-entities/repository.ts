/** Legal entities in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type LegalEntity, type LegalEntityFilter } from "./model.ts"

export class LegalEntityRepository extends Context.Service<LegalEntityRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<LegalEntity | undefined>
  /** Those of the account with these ids, in any order. */
  readonly findAll: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<LegalEntity>>
  /** Newest first. */
  readonly list: (account: string, filter: LegalEntityFilter, page: PageRequest) => Effect.Effect<Page<LegalEntity>>
}>()("@svc/accounts/LegalEntityRepository") {
  static readonly layer = Layer.effect(LegalEntityRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM legal_entities WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findAll = (account: string, ids: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(sql`SELECT * FROM legal_entities WHERE account_id = ${account} AND id = ANY(${ids}::text[])`, (rows) => rows.map((row) => decodeRow(row))))

    const list = (account: string, { type, verification_status }: LegalEntityFilter, page: PageRequest) => {
      const where = [
        sql`account_id = ${account}`,
        ...(type === undefined ? [] : [sql`type = ${type}`]),
        ...(verification_status === undefined ? [] : [sql`verification_status = ${verification_status}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "legal_entities", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return LegalEntityRepository.of({ find, findAll, list })
  }))
}
