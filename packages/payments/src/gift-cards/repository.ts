/** Gift cards in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type GiftCard, type GiftCardFilter, GiftCardId } from "./model.ts"

const isGiftCardId = Schema.is(GiftCardId)

export class GiftCardRepository extends Context.Service<GiftCardRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<GiftCard | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: GiftCardFilter, page: PageRequest) => Effect.Effect<Page<GiftCard>>
}>()("@svc/payments/GiftCardRepository") {
  static readonly layer = Layer.effect(GiftCardRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      if (!isGiftCardId(id)) return undefined
      const [row] = yield* sql`SELECT * FROM gift_cards WHERE merchant_id = ${account} AND id = ${id}`
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const list = (account: string, { currency, status }: GiftCardFilter, page: PageRequest) => {
      const where = [
        sql`merchant_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(currency === undefined ? [] : [sql`currency = ${currency}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "gift_cards", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return GiftCardRepository.of({ find, list })
  }))
}
