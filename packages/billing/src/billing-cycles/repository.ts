/** Billing cycles in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { rowsOf } from "../common/rows.ts"
import { type BillingCycle, type BillingCycleFilter, billingCycleFilters, billingCycles } from "./model.ts"

export class BillingCycleRepository extends Context.Service<
  BillingCycleRepository,
  Reader<BillingCycle, BillingCycleFilter> & {
    /** The oldest pending cycle of each of these subscriptions, in any order. */
    readonly oldestPending: (account: string, subscriptions: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<BillingCycle>>
    /** The pending cycles of a subscription, oldest first. */
    readonly pendingOf: (account: string, subscription: string) => Effect.Effect<ReadonlyArray<BillingCycle>>
    /**
     * The ids of the pending cycles that are charged with the default method of this customer: those of subscriptions without a method of
     * their own, and of subscriptions whose own was revoked or is another customer's.
     */
    readonly pendingByDefault: (account: string, customer: string) => Effect.Effect<ReadonlyArray<string>>
    /** The ids of the pending cycles of this customer whose subscriptions have this method of their own. */
    readonly pendingByMethod: (account: string, customer: string, method: string) => Effect.Effect<ReadonlyArray<string>>
    /** The cycles of a subscription, oldest first: all of them, or those of the period that began at `since`. */
    readonly of: (account: string, subscription: string, since?: DateTime.Utc) => Effect.Effect<ReadonlyArray<BillingCycle>>
  }
>()("@svc/billing/BillingCycleRepository") {
  static readonly layer = Layer.effect(
    BillingCycleRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(billingCycles, { name: "billing cycle", prefix: "billcycle", filters: billingCycleFilters })
      const { all } = yield* rowsOf(billingCycles)

      const pendingWhere = (account: string, customer: string, own: Statement.Fragment) =>
        Effect.orDie(Effect.map(
          sql<{ readonly id: string }>`SELECT c.id FROM subscriptions s
          JOIN billing_cycles c ON c.account_id = s.account_id AND c.subscription_id = s.id
          WHERE s.account_id = ${account} AND s.customer_id = ${customer} AND c.status = 'pending' AND ${own}
          ORDER BY c.id`,
          (rows) => rows.map(({ id }) => id)
        ))
      const isDefault = sql`(s.payment_method_id IS NULL OR EXISTS (
        SELECT FROM payment_methods m WHERE m.account_id = s.account_id AND m.id = s.payment_method_id
        AND (m.status <> 'active' OR m.customer_id <> s.customer_id)))`

      return BillingCycleRepository.of({
        ...reader,
        oldestPending: (account, subscriptions) =>
          subscriptions.length === 0
            ? Effect.succeed([])
            : all(sql`SELECT DISTINCT ON (subscription_id) * FROM billing_cycles
          WHERE account_id = ${account} AND subscription_id = ANY(${subscriptions}::text[]) AND status = 'pending'
          ORDER BY subscription_id, id`),
        pendingOf: (account, subscription) =>
          all(sql`SELECT * FROM billing_cycles
          WHERE account_id = ${account} AND subscription_id = ${subscription} AND status = 'pending' ORDER BY id`),
        pendingByDefault: (account, customer) => pendingWhere(account, customer, isDefault),
        pendingByMethod: (account, customer, method) => pendingWhere(account, customer, sql`s.payment_method_id = ${method}`),
        of: (account, subscription, since) =>
          all(sql`SELECT * FROM billing_cycles WHERE account_id = ${account} AND subscription_id = ${subscription}
          AND ${since === undefined ? sql`true` : sql`period_start >= ${iso(since)}::timestamptz`} ORDER BY id`)
      })
    })
  )
}
