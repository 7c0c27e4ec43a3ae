/** Disputes in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { ulidFloor } from "@svc/kernel/ids"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow, type Dispute, type DisputeFilter } from "./model.ts"

export class DisputeRepository extends Context.Service<DisputeRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Dispute | undefined>
  /** Those of a payment, newest first. */
  readonly ofPayment: (account: string, intent: string) => Effect.Effect<ReadonlyArray<Dispute>>
  /** How many are not closed. */
  readonly open: (account: string) => Effect.Effect<number>
  /** Newest first. */
  readonly list: (account: string, filter: DisputeFilter, page: PageRequest) => Effect.Effect<Page<Dispute>>
}>()("@svc/payments/DisputeRepository") {
  static readonly layer = Layer.effect(DisputeRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM disputes WHERE merchant_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const ofPayment = (account: string, intent: string) =>
      Effect.orDie(Effect.map(
        reader.unsafe("SELECT * FROM disputes WHERE merchant_id = $1 AND payment_intent_id = $2 ORDER BY id DESC", [account, intent]),
        (rows) => rows.map((row) => decodeRow(row))
      ))

    const open = (account: string) =>
      Effect.orDie(Effect.map(
        sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM disputes WHERE merchant_id = ${account} AND status IN ('open', 'under_review')`,
        ([row]) => row?.n ?? 0
      ))

    const list = (account: string, filter: DisputeFilter, page: PageRequest) => {
      const { "created_at[gte]": since, "created_at[lt]": until, currency, payment_intent_id, status } = filter
      const where = [
        sql`merchant_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(payment_intent_id === undefined ? [] : [sql`payment_intent_id = ${payment_intent_id}`]),
        ...(currency === undefined ? [] : [sql`currency = ${currency}`]),
        // An id begins with its creation time, so a time range is a range of the primary key.
        ...(since === undefined ? [] : [sql`id >= ${ulidFloor("dp", since.epochMilliseconds)}`]),
        ...(until === undefined ? [] : [sql`id < ${ulidFloor("dp", until.epochMilliseconds)}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "disputes", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return DisputeRepository.of({ find, ofPayment, open, list })
  }))
}
