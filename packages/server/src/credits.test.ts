/**
 * Credits and plans on the started tool server: bought by a request, or on the page that an unpaid call names; and then the same call is
 * answered.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { parseJson } from "@svc/kernel/values/json"
import { MerchantAccount } from "@svc/paywall/merchant/merchant-account"
import { verifyBooks } from "@svc/testkit/road"
import { servicesWith } from "@svc/testkit/services"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { listen } from "./listener.ts"
import * as tools from "./tools.ts"

const serving = listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(
  Layer.provide(tools.listening),
  Layer.provideMerge(servicesWith({ environment: { TOOLS_SIGNUPS_PER_HOUR: "1000" } }))
)

interface Asked {
  readonly key?: string
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

const ask = Effect.fnUntraced(function*(method: string, path: string, { body, form, headers, key }: Asked = {}) {
  const base = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const sent = form === undefined ? body === undefined ? undefined : JSON.stringify(body) : new URLSearchParams(form).toString()
  const response = yield* Effect.promise(() =>
    fetch(`${base}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(key === undefined ? {} : { "x-svc-key": key }),
        ...(sent === undefined ? {} : { "content-type": form === undefined ? "application/json" : "application/x-www-form-urlencoded" }),
        ...headers
      },
      ...(sent === undefined ? {} : { body: sent })
    })
  )
  const text = yield* Effect.promise(() => response.text())
  const parsed: unknown = text.startsWith("{") ? parseJson(text) : {}
  const json: Readonly<Record<string, unknown>> = typeof parsed === "object" && parsed !== null ? { ...parsed } : {}
  return { status: response.status, headers: response.headers, text, json }
})

const openAccount = Effect.map(
  Effect.suspend(() => ask("POST", "/v1/accounts", { body: { email: `${randomUUID()}@example.com`, name: "Ada" } })),
  ({ json }) => ({ id: String(json["account_id"]), key: String(json["api_key"]) })
)

const call = (name: string, args: object, key?: string) =>
  ask("POST", "/mcp", {
    ...(key === undefined ? {} : { key }),
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  })

/** The page's path, which is all that a browser on this machine needs of the address. */
const pathIn = (answer: { readonly json: Readonly<Record<string, unknown>> }, field = "checkout_url"): string =>
  new URL(String(answer.json[field])).pathname

/** The text of a page as people read it, without the marks that keep its directions apart. */
const read = ({ text }: { readonly text: string }): string => text.replace(/[\u2068\u2069]/gu, "")

const buy = (key: string, body: object, idempotency: string = randomUUID()) =>
  ask("POST", "/v1/credits/purchases", { key, body, headers: { "idempotency-key": idempotency } })

const grantsOf = (account: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<
        { readonly cents: number; readonly source: string }
      >`SELECT cents::float8 AS cents, source FROM credit_grants WHERE account_id = ${account} ORDER BY id`
  )

const capturedFor = (purchase: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<
        { readonly state: string; readonly captured: number }
      >`SELECT state, captured_amount::float8 AS captured FROM payment_intents WHERE metadata ->> 'credit_purchase' = ${purchase} ORDER BY id`
  )

const booksHold = Effect.fnUntraced(function*(account: string) {
  const merchantAccount = yield* (yield* MerchantAccount).merchant(true)
  assert.isNull((yield* verifyBooks(account)).first_break)
  assert.isNull((yield* verifyBooks(merchantAccount.id)).first_break)
})

const spendAllowance = (account: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
    INSERT INTO counters (account_id, name, key, period, window_start, spent, reserved, updated_at)
    VALUES (${account}, 'credits', 'allowance', 'month', date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', 1000, 0, now())`)

layer(serving, { excludeTestServices: true, timeout: "120 seconds" })("credits", (it) => {
  it.effect("are bought with a token, once for a key, and stand in the next answer's headers, in usage and in the books", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openAccount
      const once = randomUUID()
      const bought = yield* buy(key, { amount: 500, payment_method_id: "tok_visa" }, once)
      assert.strictEqual(bought.status, 201, bought.text)
      assert.deepInclude(bought.json, { state: "paid", amount: 500, currency: "USD", plan: null, processing: false, payment_url: null })
      const repeated = yield* buy(key, { amount: 500, payment_method_id: "tok_visa" }, once)
      assert.deepStrictEqual([repeated.status, repeated.text, repeated.headers.get("idempotent-replayed")], [200, bought.text, "true"])
      const other = yield* buy(key, { amount: 501, payment_method_id: "tok_visa" }, once)
      assert.deepStrictEqual([other.status, other.json["error"]], [400, "idempotency_key_reused"])
      assert.deepStrictEqual(yield* grantsOf(id), [{ cents: 500, source: "purchase" }])
      assert.deepStrictEqual(yield* capturedFor(String(bought.json["id"])), [{ state: "captured", captured: 500 }])
      const own = yield* ask("GET", "/v1/account", { key })
      assert.deepStrictEqual([
        own.headers.get("x-svc-credits-balance"),
        own.headers.get("x-svc-tier"),
        own.headers.get("x-svc-quota-limit")
      ], ["15000", "free", "10000"])
      const usage = yield* ask("GET", "/v1/usage", { key })
      assert.deepInclude((usage.json["credits"] as ReadonlyArray<object>)[0], {
        id: bought.json["credit_grant_id"],
        source: "purchase",
        cents: 500,
        left_cents: 500
      })
      const shown = yield* ask("GET", `/v1/credits/purchases/${String(bought.json["id"])}`, { key })
      assert.deepStrictEqual(shown.json, bought.json)
      const listed = yield* ask("GET", "/v1/credits/purchases", { key })
      assert.deepStrictEqual(listed.json["data"], [bought.json])
      const stranger = yield* openAccount
      assert.strictEqual((yield* ask("GET", `/v1/credits/purchases/${String(bought.json["id"])}`, { key: stranger.key })).status, 404)
      yield* booksHold(id)
    }))

  it.effect("are refused where they cannot be bought, and nothing is granted for a card that is declined", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openAccount
      for (
        const [body, status, error] of [
          [{}, 400, "validation_error"],
          [{ amount: 500, plan: "pro" }, 400, "validation_error"],
          [{ amount: 99 }, 400, "validation_error"],
          [{ amount: 100_001 }, 400, "validation_error"],
          [{ amount: 500.5 }, 400, "validation_error"],
          [{ plan: "free" }, 400, "validation_error"],
          [{ amount: 500, payment_method_id: "4242424242424242" }, 400, "card_number_not_accepted"],
          [{ amount: 500, payment_method_id: "pm_1" }, 400, "validation_error"],
          [{ amount: 500, payment_method_id: "tok_declined" }, 400, "validation_error"],
          [{ amount: 500, payment_method_id: "tok_generic_decline" }, 402, "purchase_declined"],
          [{ amount: 500, payment_method_id: "spt_test_decline_1" }, 402, "purchase_declined"],
          [{ amount: 500, payment_method_id: "tok_requires_action" }, 402, "purchase_declined"]
        ] as const
      ) {
        const answer = yield* buy(key, body)
        assert.deepStrictEqual([answer.status, answer.json["error"]], [status, error], answer.text)
        assert.strictEqual(answer.json["request_id"], answer.headers.get("request-id"), answer.text)
      }
      assert.strictEqual((yield* buy(key, { amount: 500, payment_method_id: "tok_declined" })).json["code"], "payment_method_id")
      const declined = randomUUID()
      const answers = [
        yield* buy(key, { amount: 500, payment_method_id: "tok_lost_card" }, declined),
        yield* buy(key, { amount: 500, payment_method_id: "tok_lost_card" }, declined)
      ]
      assert.deepStrictEqual(answers.map(({ text }) => text), [answers[0]?.text, answers[0]?.text])
      assert.match(
        String(answers[0]?.json["message"]),
        /^The card was declined: lost card\. Nothing was granted\. Buy again with another card and a fresh idempotency key\.$/
      )
      assert.strictEqual((yield* ask("POST", "/v1/credits/purchases", { key, body: { amount: 500 } })).json["code"], "idempotency_key")
      const { token } = yield* (yield* AgentKeys).issue(yield* (yield* Accounts).facts(id), { name: "Agent", policy: {} })
      const agent = yield* buy(Redacted.value(token), { amount: 500, payment_method_id: "tok_visa" })
      assert.deepStrictEqual([agent.status, agent.json["error"]], [403, "forbidden"], agent.text)
      assert.isEmpty(yield* grantsOf(id))
      assert.deepStrictEqual((yield* ask("GET", "/v1/credits/purchases", { key })).json["total"], 4)
      yield* booksHold(id)
    }))

  it.effect("a plan is the account's at once, and pro is not sold twice", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openAccount
      const bought = yield* buy(key, { plan: "pro", payment_method_id: "spt_test_1" })
      assert.deepInclude(bought.json, { state: "paid", amount: 9_900, plan: "pro" })
      const own = yield* ask("GET", "/v1/account", { key })
      assert.deepStrictEqual(
        ["tier", "quota-limit", "quota-remaining", "credits-balance"].map((name) => own.headers.get(`x-svc-${name}`)),
        ["pro", "300000", "300000", "300000"]
      )
      assert.deepInclude(own.json, { tier: "pro", credits: 300_000 })
      const again = yield* buy(key, { plan: "pro", payment_method_id: "tok_visa" })
      assert.deepStrictEqual([again.status, again.json["error"]], [409, "invalid_state"])
      const growth = yield* buy(key, { plan: "growth", payment_method_id: "tok_visa" })
      assert.strictEqual(growth.status, 201)
      assert.strictEqual((yield* ask("GET", "/v1/account", { key })).headers.get("x-svc-tier"), "growth")
      assert.deepStrictEqual(yield* grantsOf(id), [{ cents: 30_000, source: "plan" }, { cents: 120_000, source: "plan" }])
      yield* booksHold(id)
    }))

  describe("the page of an unpaid call", () => {
    it.effect("sells what the call costs, and then the identical call is answered from credits", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openAccount
        yield* spendAllowance(id)
        const asked = yield* call("svc_web_search", { operation: "search", namespace: "n", query: "x" }, key)
        assert.deepInclude(asked.json, { error_code: "CREDITS_EXHAUSTED", price: "0.01" }, asked.text)
        assert.strictEqual(asked.json["payment_url"], asked.json["checkout_url"])
        const path = pathIn(asked)
        const page = yield* ask("GET", path)
        assert.deepStrictEqual([page.status, page.headers.get("content-type"), page.headers.get("cache-control")], [
          200,
          "text/html; charset=utf-8",
          "no-store"
        ])
        assert.match(
          page.headers.get("content-security-policy") ?? "",
          /^default-src 'none'; style-src 'sha256-[^']+' 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/
        )
        for (const says of ["Pay $0.01", "10 credits", "svc_web_search", `${id.slice(0, 7)}…${id.slice(-4)}`, "method=\"post\""]) {
          assert.include(read(page), says)
        }
        for (const hidden of [id, key, "<script"]) assert.notInclude(page.text, hidden)
        assert.isEmpty(yield* grantsOf(id), "looking at it buys nothing")

        const clicks = yield* Effect.all(Array.from({ length: 4 }, () => ask("POST", path, { form: { card: "visa" } })), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(clicks.map(({ headers, status }) => [status, headers.get("location")]), clicks.map(() => [303, path]))
        const paid = yield* ask("GET", path)
        assert.include(paid.text, "Send the identical request again")
        assert.notInclude(paid.text, "<form")
        yield* ask("POST", path, { form: { card: "visa" } })
        assert.deepStrictEqual(yield* grantsOf(id), [{ cents: 1, source: "purchase" }])
        const purchase = `cpur_${/cpur_(\w+)/.exec(paid.text)?.[1] ?? ""}`
        assert.deepStrictEqual(yield* capturedFor(purchase), [{ state: "captured", captured: 1 }])

        const answered = yield* call("svc_web_search", { operation: "search", namespace: "n", query: "x" }, key)
        const said = ["x-svc-request-cost", "x-svc-credits-balance"].map((name) => answered.headers.get(name))
        assert.deepStrictEqual([answered.status, ...said], [200, "1", "0"], answered.text)
        yield* booksHold(id)
      }))

    it.effect("pays a call that is paid when it is made", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openAccount
        const asked = yield* call("ping_payment", {}, key)
        assert.strictEqual(asked.status, 402)
        assert.strictEqual((yield* ask("POST", pathIn(asked), { form: { card: "mastercard" } })).status, 303)
        const answered = yield* call("ping_payment", {}, key)
        const said = ["request-cost", "credits-balance", "quota-remaining"].map((name) => answered.headers.get(`x-svc-${name}`))
        assert.deepStrictEqual([answered.status, ...said], [200, "1", "10000", "10000"], answered.text)
        assert.strictEqual((yield* call("ping_payment", {}, key)).status, 402, "it was paid once")
        yield* booksHold(id)
      }))

    it.effect("says when a card is declined, takes another, and after five none", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openAccount
        const path = pathIn(yield* call("ping_payment", {}, key))
        yield* ask("POST", path, { form: { card: "declined" } })
        const declined = yield* ask("GET", path)
        assert.include(declined.text, "role=\"alert\"")
        assert.include(declined.text, "<form")
        yield* ask("POST", path, { form: { card: "visa" } })
        assert.include((yield* ask("GET", path)).text, "Send the identical request again")
        const other = pathIn(yield* call("ping_payment", {}, (yield* openAccount).key))
        for (let n = 0; n < 6; n++) yield* ask("POST", other, { form: { card: "poor" } })
        yield* ask("POST", other, { form: { card: "visa" } })
        const over = yield* ask("GET", other)
        assert.deepStrictEqual([over.status, over.text.includes("takes no more cards")], [410, true])
        yield* booksHold(id)
      }))

    it.effect("shows nothing to who made its address up, and takes no card by its number", () =>
      Effect.gen(function*() {
        const { key } = yield* openAccount
        const path = pathIn(yield* call("ping_payment", {}, key))
        const changed = `${path.slice(0, -2)}${path.endsWith("AA") ? "BB" : "AA"}`
        for (const wrong of ["/pay/x", "/pay/call_01AAAAAAAAAAAAAAAAAAAAAAAA", changed]) {
          assert.strictEqual((yield* ask("GET", wrong)).status, 404)
          assert.strictEqual((yield* ask("POST", wrong, { form: { card: "visa" } })).status, 404)
        }
        const forms: ReadonlyArray<Readonly<Record<string, string>>> = [{}, { card: "4242424242424242" }, { card: "toString" }, {
          card: "x".repeat(5_000)
        }]
        for (const form of forms) assert.strictEqual((yield* ask("POST", path, { form })).status, 400)
        assert.strictEqual((yield* ask("POST", path, { body: { card: "visa" } })).status, 400)
        assert.include((yield* ask("GET", path)).text, "<form")
      }))

    it.effect("tells who called without a key what to do", () =>
      Effect.gen(function*() {
        const asked = yield* call("ping_payment", {})
        const page = yield* ask("GET", pathIn(asked))
        assert.strictEqual(page.status, 200)
        for (const says of ["belongs to no account", "/v1/accounts", "X-Svc-Key"]) assert.include(page.text, says)
        assert.notInclude(page.text, "<form")
        assert.include((yield* ask("POST", pathIn(asked), { form: { card: "visa" } })).text, "belongs to no account")
      }))

    it.effect("is also that of a purchase that a request opened", () =>
      Effect.gen(function*() {
        const { id, key } = yield* openAccount
        const opened = yield* buy(key, { plan: "starter" })
        assert.deepInclude(opened.json, { state: "open", processing: false, plan: "starter", amount: 2_900 })
        const path = pathIn(opened, "payment_url")
        const page = yield* ask("GET", path)
        for (const says of ["Pay $29.00", "The plan starter: 75,000 credits a month, for one month"]) {
          assert.include(read(page), says)
        }
        yield* ask("POST", path, { form: { card: "visa" } })
        const paid = yield* ask("GET", `/v1/credits/purchases/${String(opened.json["id"])}`, { key })
        assert.deepInclude(paid.json, { state: "paid", payment_url: null })
        assert.deepStrictEqual([paid.headers.get("x-svc-tier"), paid.headers.get("x-svc-quota-limit")], ["starter", "75000"])
        assert.include((yield* ask("GET", path)).text, "on the account now")
        yield* booksHold(id)
      }))
  })
})
