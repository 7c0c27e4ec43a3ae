import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { PaymentMethod, PaymentMethodId } from "./model.ts"
import type { CreatePaymentMethodRequest } from "./model.ts"
import * as rules from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const later = DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")
const id = PaymentMethodId.make("pm_01KDV8Q400ABCDEFGHJKMNPQRS")
const sandbox = { id: "acct_1", sandbox: true }
const live = { id: "acct_2", sandbox: false }

const created = (request: Partial<CreatePaymentMethodRequest> = {}, account = sandbox) =>
  rules.create(id, account, { type: "card", token: "tok_visa", ...request }, at)

const method = Result.getOrThrow(created({ customer_id: "c", metadata: { a: "1" } })).method
const revoked: PaymentMethod = { ...method, status: "revoked" }

const refusal = <A, E>(result: Result.Result<A, E>): E => {
  assert(Result.isFailure(result), "expected a refusal")
  return result.failure
}

describe("create", () => {
  it("keeps what may be shown of a test card", () => {
    const { event, method } = Result.getOrThrow(created({ token: "tok_amex" }))
    assert.strictEqual(event, "created")
    assert.deepInclude({ ...method }, {
      status: "active",
      version: 1,
      brand: "amex",
      last4: "0005",
      exp_month: 12,
      exp_year: 2034,
      customer_id: null
    })
  })

  it("knows nothing of a live token but that it is the same", () => {
    const one = Result.getOrThrow(created({ token: "prov_1" }, live)).method
    const same = Result.getOrThrow(created({ token: "prov_1" }, live)).method
    const other = Result.getOrThrow(created({ token: "prov_2" }, live)).method
    assert.deepInclude({ ...one }, { type: "card", brand: null, last4: null, exp_month: null, exp_year: null })
    assert.strictEqual(one.fingerprint, same.fingerprint)
    assert.notStrictEqual(one.fingerprint, other.fingerprint)
    assert.notInclude(one.fingerprint, "prov_1")
  })

  it.each<[what: string, request: Partial<CreatePaymentMethodRequest>, account: typeof sandbox, code: string]>([
    ["a token nobody knows, in sandbox", { token: "prov_1" }, sandbox, "token"],
    ["a test token, live", { token: "tok_visa" }, live, "token"],
    ["a type the token is not of", { type: "usdc_wallet" }, sandbox, "type"],
    ["a card type for a wallet", { token: "tok_usdc" }, sandbox, "type"]
  ])("refuses %s", (_what, request, account, code) => {
    assert.strictEqual(refusal(created(request, account)).code, code)
  })
})

describe("the table", () => {
  type Verb = readonly [name: string, run: (method: PaymentMethod, version?: number) => Result.Result<unknown, { readonly _tag: string }>]
  const verbs: ReadonlyArray<Verb> = [
    ["revoke", (of, version) => rules.revoke(of, later, version)],
    ["update", (of, version) => rules.update(of, { customer_id: "d" }, later, version)]
  ]
  it.each(verbs)("%s leaves active, at the version expected", (_name, run) => {
    assert.isTrue(Result.isSuccess(run(method)))
    assert.isTrue(Result.isSuccess(run(method, 1)))
    assert.strictEqual(refusal(run(method, 2))._tag, "VersionConflict")
  })
  it.each(verbs)("%s does not leave revoked, whatever the version", (_name, run) => {
    assert.strictEqual(refusal(run(revoked))._tag, "InvalidState")
    assert.strictEqual(refusal(run(revoked, 9))._tag, "InvalidState")
  })
  it("says where the method stands", () => {
    const error = refusal(rules.revoke(revoked, later))
    assert.deepStrictEqual(error.details, { state: "revoked", allowed: [] })
  })
})

describe("update", () => {
  it.each<[what: string, patch: Parameters<typeof rules.update>[1], expected: object]>([
    ["the customer", { customer_id: "d" }, { customer_id: "d", metadata: { a: "1" } }],
    ["no customer", { customer_id: null }, { customer_id: null, metadata: { a: "1" } }],
    ["the metadata as a whole", { metadata: { b: "2" } }, { customer_id: "c", metadata: { b: "2" } }],
    ["both", { customer_id: "d", metadata: {} }, { customer_id: "d", metadata: {} }]
  ])("%s", (_what, patch, expected) => {
    const decision = Result.getOrThrow(rules.update(method, patch, later))
    assert(decision !== undefined)
    assert.strictEqual(decision.event, "updated")
    assert.deepStrictEqual({ ...decision.method }, { ...method, ...expected, updated_at: later, version: 2 })
  })

  it.each<[what: string, patch: Parameters<typeof rules.update>[1]]>([
    ["nothing", {}],
    ["the same customer", { customer_id: "c" }],
    ["the same metadata", { metadata: { a: "1" } }]
  ])("with %s changes nothing", (_what, patch) => {
    assert.isUndefined(Result.getOrThrow(rules.update(method, patch, later)))
  })
})

describe("who pays with a method", () => {
  const nobodys: PaymentMethod = { ...method, customer_id: null }

  it.each<[what: string, found: PaymentMethod | undefined, customer: string | null, obstacle: rules.MethodObstacle | undefined]>([
    ["its customer", method, "c", undefined],
    ["another customer", method, "d", "of_another_customer"],
    ["a charge that names no customer", method, null, undefined],
    ["any customer, where it is nobody's", nobodys, "d", undefined],
    ["nobody, once it was revoked", revoked, "c", "revoked"],
    ["nobody, where it is not there", undefined, null, "missing"]
  ])("%s", (_what, found, customer, obstacle) => {
    assert.strictEqual(rules.obstacleOf(found, customer), obstacle)
    assert.strictEqual(Result.isSuccess(rules.chargeable(found, customer)), obstacle === undefined)
  })
})

describe("claim", () => {
  const nobodys: PaymentMethod = { ...method, customer_id: null }

  it("makes a method of nobody the customer's", () => {
    const decision = Result.getOrThrow(rules.claim(nobodys, "d", later))
    assert.deepInclude(decision, { event: "updated", from: null })
    assert.deepStrictEqual({ ...decision?.method }, { ...nobodys, customer_id: "d", updated_at: later, version: 2 })
  })
  it("leaves the customer's own as it is", () => {
    assert.isUndefined(Result.getOrThrow(rules.claim(method, "c", later)))
  })
  it.each<[what: string, found: PaymentMethod | undefined]>([["another customer's", method], ["one that was revoked", revoked], [
    "none at all",
    undefined
  ]])("refuses %s", (_what, found) => {
    assert.deepInclude({ ...refusal(rules.claim(found, "d", later)) }, { _tag: "ValidationError", code: "payment_method_id" })
  })
})
