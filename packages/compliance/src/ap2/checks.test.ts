import { assert, describe, it } from "@effect/vitest"
import otherCanonicalize from "canonicalize"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import * as checks from "./checks.ts"
import { mandates } from "./mandate-fixture.ts"
import { type Fields, judge } from "./mandate.ts"
import * as V1 from "./v0-1.ts"

const cartOf = Schema.decodeUnknownSync(V1.CartMandate)
const cart = cartOf(mandates["0.1 cart"])
const paths = (issues: ReadonlyArray<checks.Issue>) => issues.map(({ path }) => path)

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")
const claims = { iss: "shop", sub: "shop", aud: "processor", iat: 1000, exp: 1600, jti: "1", cart_hash: "unknown" }
const jwt = (payload: object) => `${base64url({ alg: "ES256" })}.${base64url(payload)}.c2ln`
const authorized = (merchant_authorization: string) => checks.cart({ ...cart, merchant_authorization })

describe("a cart", () => {
  it("has a total that is not negative, one currency, and a way to pay", () => {
    const { payment_request } = cart.contents
    const broken = (more: Partial<typeof payment_request>) =>
      checks.cart({ ...cart, contents: { ...cart.contents, payment_request: { ...payment_request, ...more } } })
    const item = (value: number, currency = "EUR") => ({ label: "x", amount: { value, currency } })
    assert.deepStrictEqual(paths(broken({ method_data: [] })), ["contents.payment_request.method_data"])
    assert.deepStrictEqual(paths(broken({ details: { ...payment_request.details, total: item(-0.01) } })), [
      "contents.payment_request.details.total.amount.value"
    ])
    assert.deepStrictEqual(
      paths(broken({ details: { ...payment_request.details, display_items: [item(-5), item(1, "USD")] } })),
      ["contents.payment_request.details.display_items[1].amount.currency"]
    )
  })

  // The hash is made here by other means than in the code.
  const sha256 = createHash("sha256").update(otherCanonicalize(cart.contents) ?? "").digest()

  it.for<readonly [label: string, authorization: string, wrong: RegExp | undefined]>([
    ["whose JWT names the hash of its contents in hex", jwt({ ...claims, cart_hash: sha256.toString("hex") }), undefined],
    ["whose JWT names it in base64url", jwt({ ...claims, cart_hash: sha256.toString("base64url") }), undefined],
    ["whose JWT names some hash of another length", jwt(claims), undefined],
    ["that was changed after the merchant signed", jwt({ ...claims, cart_hash: "0".repeat(64) }), /changed after the merchant signed/],
    ["whose JWT lacks a claim", jwt({ ...claims, jti: undefined }), /claim jti/],
    ["whose JWT ends before it begins", jwt({ ...claims, exp: 1000 }), /expire after/],
    ["whose JWT is none", "abc", /three parts/],
    ["whose JWT holds no object", `e30.${base64url([1])}.e30`, /three parts/],
    ["whose JWT holds no JSON", "e30.e30x.e30", /three parts/]
  ])("%s", ([, authorization, wrong]) => {
    const issues = authorized(authorization)
    if (wrong === undefined) assert.deepStrictEqual(issues, [])
    else {
      assert.isNotEmpty(issues)
      for (const { message, path } of issues) {
        assert.strictEqual(path, "merchant_authorization")
        assert.match(message, wrong)
      }
    }
  })
})

describe("other mandates", () => {
  const issues = (name: string, more: Fields, signed = true) => {
    const mandate = { ...mandates[name], ...more }
    return paths(judge(mandate, { version: name.startsWith("0.1") ? "0.1" : "0.2", signed }).issues)
  }

  it("an intent that needs no confirmation is signed", () => {
    assert.deepStrictEqual(issues("0.1 intent", { user_cart_confirmation_required: false }, false), ["user_cart_confirmation_required"])
    assert.deepStrictEqual(issues("0.1 intent", { user_cart_confirmation_required: false }, true), [])
  })

  it("a checkout carries the hash of its JWT, by SHA-256 unless it says otherwise", () => {
    assert.deepStrictEqual(issues("mandate.checkout.1", { checkout_jwt: "abd" }), ["checkout_hash"])
    assert.deepStrictEqual(issues("mandate.checkout.1", { checkout_jwt: "abd", _sd_alg: "sha-256" }), ["checkout_hash"])
    assert.deepStrictEqual(issues("mandate.checkout.1", { checkout_jwt: "abd", _sd_alg: "sha-512" }), [])
  })

  it("ends after it begins", () => {
    for (const name of Object.keys(mandates).filter((one) => one.startsWith("mandate"))) {
      assert.deepStrictEqual(issues(name, { iat: 5, exp: 5 }), ["exp"])
    }
  })

  it("has ranges that hold something", () => {
    const reference = { type: "payment.reference", conditional_transaction_id: "x" }
    const constraints = [
      reference,
      { type: "payment.amount_range", currency: "EUR", min: 2, max: 1 },
      { type: "payment.execution_date", not_before: "2026-12-02", not_after: "2026-12-01T23:00:00Z" }
    ]
    assert.deepStrictEqual(issues("mandate.payment.open.1", { constraints }), ["constraints[1].min", "constraints[2].not_before"])
    assert.deepStrictEqual(issues("mandate.payment.open.1", { constraints: constraints.slice(1) }), ["constraints"])
    assert.deepStrictEqual(issues("mandate.payment.open.1", { constraints: [reference] }), [])
  })
})
