/** The page of an invoice, as its customer opens it. */
import { assert, layer } from "@effect/vitest"
import { jsonOf, layer as service, must, openMerchant, send } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

layer(service, { excludeTestServices: true })("the page of an invoice", (it) => {
  it.effect("says what the invoice says, has its PDF beside it, and nobody guesses its address", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("Nordlicht & Co")
      const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
      const plan = yield* must("POST", "/v1/plans", { key, body: { name: "Pro <b>", amount: 1999, currency: "USD", billing_period: "monthly" } })
      yield* must("POST", `/v1/plans/${String(plan["id"])}/activate`, { key, body: {} })
      yield* post("/v1/subscriptions", { plan_id: plan["id"], customer_id: "customer-1", payment_method_id: "tok_visa" })
      const { data } = jsonOf(yield* send("GET", "/v1/invoices", { key }))
      const [{ hosted_url, number }] = data as [{ readonly hosted_url: string; readonly number: string }]
      const { pathname } = new URL(hosted_url)
      const page = yield* send("GET", pathname)
      assert.strictEqual(page.status, 200)
      for (const part of [number, "Nordlicht &amp; Co", "Pro &lt;b&gt;", "$19.99", `${pathname.split("/").at(-1)}/pdf`]) assert.include(page.text, part)
      assert.include(page.text, `<p class="amount">$19.99</p>`, "what a paid invoice came to, and not that nothing is due")
      assert.include(page.headers["content-security-policy"], "default-src 'none'")
      const document = yield* send("GET", `${pathname}/pdf`)
      assert.strictEqual(document.headers["content-type"], "application/pdf")
      assert.isTrue(document.text.startsWith("%PDF-"))
      for (const path of [`/invoices/${"0".repeat(32)}`, `/invoices/${"0".repeat(32)}/pdf`, "/invoices/1"]) assert.strictEqual((yield* send("GET", path)).status, 404)
    }))
})
