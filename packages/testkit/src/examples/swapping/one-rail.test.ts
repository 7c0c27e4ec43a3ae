/** The rail card_a cannot be reached; every other rail stays as it is. */
import { assert, layer } from "@effect/vitest"
import { RailUnreachable } from "@svc/payments/rails/model"
import { Rails } from "@svc/payments/rails/rail"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { layerWith, must, openMerchant } from "../../contract/service.ts"
import { replacing } from "../../replacing.ts"

const unreachable = () => new RailUnreachable({ rail: "card_a", message: "The test says so." })

const withoutCardA = replacing(
  Rails,
  ({ all }) => Rails.these(all.map((rail) => rail.name === "card_a" ? { ...rail, authorize: unreachable } : rail))
)

layer(layerWith({}).pipe(withoutCardA), { excludeTestServices: true, timeout: "60 seconds" })("where one rail cannot be reached", (it) => {
  it.effect("the next rail takes the payment", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("one rail")
      const body = { amount: 1999, currency: "USD", payment_method_id: "tok_visa", capture: true, idempotency_key: randomUUID() }
      assert.deepInclude(yield* must("POST", "/v1/payment_intents", { key, body }), { state: "captured", selected_rail: "card_b" })
    }))
})
