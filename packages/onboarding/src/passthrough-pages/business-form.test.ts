import { assert, layer } from "@effect/vitest"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { layerWith, type Merchant, must, openMerchant, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"

/** The page of a new session. */
const formOf = Effect.fnUntraced(function*({ key }: Merchant) {
  const { path } = yield* must("POST", "/v1/passthrough_sessions", { key, body: { flow_kind: "business_verify" } })
  return (yield* send("GET", String(path))).text
})

layer(layerWith({}), { excludeTestServices: true, timeout: 120_000 })("the form of a business", (it) => {
  it.effect("calls nothing optional that a review asks for", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Keramik")
      const first = yield* formOf(merchant)
      for (const text of ["Number in the register of companies", "Date of birth", "Address"]) {
        assert.include(first, `>${text}<`)
        assert.notInclude(first, `>${text} (optional)<`)
      }
      const body = { type: "organization", legal_name: "Keramik GmbH", country: "DE", registration_number: "HRB 12345" }
      yield* must("POST", "/v1/legal_entities", { key: merchant.key, body })
      yield* Effect.flatMap(now, runDue)
      const asked = yield* formOf(merchant)
      for (const text of [">Address<", ">Full legal name (optional)<", ">Number in the register of companies (optional)<"]) {
        assert.include(asked, text)
      }
    }))
})
