/** A rail from outside the packages, as docs/adding-a-rail.md and CONTRIBUTING.md show it: their code is this code. */
import { assert, it, layer } from "@effect/vitest"
import { simulatedRails } from "@svc/payments/rails/simulator"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { layerWith, must, openMerchant } from "./contract/service.ts"
import * as vouchers from "./vouchers.ts"

layer(layerWith({}, { rails: vouchers.layer.pipe(Layer.provide(simulatedRails)) }), { excludeTestServices: true })(
  "a rail of one's own",
  (it) => {
    it.effect("takes the payments that no rail before it takes", () =>
      Effect.gen(function*() {
        const { key } = yield* openMerchant("vouchers")
        const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
        const { id } = yield* post("/v1/payment_intents", {
          amount: 1999,
          currency: "USD",
          metadata: { "sim.unreachable": "card_a, card_b" }
        })
        const paid = yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
        assert.deepInclude(paid, { state: "captured", selected_rail: "vouchers", captured_amount: 1999 })
        assert.match(String(paid["provider_reference"]), /^voucher_/)
      }))
  }
)

/** The first block of TypeScript on a page. */
const blockOf = (page: string) =>
  /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8"))?.[1] ?? `no block on ${page}`
const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8")

it("docs/adding-a-rail.md shows the rail that is tested here, and CONTRIBUTING.md the test", () => {
  assert.strictEqual(blockOf("docs/adding-a-rail.md"), textOf("vouchers.ts"))
  assert.include(textOf("own-rail.test.ts"), blockOf("CONTRIBUTING.md"))
})
