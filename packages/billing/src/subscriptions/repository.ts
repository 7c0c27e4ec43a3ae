/** Subscriptions in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { ulidFloor } from "@svc/kernel/ids"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { decodeRow } from "./model.ts"
import type { Subscription, SubscriptionFilter } from "./model.ts"

export class SubscriptionRepository extends Context.Service<SubscriptionRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Subscription | undefined>
  /** Those of the account with these ids, in any order. */
  readonly findAll: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Subscription>>
  /** The ids of the oldest that run on a plan and are not to end yet: now, or with their period, which one that leaves the plan then need not. */
  readonly toEnd: (account: string, plan: string, at_period_end: boolean, most: number) => Effect.Effect<ReadonlyArray<string>>
  /** How many have not ended. */
  readonly running: (account: string) => Effect.Effect<number>
  /** Newest first. */
  readonly list: (account: string, filter: SubscriptionFilter, page: PageRequest) => Effect.Effect<Page<Subscription>>
}>()("@svc/billing/SubscriptionRepository") {
  static readonly layer = Layer.effect(SubscriptionRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const conditions = (account: string, filter: SubscriptionFilter) => {
      const { "created_at[gte]": from, "created_at[lt]": before } = filter
      return [
        sql`account_id = ${account}`,
        ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
        ...(filter.plan_id === undefined ? [] : [sql`plan_id = ${filter.plan_id}`]),
        ...(filter.customer_id === undefined ? [] : [sql`customer_id = ${filter.customer_id}`]),
        // An id begins with its creation time, so a time range is a range of the primary key.
        ...(from === undefined ? [] : [sql`id >= ${ulidFloor("sub", from.epochMilliseconds)}`]),
        ...(before === undefined ? [] : [sql`id < ${ulidFloor("sub", before.epochMilliseconds)}`])
      ]
    }

    const find = Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM subscriptions WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : decodeRow(row)
    }, Effect.orDie)

    const findAll = (account: string, ids: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(sql`SELECT * FROM subscriptions WHERE account_id = ${account} AND id = ANY(${ids}::text[])`, (rows) => rows.map((row) => decodeRow(row))))

    const toEnd = (account: string, plan: string, at_period_end: boolean, most: number) =>
      Effect.orDie(Effect.map(
        sql<{ readonly id: string }>`SELECT id FROM subscriptions WHERE account_id = ${account} AND plan_id = ${plan} AND status <> 'canceled'
          AND ${at_period_end ? sql`NOT cancel_at_end AND pending_change IS NULL` : sql`true`} ORDER BY id LIMIT ${most}`,
        (rows) => rows.map(({ id }) => id)
      ))

    const running = (account: string) =>
      Effect.orDie(Effect.map(
        sql<{ readonly n: number }>`SELECT count(*) AS n FROM subscriptions WHERE account_id = ${account} AND status <> 'canceled'`,
        ([found]) => found?.n ?? 0
      ))

    const list = (account: string, filter: SubscriptionFilter, page: PageRequest) =>
      Effect.orDie(Effect.map(listPage(sql, { table: "subscriptions", where: conditions(account, filter) }, page), (rows) => mapPage(rows, decodeRow)))

    return SubscriptionRepository.of({ find, findAll, list, running, toEnd })
  }))
}
