/** The page of an invoice, as its customer opens it. */
import { assert, layer } from "@effect/vitest"
import { jsonOf, layer as service, must, openMerchant, send, Service } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

layer(service, { excludeTestServices: true })("the page of an invoice", (it) => {
  it.effect("says what the invoice says, has its PDF beside it, and nobody guesses its address", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("Nordlicht & Co")
      const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
      const plan = yield* must("POST", "/v1/plans", {
        key,
        body: { name: "Pro <b>", amount: 1999, currency: "USD", billing_period: "monthly" }
      })
      yield* must("POST", `/v1/plans/${String(plan["id"])}/activate`, { key, body: {} })
      yield* post("/v1/subscriptions", { plan_id: plan["id"], customer_id: "customer-1", payment_method_id: "tok_visa" })
      const { data } = jsonOf(yield* send("GET", "/v1/invoices", { key }))
      const [{ hosted_url, number }] = data as [{ readonly hosted_url: string; readonly number: string }]
      const { pathname } = new URL(hosted_url)
      const page = yield* send("GET", pathname)
      assert.strictEqual(page.status, 200)
      for (const part of [number, "Nordlicht &amp; Co", "Pro &lt;b&gt;", "$19.99", `${pathname.split("/").at(-1)}/pdf`]) {
        assert.include(page.text, part)
      }
      assert.include(page.text, `<p class="amount">$19.99</p>`, "what a paid invoice came to, and not that nothing is due")
      assert.include(page.headers["content-security-policy"], "default-src 'none'")
      const document = yield* send("GET", `${pathname}/pdf`)
      assert.strictEqual(document.headers["content-type"], "application/pdf")
      assert.isTrue(document.text.startsWith("%PDF-"))
      for (const path of [`/invoices/${"0".repeat(32)}`, `/invoices/${"0".repeat(32)}/pdf`, "/invoices/1"]) {
        assert.strictEqual((yield* send("GET", path)).status, 404)
      }
    }))

  it.effect(
    "keeps no count for a token that no invoice has, however often it is asked for, and one for an invoice",
    () =>
      Effect.gen(function*() {
        const { path } = yield* overdue()
        const statuses = (target: string) =>
          Effect.map(
            Effect.forEach(Array.from({ length: 31 }), () => send("GET", target)),
            (answers) => answers.map(({ status }) => status)
          )
        assert.deepStrictEqual(new Set(yield* statuses(`/invoices/${"0".repeat(32)}/pdf`)), new Set([404]))
        assert.deepStrictEqual((yield* statuses(`${path}/pdf`)).slice(-2), [200, 429])
      }),
    180_000
  )

  /** A subscription whose first payment failed with this card, and its invoice. */
  const overdue = Effect.fnUntraced(function*(token = "tok_insufficient_funds") {
    const { key } = yield* openMerchant("Nordlicht & Co")
    const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
    const plan = yield* must("POST", "/v1/plans", { key, body: { name: "Pro", amount: 1999, currency: "USD", billing_period: "monthly" } })
    yield* must("POST", `/v1/plans/${String(plan["id"])}/activate`, { key, body: {} })
    const { id } = yield* post("/v1/subscriptions", { plan_id: plan["id"], customer_id: "customer-1", payment_method_id: token })
    const { data } = jsonOf(yield* send("GET", "/v1/invoices", { key }))
    const [invoice] = data as [{ readonly hosted_url: string; readonly id: string }]
    const payments = Effect.map(
      must("GET", "/v1/payment_intents", { key }),
      ({ data: all }) => (Array.isArray(all) ? all : []).map(({ state }: { readonly state: string }) => state)
    )
    return { key, id: invoice.id, path: new URL(invoice.hosted_url).pathname, payments, subscription: String(id) }
  })

  const sendForm = (target: string, form: Readonly<Record<string, string>>, headers: ReadonlyArray<readonly [string, string]> = []) =>
    Effect.flatMap(Service, (wire) =>
      Effect.orDie(wire.send({
        method: "POST",
        target,
        headers: [...headers, ["Content-Type", "application/x-www-form-urlencoded"]],
        body: Buffer.from(new URLSearchParams(form).toString())
      })))

  it.effect("takes a payment once, and a page that is old or was sent twice pays nothing", () =>
    Effect.gen(function*() {
      const { id, key, path, payments, subscription } = yield* overdue()
      assert.include((yield* send("GET", path)).text, `href="${path}/pay"`)
      const form = yield* send("GET", `${path}/pay`)
      assert.include(form.text, "Pay invoice")
      assert.include(form.text, "name=\"try\" value=\"2\"")
      for (const token of ["", "nonsense", "pm_01KDVK5D80000000000000000A", "4242424242424242"]) {
        assert.strictEqual((yield* sendForm(`${path}/pay`, { try: "2", token })).status, 400, token)
      }
      assert.strictEqual((yield* sendForm(`${path}/pay`, { try: "2", token: "tok_visa" }, [["Sec-Fetch-Site", "cross-site"]])).status, 403)
      assert.strictEqual((yield* sendForm(`${path}/pay`, { try: "1", token: "tok_visa" })).status, 303)
      assert.deepStrictEqual(yield* payments, ["failed"])
      const sent = yield* Effect.all(
        [1, 2, 3].map(() => sendForm(`${path}/pay`, { try: "2", token: "tok_visa" })),
        { concurrency: 3 }
      )
      for (const { headers, status } of sent) assert.deepStrictEqual([status, headers["location"]], [303, `${path}/paid?go`])
      assert.sameMembers(yield* payments, ["failed", "captured"])
      assert.include((yield* send("GET", `${path}/paid`)).text, "$19.99")
      assert.deepInclude(yield* must("GET", `/v1/invoices/${id}`, { key }), { status: "paid", amount_due: 0 })
      assert.deepInclude(yield* must("GET", `/v1/subscriptions/${subscription}`, { key }), { status: "active" })
      assert.notInclude((yield* send("GET", path)).text, `${path}/pay`)
      assert.strictEqual((yield* send("GET", `${path}/pay`)).headers["location"], `${path}/paid`)
      yield* sendForm(`${path}/pay`, { try: "3", token: "tok_visa" })
      assert.strictEqual((yield* payments).length, 2)
      // Whoever paid need not be the customer: the card is kept for nobody.
      const { data } = yield* must("GET", "/v1/payment_methods?customer_id=customer-1", { key })
      assert.deepStrictEqual(data, [])
    }))

  it.effect("says why a card was declined, and what the merchant gave up can still be paid while its cycle is open", () =>
    Effect.gen(function*() {
      const { id, key, path, payments } = yield* overdue()
      const declined = yield* sendForm(`${path}/pay`, { try: "2", token: "tok_expired_card" })
      assert.strictEqual(declined.headers["location"], `${path}/paid?go`)
      assert.strictEqual((yield* send("GET", `${path}/paid?go`)).headers["location"], `${path}/pay?declined`)
      assert.include((yield* send("GET", `${path}/pay?declined`)).text, "The card has expired.")
      yield* must("POST", `/v1/invoices/${id}/mark_uncollectible`, { key })
      yield* sendForm(`${path}/pay`, { try: "3", token: "tok_visa" })
      assert.deepInclude(yield* must("GET", `/v1/invoices/${id}`, { key }), { status: "paid" })
      assert.sameMembers(yield* payments, ["failed", "failed", "captured"])
    }))

  it.effect("takes the payment of one whose cycle has failed for good, once", () =>
    Effect.gen(function*() {
      const { id, key, path, payments, subscription } = yield* overdue()
      const { data } = yield* must("GET", `/v1/billing_cycles?subscription_id=${subscription}`, { key })
      const [{ id: cycle }] = data as unknown as [{ readonly id: string }]
      for (const n of [2, 3, 4]) {
        yield* must("POST", `/v1/billing_cycles/${cycle}/record_charge_result`, {
          key,
          body: { success: false, external_reference: `elsewhere-${n}` }
        })
      }
      assert.deepInclude(yield* must("GET", `/v1/invoices/${id}`, { key }), { status: "uncollectible" })
      assert.include((yield* send("GET", path)).text, `href="${path}/pay"`)
      const declined = yield* sendForm(`${path}/pay`, { try: "5", token: "tok_expired_card" })
      assert.strictEqual((yield* send("GET", String(declined.headers["location"]))).headers["location"], `${path}/pay?declined`)
      assert.include((yield* send("GET", `${path}/pay?declined`)).text, "The card has expired.")
      yield* Effect.all([1, 2].map(() => sendForm(`${path}/pay`, { try: "6", token: "tok_visa" })), { concurrency: 2 })
      assert.include((yield* send("GET", `${path}/paid`)).text, "$19.99")
      assert.deepInclude(yield* must("GET", `/v1/invoices/${id}`, { key }), { status: "paid", amount_due: 0 })
      assert.deepInclude(yield* must("GET", `/v1/billing_cycles/${cycle}`, { key }), { status: "charged", captured_amount: 1999 })
      assert.deepInclude(yield* must("GET", `/v1/subscriptions/${subscription}`, { key }), { status: "canceled" })
      assert.notInclude((yield* send("GET", path)).text, `${path}/pay`)
      assert.sameMembers(yield* payments, ["failed", "failed", "captured"])
    }))

  it.effect("offers nothing where nothing can be paid: void, and of a subscription that has ended", () =>
    Effect.gen(function*() {
      for (const end of ["void", "cancel"] as const) {
        const { id, key, path, payments, subscription } = yield* overdue()
        yield* end === "void"
          ? must("POST", `/v1/invoices/${id}/void`, { key })
          : must("POST", `/v1/subscriptions/${subscription}/cancel`, { key, body: { reason: "merchant_action" } })
        assert.notInclude((yield* send("GET", path)).text, `${path}/pay`)
        assert.strictEqual((yield* send("GET", `${path}/pay`)).headers["location"], path)
        assert.strictEqual((yield* sendForm(`${path}/pay`, { try: "2", token: "tok_visa" })).status, 303)
        assert.deepStrictEqual(yield* payments, ["failed"])
      }
    }))

  it.effect("leads to the bank and back", () =>
    Effect.gen(function*() {
      const { id, key, path } = yield* overdue()
      yield* sendForm(`${path}/pay`, { try: "2", token: "tok_requires_action" })
      const waiting = yield* send("GET", `${path}/paid?go`)
      const step = /data-next="[^"]*(\/sim\/actions\/[^"]*)"/u.exec(waiting.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      assert.strictEqual((yield* send("GET", `${path}/pay`)).headers["location"], `${path}/paid`)
      const [place, query] = step.split("?")
      for (const _ of [1, 2]) assert.strictEqual((yield* sendForm(`${place}/pass?${query}`, {})).headers["location"], `${path}/paid`)
      assert.deepInclude(yield* must("GET", `/v1/invoices/${id}`, { key }), { status: "paid" })
      for (
        const wrong of [
          "https://elsewhere.example/checkout/x",
          "//elsewhere.example/checkout/x",
          "/\\elsewhere.example/checkout/x",
          "/v1/account"
        ]
      ) {
        assert.strictEqual((yield* sendForm(`${place}/pass?back=${encodeURIComponent(wrong)}`, {})).status, 404, wrong)
      }
    }))
})
