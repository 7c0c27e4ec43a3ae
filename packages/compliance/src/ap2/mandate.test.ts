import { assert, describe, it } from "@effect/vitest"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { isRecord } from "@svc/kernel/values/record"
import { Ajv2020 } from "ajv/dist/2020.js"
import otherCanonicalize from "canonicalize"
import { Schema } from "effect"
import schemas from "./ap2-schemas.json" with { type: "json" }
import { mandates } from "./mandate-fixture.ts"
import { type Fields, judge, versionOf } from "./mandate.ts"
import * as V1 from "./v0-1.ts"
import * as V2 from "./v0-2.ts"

const ajv = new Ajv2020({ allErrors: true, strict: false, schemas: [schemas] })
const accepts = (name: string, value: unknown): boolean => ajv.validate(`ap2#/$defs/${name.replaceAll(" ", "%20")}`, value)

const issuesOf = (mandate: Fields, signed = true) => judge(mandate, { version: versionOf(mandate), signed }).issues
const mandate = (name: string): Fields => mandates[name] ?? {}
const names = Object.keys(mandates)

type Change = readonly [path: string, value: Fields]

/** The value with one part of it left out or replaced, for every part and every replacement. */
const changes = (value: Schema.Json, path: string): ReadonlyArray<readonly [path: string, value: Schema.Json]> => {
  const replaced = ([null, 1, 1.5, "x", true, {}, []] as const).map((other) => [path, other] as const)
  if (Array.isArray(value)) {
    const parts: ReadonlyArray<Schema.Json> = value
    return [
      ...replaced,
      ...parts.flatMap((part, at) => changes(part, `${path}[${at}]`).map(([where, other]) => [where, parts.with(at, other)] as const))
    ]
  }
  if (!isRecord(value)) return replaced
  return [
    ...replaced,
    ...Object.entries(value).flatMap(([key, part]) => {
      const where = path === "" ? key : `${path}.${key}`
      const { [key]: _, ...rest } = value
      return [[where, rest] as const, ...changes(part, where).map(([deeper, other]) => [deeper, { ...value, [key]: other }] as const)]
    })
  ]
}
const changed = (name: string): ReadonlyArray<Change> =>
  changes(mandate(name), "").flatMap(([path, value]) => isRecord(value) ? [[path, value] as const] : [])

/** Where the protocol says in words, or another standard says, what its types do not. */
const stricter =
  /(?:expiry|timestamp|execution_date|not_before|not_after|currency|cnf|natural_language_description|method_data|merchant_authorization|checkout_jwt|checkout_hash|vct|exp|iat|constraints\[\d+\]\.min)$/u

describe("a mandate, by two readings of the protocol", () => {
  it.for(names)("takes a whole %s", (name) => {
    assert.isTrue(accepts(name, mandate(name)), JSON.stringify(ajv.errors))
    assert.deepStrictEqual(issuesOf(mandate(name)), [])
  })

  it.for(names)("refuses every broken %s that the schema refuses, and no other but for a reason", (name) => {
    const all = changed(name)
    let refused = 0
    for (const [path, value] of all) {
      if (name.startsWith("mandate") && versionOf(value) === "0.1") continue
      // The shape alone tells the mandates of 0.1 apart, so one without its shape is read as another.
      if (
        judge(value, { version: versionOf(value), signed: true }).kind !==
          judge(mandate(name), { version: versionOf(mandate(name)), signed: true }).kind && path !== "vct"
      ) continue
      const issues = issuesOf(value)
      if (accepts(name, value)) assert.isEmpty(issues.filter((one) => !stricter.test(one.path)), `${path}: ${JSON.stringify(issues)}`)
      else {
        refused += 1
        assert.isNotEmpty(issues, `${path} in ${JSON.stringify(value)}`)
      }
    }
    assert.isAbove(refused, all.length / 3)
  })

  const generated = [
    ["0.1 intent", V1.IntentMandate],
    ["0.1 cart", V1.CartMandate],
    ["0.1 payment", V1.PaymentMandate],
    ["mandate.checkout.1", V2.CheckoutMandate],
    ["mandate.payment.1", V2.PaymentMandate]
  ] as const

  for (const [name, schema] of generated) {
    const Mandate: Schema.Codec<object, object> = schema
    it.prop(`whatever the code's schema makes is a ${name}`, [Mandate], ([value]) => {
      assert.isTrue(accepts(name, value), JSON.stringify(ajv.errors))
    }, { arbitrary: { runs: 100 } })
  }

  it.for(names)("has one canonical text of %s, whoever writes it", (name) => {
    assert.strictEqual(canonicalize(mandate(name)), otherCanonicalize(mandate(name)))
    for (const [, value] of changed(name)) assert.strictEqual(canonicalize(value), otherCanonicalize(value))
  })
})

describe("how a mandate is recognised", () => {
  it("by the key of a message, its own shape, or its fields", () => {
    const wrapped = { "ap2.mandates.IntentMandate": mandate("0.1 intent") }
    assert.deepStrictEqual(judge(wrapped, { version: "0.1", signed: false }), { kind: "intent", issues: [] })
    const own = { kind: "cart", version: "ap2/1", id: "1", created_at: "2026-11-20T10:00:00Z", ...mandate("0.1 cart") }
    assert.deepStrictEqual(judge(own, { version: "0.1", signed: false }), { kind: "cart", issues: [] })
    assert.strictEqual(judge(mandate("0.1 payment"), { version: "0.1", signed: false }).kind, "payment")
  })

  it("says where it is wrong, from the root", () => {
    const paths = (value: Fields) => issuesOf(value).map(({ path }) => path)
    assert.deepStrictEqual(paths({ "ap2.mandates.IntentMandate": { intent_expiry: "soon", natural_language_description: "x" } }), [
      "ap2.mandates.IntentMandate.intent_expiry"
    ])
    assert.deepStrictEqual(paths({ "ap2.mandates.CartMandate": null }), ["ap2.mandates.CartMandate"])
    assert.deepStrictEqual(paths({ kind: "gift" }), ["kind", "version", "id", "created_at"])
    assert.deepStrictEqual(paths({ kind: "intent", version: "ap2/2", natural_language_description: "x", intent_expiry: "2026-12-01" }), [
      "version",
      "id",
      "created_at"
    ])
    assert.deepStrictEqual(paths({ vct: "mandate.checkout.2" }), ["vct"])
    assert.deepStrictEqual(paths({ vct: "constructor" }), ["vct"])
    assert.deepStrictEqual(paths({}), ["natural_language_description", "intent_expiry"])
  })

  it("reads as the version that is asked for", () => {
    assert.isNotEmpty(judge(mandate("0.1 intent"), { version: "0.2", signed: true }).issues)
    assert.isNotEmpty(judge(mandate("mandate.payment.1"), { version: "0.1", signed: true }).issues)
  })
})
