/** Payment intents in Postgres. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { sumRows } from "@svc/kernel/resource/sums"
import { ulidFloor } from "@svc/kernel/values/ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Statement } from "effect/sql"
import { type PaymentIntent, type PaymentIntentFilter, paymentIntents, type PaymentIntentSums, paymentIntentSums } from "./model.ts"

/** The rows of one payment or of several. The lists have filters that are more than columns. */
type PaymentIntentReader = Pick<Reader<PaymentIntent, unknown>, "find" | "findByIds" | "get">

export class PaymentIntentRepository extends Context.Service<
  PaymentIntentRepository,
  PaymentIntentReader & {
    /** The intent whose open call is this attempt. Takes no account: a provider names only its call. */
    readonly findByAttempt: (attempt: string) => Effect.Effect<PaymentIntent | undefined>
    /** The number of payments that are authorized, or wait for an answer or a person. */
    readonly held: (account: string) => Effect.Effect<number>
    /** Newest first. The cost of a page and of its total does not depend on how many intents there are. */
    readonly list: (account: string, filter: PaymentIntentFilter, page: PageRequest) => Effect.Effect<Page<PaymentIntent>>
    /** Reads all that match. */
    readonly sums: (account: string, filter: PaymentIntentFilter) => Effect.Effect<PaymentIntentSums>
  }
>()("@svc/payments/PaymentIntentRepository") {
  static readonly layer = Layer.effect(
    PaymentIntentRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { find, findByIds, get } = yield* readerOf(paymentIntents, { name: "payment intent", prefix: "pi", filters: {} })

      const conditions = (account: string, filter: PaymentIntentFilter): Array<Statement.Fragment> => {
        const all: Array<Statement.Fragment> = [sql`merchant_id = ${account}`]
        if (filter.state !== undefined) all.push(sql`state = ${filter.state}`)
        if (filter.currency !== undefined) all.push(sql`currency = ${filter.currency}`)
        if (filter["amount[gte]"] !== undefined) all.push(sql`amount >= ${filter["amount[gte]"]}`)
        if (filter["amount[lte]"] !== undefined) all.push(sql`amount <= ${filter["amount[lte]"]}`)
        // An id begins with its creation time, so a time range is a range of the primary key.
        const { "created_at[gte]": from, "created_at[lt]": before } = filter
        if (from !== undefined) all.push(sql`id >= ${ulidFloor("pi", from.epochMilliseconds)}`)
        if (before !== undefined) all.push(sql`id < ${ulidFloor("pi", before.epochMilliseconds)}`)
        if (filter.customer_id !== undefined) all.push(sql`customer_id = ${filter.customer_id}`)
        if (filter.selected_rail !== undefined) all.push(sql`selected_rail = ${filter.selected_rail}`)
        if (filter.provider_reference !== undefined) all.push(sql`provider_reference = ${filter.provider_reference}`)
        if (filter.metadata !== undefined) {
          all.push(sql`metadata @> ${JSON.stringify(filter.metadata)}::jsonb AND metadata <> '{}'::jsonb`)
        }
        if (filter.q !== undefined) {
          const q = filter.q
          all.push(sql`(id = ${q} OR customer_id = ${q} OR provider_reference = ${q}
          OR id = (SELECT resource_id FROM idempotency_keys WHERE key = ${q} AND account_id = ${account}))`)
        }
        return all
      }

      const findByAttempt = Effect.fnUntraced(function*(attempt: string) {
        const rows = yield* Effect.orDie(
          sql`SELECT * FROM payment_intents WHERE open_call IS NOT NULL AND open_call->>'attempt_id' = ${attempt}`
        )
        return rows[0] === undefined ? undefined : paymentIntents.decode(rows[0])
      })

      const held = (account: string) =>
        Effect.orDie(Effect.map(
          sql<
            { readonly n: number }
          >`SELECT count(*) AS n FROM payment_intents WHERE merchant_id = ${account} AND state IN ('authorized', 'pending')`,
          ([row]) => row?.n ?? 0
        ))

      const list = (account: string, filter: PaymentIntentFilter, page: PageRequest) =>
        listPage(sql, { table: "payment_intents", where: conditions(account, filter) }, page).pipe(
          Effect.map((rows) => mapPage(rows, paymentIntents.decode)),
          Effect.orDie
        )

      const sums = (account: string, filter: PaymentIntentFilter) =>
        Effect.orDie(sumRows(sql, { table: "payment_intents", fields: paymentIntentSums, where: conditions(account, filter) }))

      return PaymentIntentRepository.of({ find, findByAttempt, findByIds, get, held, list, sums })
    })
  )
}
