/** What the portal's pages show, read for many at once. Every method takes the account first. */
import { type BillingCycle, billingCycles } from "@svc/billing/billing-cycles/model"
import { BillingCycleRepository } from "@svc/billing/billing-cycles/repository"
import type { Plan } from "@svc/billing/plans/model"
import { PlanRepository } from "@svc/billing/plans/repository"
import type { Subscription } from "@svc/billing/subscriptions/model"
import { SubscriptionRepository } from "@svc/billing/subscriptions/repository"
import { type PaymentMethod, paymentMethods } from "@svc/payments/payment-methods/model"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** By key. What is not there is left out, and no ids make no query. */
type ReadMany<A> = (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, A>>

const manyBy =
  <A>(keyOf: (row: A) => string, find: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<A>>): ReadMany<A> =>
  (account, ids) =>
    ids.length === 0 ? Effect.succeed(new Map()) : Effect.map(find(account, ids), (rows) => new Map(rows.map((row) => [keyOf(row), row])))

const idOf = ({ id }: { readonly id: string }) => id

export class PortalRepository extends Context.Service<PortalRepository, {
  readonly cycles: ReadMany<BillingCycle>
  readonly methods: ReadMany<PaymentMethod>
  readonly plans: ReadMany<Plan>
  readonly subscriptions: ReadMany<Subscription>
  /** The oldest pending cycle of each subscription, by the subscription's id. */
  readonly oldestPending: ReadMany<BillingCycle>
  /** The cycle of the subscription's latest charge. */
  readonly latestCharged: (account: string, subscription: string) => Effect.Effect<BillingCycle | undefined>
}>()("@svc/checkout/PortalRepository") {
  static readonly layer = Layer.effect(
    PortalRepository,
    Effect.gen(function*() {
      const [cycles, plans, subscriptions] = [yield* BillingCycleRepository, yield* PlanRepository, yield* SubscriptionRepository]
      const sql = yield* SqlClient.SqlClient

      return PortalRepository.of({
        cycles: manyBy(idOf, cycles.findAll),
        plans: manyBy(idOf, plans.findByIds),
        subscriptions: manyBy(idOf, subscriptions.findAll),
        methods: manyBy(
          idOf,
          (account, ids) =>
            Effect.orDie(
              Effect.map(sql`SELECT * FROM payment_methods WHERE account_id = ${account} AND id = ANY(${ids}::text[])`, (rows) =>
                rows.map((row) => paymentMethods.decode(row)))
            )
        ),
        oldestPending: manyBy(({ subscription_id }) => subscription_id, (account, ids) =>
          Effect.orDie(Effect.map(
            sql`SELECT DISTINCT ON (subscription_id) * FROM billing_cycles
            WHERE account_id = ${account} AND subscription_id = ANY(${ids}::text[]) AND status = 'pending' ORDER BY subscription_id, id`,
            (rows) => rows.map((row) => billingCycles.decode(row))
          ))),
        latestCharged: (account, subscription) =>
          Effect.map(cycles.of(account, subscription), (all) => all.findLast(({ attempts }) => attempts.length > 0))
      })
    })
  )
}
