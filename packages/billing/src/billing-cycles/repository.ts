/** Billing cycles in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { ulidFloor } from "@svc/kernel/ids"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { iso } from "@svc/kernel/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow } from "./model.ts"
import type { BillingCycle, BillingCycleFilter } from "./model.ts"

export class BillingCycleRepository extends Context.Service<BillingCycleRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<BillingCycle | undefined>
  /** Those of the account with these ids, in any order. */
  readonly findAll: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<BillingCycle>>
  /** Those of a subscription that are pending, oldest first. */
  readonly pendingOf: (account: string, subscription: string) => Effect.Effect<ReadonlyArray<BillingCycle>>
  /** The ids of those that are pending and charged with the default method of this customer. */
  readonly pendingByDefault: (account: string, customer: string) => Effect.Effect<ReadonlyArray<string>>
  /** All of a subscription, oldest first: those of the current period, when that begins at `since`. */
  readonly of: (account: string, subscription: string, since?: DateTime.Utc) => Effect.Effect<ReadonlyArray<BillingCycle>>
  /** Newest first. */
  readonly list: (account: string, filter: BillingCycleFilter, page: PageRequest) => Effect.Effect<Page<BillingCycle>>
}>()("@svc/billing/BillingCycleRepository") {
  static readonly layer = Layer.effect(BillingCycleRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const conditions = (account: string, filter: BillingCycleFilter) => {
      const { "created_at[gte]": from, "created_at[lt]": before } = filter
      return [
        sql`account_id = ${account}`,
        ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
        ...(filter.subscription_id === undefined ? [] : [sql`subscription_id = ${filter.subscription_id}`]),
        ...(filter.plan_id === undefined ? [] : [sql`plan_id = ${filter.plan_id}`]),
        // An id begins with its creation time, so a time range is a range of the primary key.
        ...(from === undefined ? [] : [sql`id >= ${ulidFloor("billcycle", from.epochMilliseconds)}`]),
        ...(before === undefined ? [] : [sql`id < ${ulidFloor("billcycle", before.epochMilliseconds)}`])
      ]
    }

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM billing_cycles WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findAll = (account: string, ids: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(sql`SELECT * FROM billing_cycles WHERE account_id = ${account} AND id = ANY(${ids}::text[])`, (rows) => rows.map((row) => decodeRow(row))))

    const list = (account: string, filter: BillingCycleFilter, page: PageRequest) =>
      Effect.orDie(Effect.map(listPage(sql, { table: "billing_cycles", where: conditions(account, filter) }, page), (rows) => mapPage(rows, decodeRow)))

    const pendingOf = (account: string, subscription: string) =>
      Effect.orDie(Effect.map(
        sql`SELECT * FROM billing_cycles WHERE account_id = ${account} AND subscription_id = ${subscription} AND status = 'pending' ORDER BY id`,
        (rows) => rows.map((row) => decodeRow(row))
      ))

    const pendingByDefault = (account: string, customer: string) =>
      Effect.orDie(Effect.map(
        sql<{ readonly id: string }>`SELECT c.id FROM subscriptions s JOIN billing_cycles c ON c.account_id = s.account_id AND c.subscription_id = s.id
          WHERE s.account_id = ${account} AND s.customer_id = ${customer} AND s.payment_method_id IS NULL AND c.status = 'pending' ORDER BY c.id`,
        (rows) => rows.map(({ id }) => id)
      ))

    const of = (account: string, subscription: string, since?: DateTime.Utc) =>
      Effect.orDie(Effect.map(
        sql`SELECT * FROM billing_cycles WHERE account_id = ${account} AND subscription_id = ${subscription}
          AND ${since === undefined ? sql`true` : sql`period_start >= ${iso(since)}::timestamptz`} ORDER BY id`,
        (rows) => rows.map((row) => decodeRow(row))
      ))

    return BillingCycleRepository.of({ of, pendingOf, pendingByDefault, find, findAll, list })
  }))
}
