import { assert, layer } from "@effect/vitest"
import { layerWith, must, openMerchant, send, Service } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"

/** A merchant with two plans, a subscriber on the smaller one, and the subscriber's portal. */
const openPortal = Effect.fnUntraced(function*(settings: object = {}) {
  const { key } = yield* openMerchant("Acme")
  yield* must("PATCH", "/v1/account", { key, body: { settings } })
  const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  const sell = Effect.fnUntraced(function*(name: string, amount: number) {
    const { id } = yield* post("/v1/plans", { name, amount, currency: "USD", billing_period: "monthly" })
    yield* must("POST", `/v1/plans/${String(id)}/activate`, { key })
    return String(id)
  })
  const [basic, pro] = [yield* sell("Basic", 500), yield* sell("Pro", 2_000)]
  const subscribe = Effect.fnUntraced(function*(customer_id: string) {
    const { id } = yield* post("/v1/subscriptions", { plan_id: basic, customer_id, payment_method_id: "tok_visa" })
    return String(id)
  })
  const [sub, foreign] = [yield* subscribe("ana"), yield* subscribe("bo")]
  const { id, url } = yield* post("/v1/customer_portal/sessions", { customer_id: "ana" })
  return { key, basic, pro, sub, foreign, session: String(id), path: new URL(String(url), "http://localhost").pathname }
})

const visit = (
  method: "GET" | "POST",
  target: string,
  form?: Readonly<Record<string, string>>,
  headers: ReadonlyArray<readonly [string, string]> = []
) =>
  Effect.flatMap(Service, (wire) =>
    Effect.orDie(wire.send({
      method,
      target,
      headers: [...headers, ...(form === undefined ? [] : [["Content-Type", "application/x-www-form-urlencoded"] as const])],
      ...(form === undefined ? {} : { body: Buffer.from(new URLSearchParams(form).toString()) })
    })))

const fieldIn = (text: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`, "u").exec(text)?.[1] ?? ""

layer(layerWith({}), { excludeTestServices: true, timeout: 120_000 })("the pages of the portal", (it) => {
  it.effect("date an invoice as its own page does: in the zone of the subscription, which the account's settings give it", () =>
    Effect.gen(function*() {
      // At every moment one of the two has another day than UTC.
      for (const time_zone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
        const { key, path, sub } = yield* openPortal({ billing: { time_zone } })
        assert.deepInclude(yield* must("GET", `/v1/subscriptions/${sub}`, { key }), { time_zone })
        const { data } = yield* must("GET", `/v1/invoices?subscription_id=${sub}`, { key })
        const [invoice] = data as readonly [{ readonly finalized_at: string; readonly hosted_url: string }]
        const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: time_zone }).format(Date.parse(invoice.finalized_at))
        for (const page of [`${path}/invoices`, new URL(invoice.hosted_url).pathname]) assert.include((yield* visit("GET", page)).text, day)
      }
    }))

  it.effect("show the subscription, cancel it and take that back, and twice does nothing twice", () =>
    Effect.gen(function*() {
      const { key, path, sub } = yield* openPortal()
      const home = yield* visit("GET", path)
      assert.strictEqual(home.status, 200, home.text)
      assert.include(home.text, "Basic")
      assert.include(home.text, "Cancel subscription")
      assert.notInclude(home.text, "/pause")
      assert.strictEqual((yield* visit("GET", `${path}/subscriptions/${sub}/cancel`)).status, 200)
      for (const _ of [1, 2]) assert.strictEqual((yield* visit("POST", `${path}/subscriptions/${sub}/cancel`, {})).status, 303)
      const cancelled = yield* must("GET", `/v1/subscriptions/${sub}`, { key })
      assert.deepInclude(cancelled, { cancel_at_end: true, cancel_reason: "customer_request" })
      assert.include((yield* visit("GET", `${path}/subscriptions/${sub}/cancelled`)).text, "Your subscription is cancelled")
      assert.strictEqual((yield* visit("POST", `${path}/subscriptions/${sub}/uncancel`, {})).status, 303)
      assert.deepInclude(yield* must("GET", `/v1/subscriptions/${sub}`, { key }), { cancel_at_end: false })
    }))

  it.effect("change the plan as it was previewed, once, and tell the merchant", () =>
    Effect.gen(function*() {
      const { key, path, pro, session, sub } = yield* openPortal()
      const place = `${path}/subscriptions/${sub}`
      assert.include((yield* visit("GET", `${place}/plan`)).text, "Pro")
      const preview = yield* visit("GET", `${place}/plan/${pro}`)
      assert.strictEqual(preview.status, 200, preview.text)
      const form = { proration_at: fieldIn(preview.text, "proration_at"), version: fieldIn(preview.text, "version") }
      for (const _ of [1, 2]) assert.strictEqual((yield* visit("POST", `${place}/plan/${pro}`, form)).status, 303)
      assert.deepInclude(yield* must("GET", `/v1/subscriptions/${sub}`, { key }), { plan_id: pro })
      assert.include((yield* visit("GET", `${place}/changed/${pro}`)).text, "Your plan was changed")
      const { last_plan_change } = yield* must("GET", `/v1/customer_portal/sessions/${session}`, { key })
      assert.include(JSON.stringify(last_plan_change), pro)
      const { data } = yield* must("GET", "/v1/events?per_page=100", { key })
      const types = (Array.isArray(data) ? data : []).map(({ type }: { readonly type: string }) => type)
      assert.strictEqual(types.filter((type) => type === "customer_portal.plan_changed").length, 1)
    }))

  it.effect("make one change of eight presses at once, and tell the merchant once, with the change or with its charge", () =>
    Effect.gen(function*() {
      for (
        const [token, billing_period, amount, behavior] of [
          ["tok_visa", "monthly", 3_000, "next_cycle"],
          ["tok_visa", "monthly", 100, "at_period_end"],
          ["tok_visa", "annual", 20_000, "now"],
          ["tok_requires_action", "annual", 20_000, "now"]
        ] as const
      ) {
        const { basic, key, path, session, sub } = yield* openPortal()
        yield* must("PATCH", `/v1/subscriptions/${sub}`, { key, body: { payment_method_id: token } })
        const { id } = yield* must("POST", "/v1/plans", {
          key,
          body: { name: "Other", amount, currency: "USD", billing_period, idempotency_key: randomUUID() }
        })
        yield* must("POST", `/v1/plans/${String(id)}/activate`, { key })
        const place = `${path}/subscriptions/${sub}`
        const preview = yield* visit("GET", `${place}/plan/${String(id)}`)
        const form = { proration_at: fieldIn(preview.text, "proration_at"), version: fieldIn(preview.text, "version") }
        const told = Effect.map(
          must("GET", "/v1/events?per_page=100", { key }),
          ({ data }) =>
            (Array.isArray(data) ? data : []).map(({ type }: { readonly type: string }) => type).filter((type) =>
              type === "customer_portal.plan_changed" || type === "invoice.paid"
            ).toReversed()
        )
        const before = (yield* told).length
        yield* Effect.all(Array.from({ length: 8 }, () => visit("POST", `${place}/plan/${String(id)}`, form)), { concurrency: 8 })
        if (token === "tok_requires_action") {
          assert.deepStrictEqual((yield* told).slice(before), [])
          const waiting = yield* visit("GET", `${place}/changed/${String(id)}`)
          const [bank, query] = (/href="[^"]*(\/sim\/actions\/[^"]*)"/u.exec(waiting.text)?.[1]?.replaceAll("&amp;", "&") ?? "").split("?")
          yield* visit("POST", `${bank}/pass?${query}`, {})
        }
        assert.deepStrictEqual((yield* told).slice(before), [
          ...(behavior === "now" ? ["invoice.paid"] : []),
          "customer_portal.plan_changed"
        ], `${token} ${behavior}`)
        const { last_plan_change } = yield* must("GET", `/v1/customer_portal/sessions/${session}`, { key })
        assert.deepInclude(last_plan_change, { subscription_id: sub, from_plan_id: basic, to_plan_id: id, proration_behavior: behavior })
      }
    }))

  it.effect("say why the charge for a change was declined, in the words of the decline", () =>
    Effect.gen(function*() {
      const { key, path, pro, sub } = yield* openPortal()
      yield* must("PATCH", `/v1/subscriptions/${sub}`, { key, body: { payment_method_id: "tok_insufficient_funds" } })
      const { id: yearly } = yield* must("POST", "/v1/plans", {
        key,
        body: { name: "Pro, yearly", amount: 20_000, currency: "USD", billing_period: "annual", idempotency_key: randomUUID() }
      })
      yield* must("POST", `/v1/plans/${String(yearly)}/activate`, { key })
      const place = `${path}/subscriptions/${sub}/plan/${String(yearly)}`
      const preview = yield* visit("GET", place)
      assert.include(preview.text, "Due now")
      const answer = yield* visit("POST", place, {
        proration_at: fieldIn(preview.text, "proration_at"),
        version: fieldIn(preview.text, "version")
      })
      assert.strictEqual(answer.headers["location"], `${place}?declined=insufficient_funds`)
      const told = yield* visit("GET", `${place}?declined=insufficient_funds`)
      assert.include(
        told.text,
        "There is not enough money on the card. Try another card. Your plan was not changed, and you were not charged."
      )
      assert.include((yield* visit("GET", `${place}?declined=%3Cb%3E`)).text, "Your plan was not changed, and you were not charged.")
      assert.strictEqual(
        (yield* visit("GET", `${path}/subscriptions/${sub}/changed/${String(yearly)}`)).headers["location"],
        `${place}?declined=insufficient_funds`
      )
      assert.strictEqual(
        (yield* visit("GET", `${path}/subscriptions/${sub}/changed/${pro}`)).headers["location"],
        `${path}/subscriptions/${sub}/plan`
      )
    }))

  it.effect("lead to the bank where the charge for a change asks for it, and back", () =>
    Effect.gen(function*() {
      const { key, path, sub } = yield* openPortal()
      yield* must("PATCH", `/v1/subscriptions/${sub}`, { key, body: { payment_method_id: "tok_requires_action" } })
      const { id: yearly } = yield* must("POST", "/v1/plans", {
        key,
        body: { name: "Pro, yearly", amount: 20_000, currency: "USD", billing_period: "annual", idempotency_key: randomUUID() }
      })
      yield* must("POST", `/v1/plans/${String(yearly)}/activate`, { key })
      const place = `${path}/subscriptions/${sub}`
      const preview = yield* visit("GET", `${place}/plan/${String(yearly)}`)
      yield* visit("POST", `${place}/plan/${String(yearly)}`, {
        proration_at: fieldIn(preview.text, "proration_at"),
        version: fieldIn(preview.text, "version")
      })
      const waiting = yield* visit("GET", `${place}/changed/${String(yearly)}`)
      assert.include(waiting.text, "Continue to your bank")
      const [bank, query] = (/href="[^"]*(\/sim\/actions\/[^"]*)"/u.exec(waiting.text)?.[1]?.replaceAll("&amp;", "&") ?? "").split("?")
      assert.strictEqual((yield* visit("POST", `${bank}/pass?${query}`, {})).headers["location"], `${place}/changed/${String(yearly)}`)
      assert.include((yield* visit("GET", `${place}/changed/${String(yearly)}`)).text, "Your plan was changed")
    }))

  it.effect("name each subscription that is overdue, and say what a new card did for each", () =>
    Effect.gen(function*() {
      const { basic, key, path, pro } = yield* openPortal()
      for (const plan_id of [basic, pro]) {
        yield* must("POST", "/v1/subscriptions", {
          key,
          body: { plan_id, customer_id: "ana", payment_method_id: "tok_insufficient_funds", idempotency_key: randomUUID() }
        })
      }
      const form = (yield* visit("GET", `${path}/payment-methods`)).text.replaceAll(/[\u2068\u2069]/gu, "")
      for (const part of ["Basic: $5.00 is overdue", "Pro: $20.00 is overdue", "Save card and pay $25.00"]) assert.include(form, part)
      for (
        const [token, title, parts] of [
          ["tok_expired_card", "the payment did not go through", ["The card has expired.", "$25.00 is still to be paid", "To be paid"]],
          ["tok_visa", "the payment went through", ["$25.00 was paid", "Basic", "Pro"]]
        ] as const
      ) {
        const { headers } = yield* visit("POST", `${path}/payment-methods`, { token })
        const told = (yield* visit("GET", headers["location"] ?? "")).text.replaceAll(/[\u2068\u2069]/gu, "")
        for (const part of [title, ...parts]) assert.include(told, part)
      }
      const { data } = yield* must("GET", "/v1/subscriptions?customer_id=ana", { key })
      assert.deepStrictEqual((Array.isArray(data) ? data : []).map(({ status }: { readonly status: string }) => status), [
        "active",
        "active",
        "active"
      ])
    }))

  it.effect("keep a card, and list invoices", () =>
    Effect.gen(function*() {
      const { path } = yield* openPortal()
      for (const _ of [1, 2]) {
        const saved = yield* visit("POST", `${path}/payment-methods`, { token: "tok_mastercard" })
        assert.strictEqual(saved.status, 303, saved.text)
      }
      const { text } = yield* visit("GET", `${path}/payment-methods`)
      assert.strictEqual(text.split("Mastercard ending in").length, 2)
      assert.strictEqual((yield* visit("POST", `${path}/payment-methods`, { token: "nonsense" })).status, 400)
      assert.strictEqual((yield* visit("GET", `${path}/invoices`)).status, 200)
    }))

  it.effect("change only the details that a form holds, and nothing for a body that is no form of a page", () =>
    Effect.gen(function*() {
      const { key, path } = yield* openPortal({ portal_settings: { actions: ["update_details"] } })
      const wire = yield* Service
      const form = "application/x-www-form-urlencoded"
      const sent = (type: string, text: string) =>
        Effect.orDie(
          wire.send({ method: "POST", target: `${path}/details`, headers: [["Content-Type", type]], body: Buffer.from(text) })
        )
      const known = Effect.map(must("GET", "/v1/customers/ana", { key }), ({ email, name }) => ({ email, name }))
      assert.strictEqual((yield* sent(form, "name=Ana&email=ana@example.com")).status, 303)
      for (
        const [type, text, status] of [
          [form, "foo=bar", 303],
          [form, "", 303],
          [form, `name=${"a".repeat(5_000)}`, 413],
          [form, `name=Bea&foo=${"a".repeat(60_000)}`, 413],
          [form, `name=Bea&foo=${"a".repeat(70_000)}`, 413],
          ["application/json", "{\"name\":\"Bea\"}", 415],
          ["text/plain", "name=Bea", 415]
        ] as const
      ) {
        const answer = yield* sent(type, text)
        assert.strictEqual(answer.status, status, `${type} ${text.slice(0, 20)}`)
        assert.deepStrictEqual(yield* known, { name: "Ana", email: "ana@example.com" }, `${type} ${text.slice(0, 20)}`)
      }
      assert.strictEqual((yield* sent(`${form};charset=UTF-8`, "name=Bea")).status, 303)
      assert.deepStrictEqual(yield* known, { name: "Bea", email: "ana@example.com" })
      assert.strictEqual((yield* sent(form, "email=")).status, 303)
      assert.deepStrictEqual(yield* known, { name: "Bea", email: null })
    }))

  it.effect("refuse a card number in the details, and do not repeat it", () =>
    Effect.gen(function*() {
      const { key, path } = yield* openPortal({ portal_settings: { actions: ["update_details"] } })
      const known = Effect.map(must("GET", "/v1/customers/ana", { key }), ({ email, name }) => ({ email, name }))
      const details = { name: "Ana", email: "ana@example.com" }
      assert.strictEqual((yield* visit("POST", `${path}/details`, details)).status, 303)
      for (
        const form of [
          { name: "4242 4242 4242 4242", email: "a@b.co" },
          { name: "Ana 4242424242424242", email: "a@b.co" },
          { name: "Bea", email: "4242424242424242@b.co" }
        ]
      ) {
        const answer = yield* visit("POST", `${path}/details`, form)
        assert.strictEqual(answer.status, 400, form.name)
        assert.include(answer.text, "Do not enter a card number here.")
        assert.notMatch(answer.text, /4242 ?4242/u)
        assert.deepStrictEqual(yield* known, details)
      }
    }))

  it.effect("refuse what is not allowed, what is another customer's, other sites, and everything when it is over", () =>
    Effect.gen(function*() {
      const { foreign, key, path, pro, session, sub } = yield* openPortal({ portal_settings: { actions: [], plans: null } })
      const home = yield* visit("GET", path)
      for (const absent of ["/cancel", "/plan", "/pause"]) assert.notInclude(home.text, `${sub}${absent}`)
      const forms = [
        [`subscriptions/${sub}/cancel`, {}],
        [`subscriptions/${sub}/uncancel`, {}],
        [`subscriptions/${sub}/pause`, {}],
        [`subscriptions/${sub}/resume`, {}],
        [`subscriptions/${sub}/plan/${pro}`, { proration_at: "2026-01-01T00:00:00.000Z", version: "1" }],
        ["payment-methods", { token: "tok_visa" }]
      ] as const
      for (const [place, form] of forms) assert.strictEqual((yield* visit("POST", `${path}/${place}`, form)).status, 403, place)
      yield* must("PATCH", "/v1/account", {
        key,
        body: { settings: { portal_settings: { actions: ["cancel", "change_plan", "pause"], plans: [] } } }
      })
      for (const verb of ["cancel", "uncancel", "pause", "resume"]) {
        assert.strictEqual((yield* visit("POST", `${path}/subscriptions/${foreign}/${verb}`, {})).status, 404, verb)
      }
      assert.strictEqual((yield* visit("GET", `${path}/subscriptions/${sub}/plan/${pro}`)).status, 403)
      assert.strictEqual((yield* visit("POST", `${path}/subscriptions/${sub}/cancel`, {}, [["Sec-Fetch-Site", "cross-site"]])).status, 403)
      assert.strictEqual((yield* visit("GET", `${path}x`)).status, 404)
      yield* send("POST", `/v1/customer_portal/sessions/${session}/revoke`, { key })
      for (const [place] of forms) assert.strictEqual((yield* visit("POST", `${path}/${place}`, {})).status, 410, place)
      assert.include((yield* visit("GET", path)).text, "This page was closed")
    }))
})
