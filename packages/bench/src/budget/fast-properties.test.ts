/** V8 keeps an object with many properties as a dictionary, and every read and copy of it is three times as dear: no resource is one. */
import { assert, describe, it } from "@effect/vitest"
import { change } from "@svc/kernel/resource/change"
import { PaymentIntent, paymentIntents } from "@svc/payments/payment-intents/model"
import { Schema } from "effect"
import { globSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInThisContext } from "node:vm"

setFlagsFromString("--allow-natives-syntax")
const hasFastProperties: (value: object) => boolean = runInThisContext("(value) => %HasFastProperties(value)")

interface Model {
  readonly fields: Readonly<Record<string, Schema.Top>>
}

const isClass = (value: unknown): value is Model & { new(): object } =>
  typeof value === "function" && /^class\b/u.test(String(value)) && "fields" in value && "json" in value

const isPlain = (value: unknown): value is Schema.Top & Model => Schema.isSchema(value) && !isClass(value) && "json" in value

const packages = join(import.meta.dirname, "../../..")

const exported = (await Promise.all(
  globSync("*/src/*/model.ts", { cwd: packages }).map(async (path) => {
    const module: Readonly<Record<string, unknown>> = await import(join(packages, path))
    return Object.entries(module)
  })
)).flat()

const classes = exported.flatMap(([name, value]) => isClass(value) ? [[name, value] as const] : [])
const plain = exported.flatMap(([name, value]) => isPlain(value) ? [[name, value] as const] : [])

describe("a resource's value has fast properties", () => {
  it("and all resources are looked at", () => {
    const names = [...classes, ...plain].map(([name]) => name)
    assert.includeMembers(names, ["PaymentIntent", "Settlement", "Subscription", "Invoice", "BillingCycle", "Account"])
  })

  it.each(classes)("%s", (_name, Model) => {
    const names = Object.keys(Model.fields)
    // As Effect's constructor does it: one property after another, into a value of the class.
    const value: object = Object.assign(Reflect.construct(Object, [], Model), Object.fromEntries(names.map((name) => [name, null])))
    assert.isTrue(
      hasFastProperties(value),
      `It has ${names.length} fields, and V8 is slow from 39 on: keep some of them together in one field, or apart from the class`
    )
    assert.notMatch(String(Model), /#\w/u, "A private field makes V8 slow from 35 fields on: keep the value apart from the class")
  })

  it.each(plain)("%s", (_name, { fields }) => {
    const value = { ...Object.fromEntries(Object.keys(fields).map((name) => [name, null])), version: 1 }
    assert.isTrue(hasFastProperties({ ...value, version: 2 }))
  })

  it.prop("a payment as it is read from its row, and after a change", [PaymentIntent], ([intent]) => {
    const read = paymentIntents.decode(paymentIntents.encode(intent).row)
    assert.isTrue(hasFastProperties(read))
    assert.isTrue(hasFastProperties(change(read, read.created_at, { state: "failed" })))
  }, { arbitrary: { runs: 3 } })
})
