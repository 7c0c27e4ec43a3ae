import { assert, describe, it } from "@effect/vitest"
import { read } from "./credentials.ts"
import { base64url, checking, methods, now, purchase, secret } from "./fixture.ts"
import { type PaymentDemand, write402 } from "./write-402.ts"

const demand: PaymentDemand = {
  purchase,
  litePriceCents: 2,
  why: "PAYMENT_REQUIRED",
  methods,
  callId: "call_01",
  url: "https://tools.example:8443/mcp?key=secret",
  now,
  secret,
  paymentUrl: "https://tools.example/pay/call_01",
  checkoutUrl: "https://tools.example/buy"
}
const answer = write402(demand)
const headerJson = (header: string | undefined): unknown => JSON.parse(Buffer.from(header ?? "", "base64").toString("latin1"))

describe("the answer 402", () => {
  it("has the contract's keys, those of RFC 9457, and those of x402 version 1, in one body", () => {
    assert.deepInclude(answer.body, {
      type: "https://paymentauth.org/problems/payment-required",
      title: "Payment Required",
      status: 402,
      error: "Payment Required",
      price: "0.05",
      lite_price: "0.02",
      currency: "USD",
      payment_url: demand.paymentUrl,
      checkout_url: demand.checkoutUrl,
      retry_after_payment: true,
      error_code: "PAYMENT_REQUIRED",
      tool: "svc_x",
      mode: "standard",
      x402Version: 1,
      challengeId: answer.challenges[0]?.["id"]
    })
    assert.deepInclude(answer.body["accepts"], {
      scheme: "exact",
      network: "base-sepolia",
      maxAmountRequired: "50000",
      asset: methods.stablecoin.asset,
      payTo: methods.stablecoin.payTo,
      maxTimeoutSeconds: 300,
      mimeType: "application/json",
      resource: "https://tools.example:8443/mcp",
      description: "svc_x, standard mode: 0.05 USD",
      extra: { name: "USDC", version: "2" }
    })
  })

  it("says the same of x402 version 2 in its header, and in the tool's result with the contract's keys", () => {
    const { x402Version, error, resource, accepts, extensions, ...keys } = answer.inBand
    assert.deepStrictEqual(headerJson(answer.headers["PAYMENT-REQUIRED"]), { x402Version, error, resource, accepts, extensions })
    assert.deepStrictEqual([x402Version, error, resource], [2, "Payment Required", {
      url: "https://tools.example:8443/mcp",
      description: "svc_x, standard mode: 0.05 USD",
      mimeType: "application/json"
    }])
    assert.deepInclude(keys, { price: "0.05", error_code: "PAYMENT_REQUIRED", tool: "svc_x" })
    // Of version 1 as its clients have it in the result.
    assert.deepStrictEqual(keys["x402_v1"], { x402Version: 1, error, accepts: answer.body["accepts"] })
    assert.strictEqual(answer.headers["Cache-Control"], "no-store")
  })

  it("challenges in lines and in _meta alike, for the host that was called", () => {
    assert.deepStrictEqual(answer.challenges.map(({ method, realm }) => [method, realm]), [["stripe", "tools.example"], [
      "evm",
      "tools.example"
    ]])
    answer.challenges.forEach(({ id }, at) => assert.include(answer.authenticate[at], `id="${String(id)}"`))
  })

  it("never shows what stood in the address behind its path", () => {
    assert.notInclude(JSON.stringify([answer, headerJson(answer.headers["PAYMENT-REQUIRED"])]), "key=secret")
  })

  it("is the same bytes for the same demand", () => {
    assert.deepStrictEqual(write402(demand), answer)
  })

  it("binds lines to the body when it is given one, and never what stands in _meta", () => {
    const { authenticate, body, challenges } = write402({ ...demand, body: "{}" })
    for (const line of authenticate) assert.include(line, "digest=\"sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:\"")
    assert.deepStrictEqual(challenges, answer.challenges)
    assert.include(authenticate[0], `id="${String(body["challengeId"])}"`)
  })

  it("says what was wrong with a payment, and challenges afresh", () => {
    const { body, challenges, headers, inBand } = write402({
      ...demand,
      callId: "call_02",
      problem: { name: "payment-expired", why: "The challenge “é” expired." }
    })
    assert.deepInclude(body, {
      type: "https://paymentauth.org/problems/payment-expired",
      title: "Payment Expired",
      status: 402,
      detail: "The challenge “é” expired."
    })
    assert.strictEqual(inBand["error"], "Payment Expired: The challenge “é” expired.")
    assert.deepInclude(headerJson(headers["PAYMENT-REQUIRED"]), { error: inBand["error"] })
    assert.notStrictEqual(challenges[0]?.["id"], answer.challenges[0]?.["id"])
  })

  it("offers a plan where the call alone cannot be bought, and what the caller adds", () => {
    const { body } = write402({
      ...demand,
      purchase: { ...purchase, cents: 9900, plan: "pro" },
      why: "TIER_REQUIRED",
      more: { counter_offer: { mode: "lite" } }
    })
    assert.deepInclude(body, { error_code: "TIER_REQUIRED", price: "99.00", plan: "pro", counter_offer: { mode: "lite" } })
    assert.include(String(body["agent_message"]), "include this work. The plan pro costs 99.00 USD")
  })

  it("sends a person to the page only where it is known who called", () => {
    const { account: _, ...nobodys } = purchase
    assert.include(String(answer.body["agent_message"]), "if it had one; or let a person open https://tools.example/buy. Nothing")
    assert.match(
      String(write402({ ...demand, purchase: nobodys }).body["agent_message"]),
      /the same Idempotency-Key if it had one\. Nothing was charged\.$/
    )
  })

  it("tells in the sandbox alone how to pay without a wallet, and only where a card is taken", () => {
    const hintOf = (changed: Partial<PaymentDemand>) => write402({ ...demand, ...changed })
    assert.include(String(hintOf({ sandbox: true }).body["sandbox_hint"]), "spt_test_1")
    assert.strictEqual(hintOf({ sandbox: true }).inBand["sandbox_hint"], hintOf({ sandbox: true }).body["sandbox_hint"])
    for (const changed of [{}, { sandbox: false }, { sandbox: true, methods: { stablecoin: methods.stablecoin } }]) {
      assert.notProperty(hintOf(changed).body, "sandbox_hint")
    }
  })

  it("offers only what is set up and wanted", () => {
    const { authenticate, body, headers } = write402({ ...demand, methods: { card: methods.card } })
    assert.deepStrictEqual([authenticate.length, headers["PAYMENT-REQUIRED"], body["accepts"]], [1, undefined, undefined])
    assert.deepStrictEqual(write402({ ...demand, accept: "evm/charge" }).challenges.map(({ method }) => method), ["evm"])
  })

  it("is answered with a credential that the next request is known by", () => {
    const [challenge] = answer.challenges
    const { credential } = read({
      headers: { authorization: `Payment ${base64url({ challenge, payload: { spt: "spt_test_1" } })}` },
      meta: {}
    }, checking)
    assert.deepInclude(credential._tag === "Card" ? credential.challenge : {}, { account: "acct_1", callId: "call_01" })
  })

  it.for(
    [
      ["an ordinary call", demand],
      ["long names, a long address, another alphabet and a body", {
        ...demand,
        callId: "call_01ARZ3NDEKTSV4RRFFQ69G5FAV",
        purchase: { ...purchase, tool: "t".repeat(64), account: "acct_01ARZ3NDEKTSV4RRFFQ69G5FAV", cents: 999_999_99, plan: "growth" },
        url: `https://${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}/${"é".repeat(4000)}?${"q".repeat(4000)}`,
        problem: { name: "verification-failed", why: "é".repeat(5000) },
        body: "x".repeat(10_000)
      }]
    ] as const
  )("fits in 8 KB of headers, in ASCII, for %s", ([, one]) => {
    const { authenticate, headers } = write402(one)
    const lines = [
      ...authenticate.map((value) => `WWW-Authenticate: ${value}`),
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    ]
    const text = lines.map((line) => `${line}\r\n`).join("")
    assert.match(text, /^[\x20-\x7e\r\n]*$/)
    assert.isBelow(text.length, 8192)
  })
})
