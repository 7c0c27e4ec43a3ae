/**
 * Work that a plan pays for: asked for by its tier, paid by the plan that the answer sells, and never by the call where the tool wants a
 * plan.
 */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { now } from "@svc/kernel/values/time"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Catalog } from "@svc/tool-kit/derive"
import { type AnsweredCall, Gate, type ToolAnswer, type UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"
import { CreditPurchaseId } from "../credit-purchases/model.ts"
import { openOffer } from "../credit-purchases/offer.ts"
import { expiryFrom } from "../credit-purchases/rules.ts"
import { CreditPurchases } from "../credit-purchases/service/purchases.ts"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { PaymentMethods } from "../merchant/payment-methods.ts"
import { PAYER, signed } from "../payment/fixture.ts"
import * as gate from "./gate.ts"

let runs = 0
const made = <const N extends string>(name: N, planOnly: boolean) =>
  tool({
    name,
    title: "Work",
    description: "Costs a dollar.",
    auth: "key",
    kind: "outside",
    prices: { standard: 100, lite: 50 },
    serviceWork: true,
    ...(planOnly ? { planOnly } : {}),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    limits: { seconds: 5, bytes: 1024 },
    payload: Schema.Struct({ of: Schema.optionalKey(Schema.String) }),
    result: Schema.Struct({ run: Schema.Int }),
    examples: [{}],
    run: () => Effect.sync(() => ({ run: ++runs }))
  })

const catalog = Layer.succeed(
  Catalog,
  new Map([made("package", true), made("analyze", false)].map(({ compiled, name }) => [name, compiled]))
)
const everything = Layer.provideMerge(Layer.provide(gate.layer, catalog), services)

const open = Effect.gen(function*() {
  const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
  const { secret } = yield* (yield* ApiKeys).issue({ accountId: account.id, kind: "tool", name: "Tools", scopes: [] })
  return { account, key: Redacted.value(secret) }
})

const call = Effect.fnUntraced(
  function*(
    name: string,
    key: string | undefined,
    { args = {}, headers = {}, meta = {} }: {
      readonly args?: object
      readonly headers?: Readonly<Record<string, string>>
      readonly meta?: Readonly<Record<string, unknown>>
    } = {}
  ) {
    return yield* (yield* Gate).call({
      name,
      arguments: args,
      meta,
      url: "http://localhost:4001/mcp",
      address: "127.0.0.1",
      headers: { ...(key === undefined ? {} : { "x-svc-key": key }), ...headers }
    })
  }
)

const answeredBy = (answer: ToolAnswer): AnsweredCall =>
  answer._tag === "Answered" ? answer : assert.fail(`expected an answer, got ${JSON.stringify(answer)}`)
const demandedBy = (answer: ToolAnswer): UnpaidAnswer =>
  answer._tag === "PaymentRequired" ? answer : assert.fail(`expected a demand, got ${JSON.stringify(answer)}`)

const cardFor = ({ challenges }: UnpaidAnswer, spt: string) => ({
  "org.paymentauth/credential": { challenge: challenges.find(({ method }) => method === "stripe"), payload: { spt } }
})

/** What the wallet of the tests signs, for so many dollars. */
const transferFor = Effect.fnUntraced(function*(cents: number) {
  const { stablecoin } = (yield* PaymentMethods).of(true)
  if (stablecoin === undefined) return assert.fail("stablecoins are taken in the sandbox")
  const seconds = Math.floor((yield* now).epochMilliseconds / 1000)
  const authorization = {
    from: PAYER,
    to: stablecoin.payTo,
    value: String(cents * 10_000),
    validAfter: "0",
    validBefore: String(seconds + 280),
    nonce: `0x${randomBytes(32).toString("hex")}`
  }
  const payment = {
    x402Version: 2,
    accepted: {
      scheme: "exact",
      network: `eip155:${stablecoin.chainId}`,
      amount: authorization.value,
      asset: stablecoin.asset,
      payTo: stablecoin.payTo,
      maxTimeoutSeconds: 300,
      extra: { name: stablecoin.name, version: stablecoin.version }
    },
    payload: { signature: signed(authorization), authorization }
  }
  return { "payment-signature": Buffer.from(JSON.stringify(payment)).toString("base64") }
})

const bought = (account: AccountFacts) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<
        { readonly plan: string | null; readonly state: string; readonly amount: number }
      >`SELECT plan, state, amount::float8 AS amount FROM credit_purchases WHERE account_id = ${account.id} ORDER BY id`
  )

const pagesOf = Effect.fnUntraced(function*(demand: UnpaidAnswer) {
  const secret = yield* (yield* MerchantAccount).secret
  return ["payment_url", "checkout_url"].map((name) => {
    const offer = openOffer(secret, new URL(String(demand.body[name])).pathname.slice("/pay/".length))
    return { cents: offer?.cents, plan: offer?.plan }
  })
})

const booksHold = Effect.fnUntraced(function*(account: AccountFacts) {
  for (const id of [account.id, (yield* (yield* MerchantAccount).merchant(true)).id]) assert.isNull((yield* verifyBooks(id)).first_break)
})

/** Grants credits as the page of a call does. */
const buyCredits = Effect.fnUntraced(function*(account: AccountFacts, amount: number) {
  const id = CreditPurchaseId.make(`cpur_01${"ABCDEFGHJKMNPQRSTVWXYZ0123".slice(0, 20)}${String(runs).padStart(4, "0")}`)
  yield* (yield* CreditPurchases).charge(
    account,
    { id, account_id: account.id, amount, plan: null, tool: "analyze", pays_for: null, expires_at: expiryFrom(yield* now) },
    { kind: "card", token: "tok_visa" },
    true
  )
})

layer(everything, { timeout: 60_000 })("a tool that wants a plan", (it) => {
  it.effect("sells the plan, and never the call", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const before = runs
      const demand = demandedBy(yield* call("package", key))
      assert.deepInclude(demand.body, { error_code: "TIER_REQUIRED", price: "99.00", plan: "pro", status: 402 })
      assert.deepStrictEqual(
        demand.challenges.map((
          { method, request }
        ) => [method, typeof request === "object" && request !== null && "amount" in request ? request.amount : undefined]),
        [["stripe", "9900"], ["evm", "99000000"]]
      )
      assert.deepStrictEqual(yield* pagesOf(demand), [{ cents: 9_900, plan: "pro" }, { cents: 9_900, plan: "pro" }])
      // The price of the call pays nothing, and credits do not either.
      yield* buyCredits(account, 5_000)
      demandedBy(yield* call("package", key, { headers: yield* transferFor(100) }))
      demandedBy(yield* call("package", key))
      assert.strictEqual(runs, before)
      assert.deepStrictEqual((yield* bought(account)).filter(({ plan }) => plan !== null), [])
    }))

  it.effect.each(["card", "stablecoin"] as const)(
    "paid by %s, the plan is bought and the call runs, once however often it is sent",
    (way) =>
      Effect.gen(function*() {
        const { account, key } = yield* open
        const demand = demandedBy(yield* call("package", key))
        const how = way === "card" ? { meta: cardFor(demand, "spt_test_1") } : { headers: yield* transferFor(9_900) }
        const answers = yield* Effect.all(Array.from({ length: 4 }, () => call("package", key, how)), { concurrency: "unbounded" })
        const done = answers.flatMap((answer) => answer._tag === "Answered" ? [answer] : [])
        assert.isNotEmpty(done)
        const again = answeredBy(yield* call("package", key, how))
        for (const { result } of done) assert.deepStrictEqual(result, again.result)
        assert.isTrue(
          done.some(({ headers, meta }) => (way === "card" ? meta["org.paymentauth/receipt"] : headers["PAYMENT-RESPONSE"]) !== undefined),
          JSON.stringify(done)
        )
        assert.deepInclude(again.headers, { "x-svc-tier": "pro", "x-svc-quota-limit": "300000", "x-svc-credits-balance": "299000" })
        assert.deepStrictEqual(yield* bought(account), [{ plan: "pro", state: "paid", amount: 9_900 }])
        assert.strictEqual(answeredBy(yield* call("package", key, { args: { of: "another" } })).headers["x-svc-request-cost"], "100")
        yield* booksHold(account)
      })
  )

  it.effect("a card that is declined buys nothing, and is asked for again", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const demand = demandedBy(yield* call("package", key))
      const declined = demandedBy(yield* call("package", key, { meta: cardFor(demand, "spt_test_decline_1") }))
      assert.deepInclude(declined.body, { error_code: "TIER_REQUIRED", price: "99.00" })
      assert.include(String(declined.body["type"]), "verification-failed")
      answeredBy(yield* call("package", key, { meta: cardFor(declined, "spt_test_2") }))
      assert.deepStrictEqual((yield* bought(account)).map(({ state }) => state).sort(), ["failed", "paid"])
      yield* booksHold(account)
    }))

  it.effect("an agent with a budget leaves it to the account's owner: what a plan costs is in no budget", () =>
    Effect.gen(function*() {
      const { account } = yield* open
      const { token } = yield* (yield* AgentKeys).issue(account, { name: "Agent", policy: { budgets: { life: 1_000_000 } } })
      const key = Redacted.value(token)
      const refused = yield* call("package", key, { meta: cardFor(demandedBy(yield* call("package", key)), "spt_test_1") })
      assert.strictEqual(refused._tag === "Refused" ? refused.data.code : refused._tag, "AGENT_BUDGET_EXCEEDED")
      assert.include(JSON.stringify(refused), "opens one with POST /v1/accounts")
      assert.deepStrictEqual(yield* bought(account), [])
    }))

  it.effect("an agent buys it within its policy only", () =>
    Effect.gen(function*() {
      const { account } = yield* open
      const { token } = yield* (yield* AgentKeys).issue(account, { name: "Agent", policy: { max_amount_minor_cents: 1_000 } })
      const key = Redacted.value(token)
      const demand = demandedBy(yield* call("package", key))
      const refused = yield* call("package", key, { meta: cardFor(demand, "spt_test_1") })
      assert.strictEqual(refused._tag === "Refused" ? refused.data.code : refused._tag, "AGENT_AMOUNT_NOT_ALLOWED")
      assert.isEmpty(yield* bought(account))
    }))
})

layer(everything, { timeout: 60_000 })("other service work", (it) => {
  it.effect("is paid by the call, or by credits that were bought, and not by the free month's", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const demand = demandedBy(yield* call("analyze", key))
      assert.deepInclude(demand.body, { error_code: "TIER_REQUIRED", price: "1.00", lite_price: "0.50" })
      assert.notProperty(demand.body, "plan")
      assert.deepStrictEqual(yield* pagesOf(demand), [{ cents: 100, plan: null }, { cents: 100, plan: null }])
      answeredBy(yield* call("analyze", key, { meta: cardFor(demand, "spt_test_1") }))
      yield* buyCredits(account, 150)
      const paid = answeredBy(yield* call("analyze", key, { args: { of: "one" } }))
      assert.deepInclude(paid.headers, { "x-svc-tier": "free", "x-svc-request-cost": "100", "x-svc-credits-balance": "10500" })
      assert.deepInclude(demandedBy(yield* call("analyze", key, { args: { of: "two" } })).body, {
        error_code: "TIER_REQUIRED",
        price: "1.00"
      })
      yield* booksHold(account)
    }))
})
