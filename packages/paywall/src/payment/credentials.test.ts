import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Duration, Redacted, Result, Schema } from "effect"
import { check, read, receipt, refusal } from "./credentials.ts"
import { base64, base64url, checking, methods, now, PAYER, purchase, secret, signed, stablecoin, transferOf } from "./fixture.ts"
import type { Payment } from "./model.ts"
import { challenges } from "./mpp-challenge.ts"
import * as Mpp from "./mpp.ts"
import { requirementsOf } from "./x402.ts"

const terms = {
  purchase,
  methods,
  secret,
  expires: DateTime.addDuration(now, Duration.minutes(5)),
  realm: "tools.example",
  callId: "call_1",
  description: "svc_x"
}
const [card, evm] = challenges(terms)
if (card === undefined || evm === undefined) throw new Error("two methods are set up")

const cardCredential = { challenge: card, payload: { spt: "spt_test_1", externalId: "order-7" } }
const transfer = transferOf(Mpp.nonceOf(evm))
const evmCredential = { challenge: evm, payload: { type: "authorization", ...transfer, signature: signed(transfer) } }
const free = transferOf(`0x${"ab".repeat(32)}`)
const v1 = { x402Version: 1, scheme: "exact", network: "base-sepolia", payload: { signature: signed(free), authorization: free } }
const v2 = { x402Version: 2, accepted: requirementsOf(stablecoin, 5, "exact"), payload: v1.payload }

const carried = (headers: Readonly<Record<string, string>>, meta: Readonly<Record<string, unknown>> = {}) =>
  read({ headers, meta }, checking)
const paymentOf = (headers: Readonly<Record<string, string>>, meta: Readonly<Record<string, unknown>> = {}): Payment => {
  const { credential } = carried(headers, meta)
  if (credential._tag === "Card" || credential._tag === "Stablecoin") return credential
  throw new Error(`no payment: ${JSON.stringify(credential)}`)
}
const keyOf = (headers: Readonly<Record<string, string>>) => {
  const { apiKey } = carried(headers)
  return apiKey === undefined ? undefined : Redacted.value(apiKey)
}

describe("a request", () => {
  it.for<readonly [what: string, headers: Readonly<Record<string, string>>, key: string | undefined]>([
    ["no key", {}, undefined],
    ["its key in Authorization", { authorization: "Bearer svck_test_1" }, "svck_test_1"],
    ["its key in Authorization, in small letters", { authorization: "bearer  svck_test_1" }, "svck_test_1"],
    ["its key in a header of its own", { "x-svc-key": " svck_test_1 " }, "svck_test_1"],
    ["its key beside a payment", { authorization: `Payment ${base64url(cardCredential)}`, "x-svc-key": "svck_test_1" }, "svck_test_1"],
    ["its key and a payment in one header", { authorization: `Payment ${base64url(cardCredential)}, Bearer svck_test_1` }, "svck_test_1"],
    ["two keys, of which its own header counts", { authorization: "Bearer svck_test_2", "x-svc-key": "svck_test_1" }, "svck_test_1"],
    ["its key in Authorization, and a payment in a header of its own", {
      authorization: "Bearer svck_test_1",
      "payment-authorization": `Payment ${base64url(cardCredential)}`
    }, "svck_test_1"],
    ["an empty header", { "x-svc-key": " ", authorization: "Basic YTpi" }, undefined]
  ])("has %s", ([, headers, key]) => {
    assert.strictEqual(keyOf(headers), key)
  })

  it.for<
    readonly [
      where: string,
      tag: string,
      protocol: string | undefined,
      headers: Readonly<Record<string, string>>,
      meta?: Readonly<Record<string, unknown>>
    ]
  >([
    ["nowhere", "None", undefined, { authorization: "Bearer svck_test_1" }],
    ["in Authorization", "Malformed", "mpp", {
      authorization: `Payment ${base64url({ ...cardCredential, challenge: { ...card, id: "x" } })}`
    }],
    ["in Payment-Authorization, beside a key", "Malformed", "mpp", {
      authorization: "Bearer svck_test_1",
      "payment-authorization": `Payment ${base64url({ ...cardCredential, challenge: { ...card, id: "x" } })}`
    }],
    ["in both headers", "Malformed", "mpp", {
      authorization: `Payment ${base64url(cardCredential)}`,
      "payment-authorization": `Payment ${base64url(cardCredential)}`
    }],
    ["in _meta, by card", "Card", "mpp", {}, { [Mpp.META_CREDENTIAL]: cardCredential }],
    ["in _meta, by stablecoin", "Stablecoin", "mpp", {}, { [Mpp.META_CREDENTIAL]: evmCredential }],
    ["in X-PAYMENT", "Stablecoin", "x402-v1", { "x-payment": base64(v1) }],
    ["in PAYMENT-SIGNATURE", "Stablecoin", "x402-v2", { "payment-signature": base64(v2) }],
    ["in _meta, as x402 has it", "Stablecoin", "x402-v2", {}, { "x402/payment": v2 }],
    ["in _meta, as x402-mcp has it", "Stablecoin", "x402-v1", {}, { "x402.payment": base64(v1) }],
    ["in _meta, as x402-mcp has it, and no text", "Malformed", "x402-v1", {}, { "x402.payment": 7 }],
    ["in two places", "Malformed", "mpp", { "payment-signature": base64(v2), "x-payment": base64(v1) }],
    ["in _meta as null", "Malformed", "x402-v2", {}, { "x402/payment": null }]
  ])("pays %s", ([, tag, protocol, headers, meta]) => {
    const { credential } = carried(headers, meta)
    assert.deepStrictEqual([credential._tag, "protocol" in credential ? credential.protocol : undefined], [tag, protocol])
  })

  const Text = Arbitrary.schema(Schema.String)
  const Anything = Arbitrary.schema(Schema.Json)
  it.prop("is read, whatever it carries", [Text, Anything, Text, Anything], ([token, meta, header, more]) => {
    const tags = [
      carried({ authorization: `Payment ${token}` }),
      carried({ authorization: `Payment ${base64url(meta)}`, "x-svc-key": token }),
      carried({ "payment-signature": header }),
      carried({ "payment-signature": base64({ ...v2, payload: meta }) }),
      carried({ "x-payment": base64({ ...v1, payload: meta }) }),
      carried({}, { [Mpp.META_CREDENTIAL]: { challenge: { ...card, request: more, opaque: meta }, payload: more } }),
      carried({}, { "x402/payment": more })
    ].map(({ credential }) => credential._tag)
    assert.notInclude(tags, "Card")
    assert.notInclude(tags, "Stablecoin")
  }, { arbitrary: { runs: 300 } })
})

describe("a payment, once the price is known", () => {
  const key = `eip3009:${PAYER.toLowerCase()}:`
  it("by card is known by its challenge", () => {
    assert.deepStrictEqual(
      check(paymentOf({}, { [Mpp.META_CREDENTIAL]: cardCredential }), { cents: 5, methods, now }),
      Result.succeed({ payer: undefined, keys: [`mpp:${card.id}`] })
    )
  })

  it("by stablecoin is known by its payer and nonce, and by its challenge where it has one", () => {
    const payer = `eip155:84532:${PAYER.toLowerCase()}`
    assert.deepStrictEqual(
      check(paymentOf({}, { [Mpp.META_CREDENTIAL]: evmCredential }), { cents: 5, methods, now }),
      Result.succeed({ payer, keys: [`mpp:${evm.id}`, `${key}${Mpp.nonceOf(evm)}`] })
    )
    for (const headers of [{ "x-payment": base64(v1) }, { "payment-signature": base64(v2) }]) {
      assert.deepStrictEqual(
        check(paymentOf(headers), { cents: 5, methods, now }),
        Result.succeed({ payer, keys: [`${key}${free.nonce}`] })
      )
    }
  })

  it.for<readonly [what: string, payment: Payment]>([
    ["by card", paymentOf({}, { [Mpp.META_CREDENTIAL]: cardCredential })],
    ["by stablecoin", paymentOf({}, { [Mpp.META_CREDENTIAL]: evmCredential })],
    ["by x402", paymentOf({ "payment-signature": base64(v2) })]
  ])("%s is refused when the price is another", ([, payment]) => {
    for (const cents of [4, 6]) {
      const checked = check(payment, { cents, methods, now })
      assert.strictEqual(Result.isFailure(checked) ? checked.failure.name : "accepted", "payment-insufficient")
    }
  })

  it("is refused when another signed it, or its rail is gone", () => {
    const forged = { ...v2, payload: { ...v2.payload, authorization: { ...free, from: stablecoin.payTo } } }
    const outcomes = [
      check(paymentOf({ "payment-signature": base64(forged) }), { cents: 5, methods, now }),
      check(paymentOf({ "x-payment": base64(v1) }), { cents: 5, methods: {}, now })
    ]
    assert.deepStrictEqual(outcomes.map((one) => Result.isFailure(one) ? one.failure.name : "accepted"), [
      "verification-failed",
      "method-unsupported"
    ])
  })
})

describe("a receipt", () => {
  const settled = { reference: "pi_1", at: now, cents: 3, simulated: true }
  const decoded = (header: string | undefined): unknown => JSON.parse(Buffer.from(header ?? "", "base64").toString())

  it("of the Payment scheme says the same in its header and in _meta", () => {
    const { headers, meta } = receipt(paymentOf({}, { [Mpp.META_CREDENTIAL]: cardCredential }), settled, methods)
    const says = {
      status: "success",
      timestamp: "2026-11-21T12:00:00.000Z",
      challengeId: card.id,
      method: "stripe",
      reference: "pi_1",
      externalId: "order-7",
      settlement: "simulated"
    }
    assert.deepStrictEqual(meta, { [Mpp.META_RECEIPT]: says })
    assert.deepStrictEqual(JSON.parse(Buffer.from(headers["Payment-Receipt"] ?? "", "base64url").toString()), says)
    assert.strictEqual(headers["Cache-Control"], "private")
  })

  it("says nothing of simulation when money moved", () => {
    const { meta } = receipt(paymentOf({}, { [Mpp.META_CREDENTIAL]: evmCredential }), { ...settled, simulated: false }, methods)
    assert.deepStrictEqual(meta, {
      [Mpp.META_RECEIPT]: {
        status: "success",
        timestamp: "2026-11-21T12:00:00.000Z",
        challengeId: evm.id,
        method: "evm",
        reference: "pi_1"
      }
    })
  })

  it("of x402 says what was taken, in the words of its version", () => {
    const says = {
      success: true,
      transaction: "pi_1",
      network: "eip155:84532",
      payer: PAYER,
      amount: "30000",
      extra: { settlement: "simulated" }
    }
    const second = receipt(paymentOf({ "payment-signature": base64(v2) }), settled, methods)
    assert.deepStrictEqual([decoded(second.headers["PAYMENT-RESPONSE"]), second.meta], [says, { "x402/payment-response": says }])
    const first = receipt(paymentOf({ "x-payment": base64(v1) }), settled, methods)
    assert.deepStrictEqual(decoded(first.headers["X-PAYMENT-RESPONSE"]), { ...says, network: "base-sepolia" })
    assert.deepStrictEqual(first.meta["x402.payment-response"], { ...says, network: "base-sepolia" })
  })

  it("of a payment that was refused exists in x402 alone", () => {
    assert.deepStrictEqual(refusal(paymentOf({}, { [Mpp.META_CREDENTIAL]: evmCredential }), "insufficient_funds", methods), {
      headers: {},
      meta: {}
    })
    const { headers } = refusal(paymentOf({ "payment-signature": base64(v2) }), "insufficient_funds", methods)
    assert.deepStrictEqual(decoded(headers["PAYMENT-RESPONSE"]), {
      success: false,
      transaction: "",
      network: "eip155:84532",
      payer: PAYER,
      errorReason: "insufficient_funds"
    })
    assert.strictEqual(headers["Cache-Control"], "no-store")
  })
})
