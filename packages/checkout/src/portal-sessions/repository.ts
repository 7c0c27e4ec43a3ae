/** Portal sessions in Postgres. Every method takes the account first, but for the page, which knows a session by its address. */
import { listPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { addressesOf } from "../addresses.ts"
import { SqlClient } from "effect/sql"
import { decodeRow, type PortalSession, type PortalSessionFilter } from "./model.ts"

export class PortalSessionRepository extends Context.Service<PortalSessionRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<PortalSession | undefined>
  /** Whoever's it is: for those who were sent its address. */
  readonly findAnyones: (id: string) => Effect.Effect<PortalSession | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: PortalSessionFilter, page: PageRequest) => Effect.Effect<Page<PortalSession>>
}>()("@svc/checkout/PortalSessionRepository") {
  static readonly layer = Layer.effect(PortalSessionRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const addressed = yield* addressesOf
    const read = (row: object) => Effect.map(addressed(row), decodeRow)

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* sql`SELECT * FROM portal_sessions WHERE account_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : yield* read(row)
    }, Effect.orDie)

    const findAnyones = Effect.fnUntraced(function*(id: string) {
      const [row] = yield* sql`SELECT * FROM portal_sessions WHERE id = ${id}`
      return row === undefined ? undefined : yield* read(row)
    }, Effect.orDie)

    const list = (account: string, { customer_id, status }: PortalSessionFilter, page: PageRequest) => {
      const where = [
        sql`account_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`])
      ]
      return Effect.orDie(Effect.flatMap(listPage(sql, { table: "portal_sessions", where }, page), (rows) =>
        Effect.map(Effect.forEach(rows.data, read), (data) => ({ ...rows, data }))))
    }

    return PortalSessionRepository.of({ find, findAnyones, list })
  }))
}
