/** Approvals in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Approval, type ApprovalFilter, decodeRow } from "./model.ts"

export class ApprovalRepository extends Context.Service<ApprovalRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Approval | undefined>
  /** The latest of this payment. */
  readonly findByIntent: (account: string, intent: string) => Effect.Effect<Approval | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: ApprovalFilter, page: PageRequest) => Effect.Effect<Page<Approval>>
}>()("@svc/payments/ApprovalRepository") {
  static readonly layer = Layer.effect(ApprovalRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const first = (text: string, values: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(reader.unsafe(text, values), ([row]) => row === undefined ? undefined : decodeRow(row)))

    const list = (account: string, { payment_intent_id, status }: ApprovalFilter, page: PageRequest) => {
      const where = [
        sql`merchant_id = ${account}`,
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(payment_intent_id === undefined ? [] : [sql`payment_intent_id = ${payment_intent_id}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "approvals", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return ApprovalRepository.of({
      find: (account, id) => first("SELECT * FROM approvals WHERE merchant_id = $1 AND id = $2", [account, id]),
      findByIntent: (account, intent) => first("SELECT * FROM approvals WHERE merchant_id = $1 AND payment_intent_id = $2 ORDER BY id DESC LIMIT 1", [account, intent]),
      list
    })
  }))
}
