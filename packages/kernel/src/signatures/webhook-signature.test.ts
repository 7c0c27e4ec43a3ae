import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { Stripe } from "stripe"
import vectors from "./vectors.json" with { type: "json" }
import { newSecret, sign, signatureHeader, verify } from "./webhook-signature.ts"

const runs = { arbitrary: { runs: 1000 } }
const { secret, timestamp, body, v1 } = vectors.webhook_signature
const header = signatureHeader({ secrets: [secret], timestamp, body })

const verdict = (result: ReturnType<typeof verify>): string => Result.isSuccess(result) ? "accepted" : result.failure.reason

describe("sign", () => {
  it("makes the published vector", () => {
    assert.strictEqual(sign({ secret, timestamp, body }), v1)
    assert.strictEqual(header, `t=${timestamp},v1=${v1}`)
  })

  it("signs text as its UTF-8 bytes", () => {
    const text = "{\"name\":\"Zoë €\"}"
    assert.strictEqual(sign({ secret, timestamp, body: Buffer.from(text) }), sign({ secret, timestamp, body: text }))
  })

  it("sends one signature a secret while two are valid", () => {
    const [old, fresh] = [newSecret(), newSecret()]
    const both = signatureHeader({ secrets: [fresh, old], timestamp, body })
    assert.match(both, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    for (const known of [old, fresh]) assert.strictEqual(verdict(verify({ header: both, secret: known, body, now: timestamp })), "accepted")
    assert.strictEqual(verdict(verify({ header: both, secret: newSecret(), body, now: timestamp })), "no_match")
  })

  it("has no empty secret, no missing secret and no broken timestamp", () => {
    assert.throws(() => sign({ secret: "", timestamp, body }), /must not be empty/)
    assert.throws(() => signatureHeader({ secrets: [], timestamp, body }), /at least one signing secret/)
    for (const bad of [1.5, -1, Number.NaN, 2 ** 53]) assert.throws(() => sign({ secret, timestamp: bad, body }), /whole Unix seconds/)
  })
})

describe("newSecret", () => {
  it("is whsec_ and 32 bytes in base64, another each time", () => {
    const secrets = Array.from({ length: 100 }, newSecret)
    assert.strictEqual(new Set(secrets).size, 100)
    for (const made of secrets) {
      assert.match(made, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.strictEqual(Buffer.from(made.slice(6), "base64").length, 32)
    }
  })
})

describe("verify", () => {
  const other = sign({ secret: "whsec_other", timestamp, body })
  const older = timestamp - 1000

  it.for<
    readonly [
      label: string,
      expected: string,
      changes: Partial<{ header: string; body: string; now: number; toleranceSeconds: number; secret: string }>
    ]
  >([
    ["the vector", "accepted", {}],
    ["300 s late", "accepted", { now: timestamp + 300 }],
    ["300 s early", "accepted", { now: timestamp - 300 }],
    ["301 s late", "timestamp_out_of_tolerance", { now: timestamp + 301 }],
    ["301 s early", "timestamp_out_of_tolerance", { now: timestamp - 301 }],
    ["an own tolerance", "timestamp_out_of_tolerance", { now: timestamp + 11, toleranceSeconds: 10 }],
    ["a wider tolerance", "accepted", { now: timestamp + 3600, toleranceSeconds: 3600 }],
    ["another scheme beside it", "accepted", { header: `t=${timestamp},v0=abc,v1=${v1},v2=x` }],
    ["a wrong signature before it", "accepted", { header: `t=${timestamp},v1=${other},v1=${v1}` }],
    ["spaces after the commas", "accepted", { header: `t=${timestamp}, v1=${v1}` }],
    ["another order", "accepted", { header: `v1=${v1},t=${timestamp}` }],
    ["a changed body", "no_match", { body: body.replace("pi_0001", "pi_0002") }],
    ["a body parsed and printed again", "no_match", { body: JSON.stringify(JSON.parse(body), undefined, 1) }],
    ["another secret", "no_match", { secret: "whsec_other" }],
    ["an empty secret", "no_match", { secret: "" }],
    ["a signature moved to a newer time", "no_match", { header: `t=${timestamp},v1=${sign({ secret, timestamp: older, body })}` }],
    ["a stale time that is not even authentic", "no_match", { header: `t=${older},v1=${v1}` }],
    ["capital hex", "no_match", { header: `t=${timestamp},v1=${v1.toUpperCase()}` }],
    ["half a signature", "no_match", { header: `t=${timestamp},v1=${v1.slice(0, 32)}` }],
    ["an empty signature", "no_match", { header: `t=${timestamp},v1=` }],
    ["a signature with other text in it", "no_match", { header: `t=${timestamp},v1=${v1.slice(0, 63)}é` }],
    ["nothing", "malformed", { header: "" }],
    ["no time", "malformed", { header: `v1=${v1}` }],
    ["two times", "malformed", { header: `t=${timestamp},t=${timestamp},v1=${v1}` }],
    ["a time with a fraction", "malformed", { header: `t=${timestamp}.5,v1=${v1}` }],
    ["a negative time", "malformed", { header: `t=-${timestamp},v1=${v1}` }],
    ["a time in hex", "malformed", { header: `t=0x10,v1=${v1}` }],
    ["an empty time", "malformed", { header: `t=,v1=${v1}` }],
    ["no v1", "malformed", { header: `t=${timestamp},v0=${v1}` }],
    ["the signature alone", "malformed", { header: v1 }],
    ["an endless header", "malformed", { header: `${header}${",v1=0".repeat(1000)}` }]
  ])("%s: %s", ([, expected, changes]) => {
    assert.strictEqual(verdict(verify({ header, secret, body, now: timestamp, ...changes })), expected)
  })

  it("refuses everything when no secret is known", () => {
    assert.strictEqual(verdict(verify({ header, secrets: [], body, now: timestamp })), "no_match")
  })

  it("says what to look at", () => {
    const result = verify({ header, secret: "whsec_other", body, now: timestamp })
    assert.match(Result.isFailure(result) ? result.failure.message : "", /raw body.*secret/)
  })

  const Seconds = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9_999_999_999 })))
  it.prop(
    "accepts what sign made, and nothing near it",
    [Schema.NonEmptyString, Schema.String, Seconds, Schema.NonEmptyString],
    ([key, text, at, tail]) => {
      const made = signatureHeader({ secrets: [key], timestamp: at, body: text })
      assert.strictEqual(verdict(verify({ header: made, secret: key, body: text, now: at })), "accepted")
      assert.strictEqual(verdict(verify({ header: made, secret: key, body: text + tail, now: at })), "no_match")
      assert.strictEqual(verdict(verify({ header: made, secret: `${key}x`, body: text, now: at })), "no_match")
      assert.strictEqual(verdict(verify({ header: made.replace(`t=${at}`, `t=${at + 1}`), secret: key, body: text, now: at })), "no_match")
    },
    runs
  )
})

describe("the stripe package", () => {
  const stripe = new Stripe("sk_test_unused")
  const check = (payload: string, sent: string, key: string) =>
    stripe.webhooks.constructEvent(payload, sent, key, 300, undefined, timestamp * 1000)

  it("verifies the header, also while a secret rotates", () => {
    assert.strictEqual(check(body, header, secret).id, "evt_0001")
    const rotating = signatureHeader({ secrets: [newSecret(), secret], timestamp, body })
    assert.strictEqual(check(body, rotating, secret).id, "evt_0001")
  })

  it("refuses a changed body, another secret and an old timestamp", () => {
    assert.throws(() => check(body.replace("pi_0001", "pi_0002"), header, secret), Stripe.errors.StripeSignatureVerificationError)
    assert.throws(() => check(body, header, newSecret()), Stripe.errors.StripeSignatureVerificationError)
    assert.throws(
      () => check(body, signatureHeader({ secrets: [secret], timestamp: timestamp - 301, body }), secret),
      /outside the tolerance zone/
    )
  })
})
