import { assert, describe, it } from "@effect/vitest"
import { PaymentMethodId } from "@svc/payments/payment-methods/model"
import { DateTime, Result, Schema } from "effect"
import { Customer, CustomerId, customers, Locale } from "./model.ts"
import { additionOf } from "./road.ts"
import * as rules from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const later = DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")
const id = CustomerId.make("cus_01KDV8Q400ABCDEFGHJKMNPQRS")
const [one, other] = [PaymentMethodId.make("pm_01KDV8Q400ABCDEFGHJKMNPQRS"), PaymentMethodId.make("pm_01KDV8Q400ABCDEFGHJKMNPQRT")]
const making = { id, account_id: "acct_01KDV8Q400ABCDEFGHJKMNPQRS", at }

const bare = rules.create(making, "c").customer
const paying = rules.create(making, "c", { default_payment_method_id: one }).customer

describe("create", () => {
  it("needs no more than a reference", () => {
    assert.deepInclude({ ...bare }, {
      customer_id: "c",
      name: null,
      email: null,
      locale: null,
      default_payment_method_id: null,
      metadata: {},
      version: 1
    })
  })
  it("keeps what is said of the customer", () => {
    const said = { name: "Jo", email: "jo@example.com", locale: "de", metadata: { a: "1" }, default_payment_method_id: one }
    assert.deepInclude({ ...rules.create(making, "c", said).customer }, said)
  })
})

describe("update", () => {
  it("changes what is sent, at the version expected", () => {
    const next = Result.getOrThrow(rules.update(paying, { name: "Jo", default_payment_method_id: null }, later, 1))
    assert.deepStrictEqual({ ...next?.customer }, { ...paying, name: "Jo", default_payment_method_id: null, updated_at: later, version: 2 })
    assert.strictEqual(next?.before, one)
    assert.deepInclude(rules.update(paying, { name: "Jo" }, later, 2), { _tag: "Failure" })
  })
  it.each<rules.CustomerFields>([{}, { name: null }, { metadata: {} }, { default_payment_method_id: one }])(
    "with %o, as it is already, is nothing",
    (patch) => {
      assert.isUndefined(Result.getOrThrow(rules.update(paying, patch, later)))
    }
  )
})

describe("a payment method", () => {
  it("that comes is the default where there was none", () => {
    assert.deepInclude(rules.gains(bare, one, later)?.customer, { default_payment_method_id: one, version: 2 })
    assert.isUndefined(rules.gains(paying, other, later))
  })
  it("that goes is the default no longer", () => {
    assert.deepInclude(rules.loses(paying, one, later).customer, { default_payment_method_id: null, version: 2 })
  })
  it("that goes and was not the default leaves everything but the version, which whoever makes it the default has to meet", () => {
    assert.deepStrictEqual({ ...rules.loses(paying, other, later).customer }, { ...paying, version: 2 })
  })
  it("is told of where it becomes the default or stops being it, and nowhere else", () => {
    const moments = (decided: rules.CustomerDecision | undefined) => decided === undefined ? 0 : additionOf(decided).moments.length
    assert.strictEqual(moments(rules.create(making, "c", { default_payment_method_id: one })), 1)
    assert.strictEqual(moments(rules.gains(bare, one, later)), 1)
    assert.strictEqual(moments(rules.loses(paying, one, later)), 1)
    assert.strictEqual(moments(rules.charges(paying, other, later)), 1)
    assert.strictEqual(moments(rules.create(making, "c")), 0)
    assert.strictEqual(moments(rules.loses(paying, other, later)), 0)
    assert.strictEqual(moments(Result.getOrThrow(rules.update(paying, { name: "Jo" }, later))), 0)
  })
})

describe("what may be said of a customer", () => {
  it.each(["de", "fil", "pt-BR", "zh-Hant-TW", "es-419", "sr-Latn"])("the locale %s", (tag) => {
    assert.isTrue(Schema.is(Locale)(tag))
    assert.deepStrictEqual(Intl.getCanonicalLocales(tag), [tag])
  })
  it.each(["", "d", "DE", "pt_BR", "pt-br", "german", "de-", "de\n", "zh-hant"])(
    "not the locale %j",
    (tag) => assert.isFalse(Schema.is(Locale)(tag))
  )
})

it("a customer is encoded as its schema encodes it", () => {
  for (
    const customer of [
      bare,
      rules.create(making, "c", { name: "Jo", email: "jo@example.com", locale: "de", metadata: { a: "1" }, default_payment_method_id: one })
        .customer
    ]
  ) {
    assert.deepStrictEqual(customers.encode(customer).row, { ...Schema.encodeSync(Customer)(customer) })
    assert.strictEqual(customers.encode(customer).wire, JSON.stringify(Schema.encodeSync(Customer.json)(customer)))
  }
})
