/** One grammar of e-mail addresses on all routes that take one. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { jsonOf, layer as service, must, openMerchant, send } from "./service.ts"

const UNICODE = "josé@bücher.example"

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an e-mail address", (it) => {
  it.effect("of other scripts is taken, and one without a dot in its domain refused with the same words, wherever it is sent", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("addresses")
      const checkout = { mode: "payment", amount: 1999, currency: "USD", customer_id: "customer-1" }
      const routes: ReadonlyArray<readonly [path: string, field: string, body: object]> = [
        ["/v1/customers", "email", {}],
        ["/v1/checkout/sessions", "customer_email", checkout]
      ]
      for (const [path, field, body] of routes) {
        const post = (address: string) =>
          send("POST", path, { key, body: { ...body, [field]: address }, headers: { "Idempotency-Key": randomUUID() } })
        const taken = yield* post(UNICODE)
        assert.deepStrictEqual([taken.status, jsonOf(taken)[field]], [201, UNICODE], taken.text)
        for (const address of ["a@b", "root@localhost", "ada", "ada@example.com, eve@example.com"]) {
          const refused = jsonOf(yield* post(address))
          assert.deepInclude(refused, { error: "validation_error", code: field })
          assert.include(String(refused["message"]), "must be one email address whose domain has a dot, for example ada@example.com")
        }
      }
      const listed = yield* must("GET", `/v1/customers?email=${encodeURIComponent(UNICODE.replace("bücher", "BÜCHER"))}`, { key })
      assert.strictEqual(listed["total"], 1)
      const refused = yield* send("GET", "/v1/customers?email=a@b", { key })
      assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "email"])
    }))

  it.effect("finds the one customer in whatever capitals", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("capitals")
      const { id } = yield* must("POST", "/v1/customers", { key, body: { email: "Ana@Example.com" } })
      for (const address of ["Ana@Example.com", "ana@example.com", "ANA@EXAMPLE.COM"]) {
        const { data } = yield* must("GET", `/v1/customers?email=${address}`, { key })
        assert.deepStrictEqual(Array.isArray(data) ? data.map((one: { readonly id: unknown }) => one.id) : [], [id], address)
      }
    }))
})
