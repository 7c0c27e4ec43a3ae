/** Plans in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type Plan, type PlanFilter } from "./model.ts"

export class PlanRepository extends Context.Service<PlanRepository, {
  /** One keyed read: renewals make it again and again. */
  readonly find: (account: string, id: string) => Effect.Effect<Plan | undefined>
  /** Those of the account with these ids, in any order. */
  readonly findAll: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Plan>>
  /** Newest first. */
  readonly list: (account: string, filter: PlanFilter, page: PageRequest) => Effect.Effect<Page<Plan>>
}>()("@svc/billing/PlanRepository") {
  static readonly layer = Layer.effect(PlanRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM plans WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findAll = (account: string, ids: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(sql`SELECT * FROM plans WHERE account_id = ${account} AND id = ANY(${ids}::text[])`, (rows) => rows.map((row) => decodeRow(row))))

    const list = (account: string, { billing_period, currency, external_id, status }: PlanFilter, page: PageRequest) => {
      const where = [
        sql`account_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
        ...(billing_period === undefined ? [] : [sql`billing_period = ${billing_period}`]),
        ...(external_id === undefined ? [] : [sql`external_id = ${external_id}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "plans", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return PlanRepository.of({ find, findAll, list })
  }))
}
