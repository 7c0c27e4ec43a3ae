/** Subscriptions in Postgres. Every method takes the account first. */
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Subscription, type SubscriptionFilter, subscriptionFilters, subscriptions } from "./model.ts"

export class SubscriptionRepository extends Context.Service<
  SubscriptionRepository,
  Reader<Subscription, SubscriptionFilter> & {
    /**
     * The ids of the oldest subscriptions that run on a plan and are not to end yet: now, or with their period. A subscription that leaves
     * the plan with its period need not end with it.
     */
    readonly toEnd: (account: string, plan: string, at_period_end: boolean, most: number) => Effect.Effect<ReadonlyArray<string>>
    /** The number of subscriptions that have not ended. */
    readonly running: (account: string) => Effect.Effect<number>
  }
>()("@svc/billing/SubscriptionRepository") {
  static readonly layer = Layer.effect(
    SubscriptionRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(subscriptions, { name: "subscription", prefix: "sub", filters: subscriptionFilters })

      const toEnd = (account: string, plan: string, at_period_end: boolean, most: number) =>
        Effect.orDie(Effect.map(
          sql<{ readonly id: string }>`SELECT id FROM subscriptions
          WHERE account_id = ${account} AND plan_id = ${plan} AND status <> 'canceled'
          AND ${at_period_end ? sql`NOT cancel_at_end AND pending_change IS NULL` : sql`true`} ORDER BY id LIMIT ${most}`,
          (rows) => rows.map(({ id }) => id)
        ))

      const running = (account: string) =>
        Effect.orDie(Effect.map(
          sql<{ readonly n: number }>`SELECT count(*) AS n FROM subscriptions WHERE account_id = ${account} AND status <> 'canceled'`,
          ([row]) => row?.n ?? 0
        ))

      return SubscriptionRepository.of({ ...reader, toEnd, running })
    })
  )
}
