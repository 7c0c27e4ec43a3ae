/** What receivers of events route by: told where the scheduler causes the event, absent where a request does. */
import { assert, layer } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { services } from "@svc/testkit/services"
import { Events } from "@svc/webhooks/events/service"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { after, openAccount, sell, subscribe } from "./fixture.ts"

const hintsOf = Effect.fnUntraced(function*(account: string) {
  const { data } = yield* (yield* Events).list(account, { after_seq: 0 }, { page: 1, per_page: 100 })
  return data.map(({ metadata, type }) => ({ type, metadata: metadata === null ? undefined : parseJson(metadata) }))
})

layer(services)("events of subscriptions", (it) => {
  it.effect(
    "that a request causes have no metadata; those of a renewal, and of one that fails, say what they are about",
    () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const { id } = yield* subscribe(account, yield* sell(account))
        const requested = yield* hintsOf(account.id)
        assert.includeMembers(requested.map(({ type }) => type), [
          "subscription.created",
          "billing_cycle.charged",
          "invoice.paid",
          "payment_intent.captured"
        ])
        assert.deepStrictEqual(requested.filter(({ metadata }) => metadata !== undefined), [])

        yield* after(account, "31 days")
        const renewed = (yield* hintsOf(account.id)).slice(requested.length)
        const hints = (type: string) => renewed.find((one) => one.type === type)?.metadata
        assert.deepStrictEqual(hints("subscription.renewed"), { subscription_id: id, status: "active", failed_attempts: "0" })
        assert.deepInclude(hints("billing_cycle.charged"), { subscription_id: id, status: "charged" })
        assert.deepInclude(hints("invoice.paid"), { subscription_id: id, status: "paid" })
        assert.hasAllKeys(hints("payment_intent.captured"), ["status", "provider_reference"])
        assert.deepStrictEqual(hints("settlement.completed"), { status: "completed" })
        assert.deepStrictEqual(
          renewed.filter(({ metadata }) => metadata === undefined).map(({ type }) => type),
          []
        )

        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE subscriptions SET payment_method_id = 'tok_insufficient_funds' WHERE account_id = ${account.id} AND id = ${id}`
        yield* after(account, "31 days")
        const failed = (yield* hintsOf(account.id)).slice(requested.length + renewed.length).find(({ type }) =>
          type === "subscription.payment_failed"
        )
        assert.deepInclude(failed?.metadata, { subscription_id: id, status: "past_due", failed_attempts: "1" })
        assert.property(failed?.metadata, "next_retry_at")
      }),
    180_000
  )
})
