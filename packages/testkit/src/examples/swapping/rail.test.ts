/** Every rail declines. */
import { assert, layer } from "@effect/vitest"
import { Rails } from "@svc/payments/rails/rail"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { jsonOf, layerWith, openMerchant, send } from "../../contract/service.ts"
import { replacing } from "../../replacing.ts"

const declining = replacing(
  Rails,
  ({ all }) => Rails.these(all.map((rail) => ({ ...rail, authorize: () => Effect.succeed({ _tag: "Declined", code: "expired_card" }) })))
)

layer(layerWith({}).pipe(declining), { excludeTestServices: true, timeout: "60 seconds" })("where every rail declines", (it) => {
  it.effect("a payment fails, and its answer has the code of the decline", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("declined")
      const body = { amount: 1999, currency: "USD", payment_method_id: "tok_visa", idempotency_key: randomUUID() }
      const answer = yield* send("POST", "/v1/payment_intents", { key, body })
      assert.strictEqual(answer.status, 402)
      assert.deepInclude(jsonOf(answer), { error: "card_declined", decline_code: "expired_card" })
    }))
})
