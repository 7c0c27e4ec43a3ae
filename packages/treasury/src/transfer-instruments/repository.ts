/** Transfer instruments in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type InstrumentFilter, type TransferInstrument } from "./model.ts"

export class TransferInstrumentRepository extends Context.Service<TransferInstrumentRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<TransferInstrument | undefined>
  /** Those of the account with these ids, in any order. */
  readonly findAll: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<TransferInstrument>>
  /** The default of this type and currency. */
  readonly standard: (account: string, of: Pick<TransferInstrument, "type" | "currency">) => Effect.Effect<TransferInstrument | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: InstrumentFilter, page: PageRequest) => Effect.Effect<Page<TransferInstrument>>
}>()("@svc/treasury/TransferInstrumentRepository") {
  static readonly layer = Layer.effect(TransferInstrumentRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM transfer_instruments WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findAll = (account: string, ids: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(sql`SELECT * FROM transfer_instruments WHERE account_id = ${account} AND id = ANY(${ids}::text[])`, (rows) => rows.map((row) => decodeRow(row))))

    const standard = Effect.fnUntraced(function*(account: string, { currency, type }: Pick<TransferInstrument, "type" | "currency">) {
      const [row] = yield* reader.unsafe("SELECT * FROM transfer_instruments WHERE account_id = $1 AND type = $2 AND currency = $3 AND is_default", [account, type, currency])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = (account: string, { currency, status, type }: InstrumentFilter, page: PageRequest) => {
      const where = [
        sql`account_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(type === undefined ? [] : [sql`type = ${type}`]),
        ...(currency === undefined ? [] : [sql`currency = ${currency}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "transfer_instruments", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return TransferInstrumentRepository.of({ find, findAll, standard, list })
  }))
}
