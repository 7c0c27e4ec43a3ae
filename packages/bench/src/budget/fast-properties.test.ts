/** V8 keeps an object with many properties as a dictionary, and every read and copy of it is three times as dear: no resource is one. */
import { assert, describe, it } from "@effect/vitest"
import { globSync } from "node:fs"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInThisContext } from "node:vm"

setFlagsFromString("--allow-natives-syntax")
const hasFastProperties: (value: object) => boolean = runInThisContext("(value) => %HasFastProperties(value)")

interface Resource {
  new(): object
  readonly fields: Readonly<Record<string, unknown>>
}

const isResource = (value: unknown): value is Resource => typeof value === "function" && "fields" in value && "json" in value

const packages = join(import.meta.dirname, "../../..")

const resources = (await Promise.all(globSync("*/src/*/model.ts", { cwd: packages }).map(async (path) => {
  const module: Readonly<Record<string, unknown>> = await import(join(packages, path))
  return Object.entries(module).filter((entry): entry is [string, Resource] => isResource(entry[1]))
}))).flat()

describe("a resource's value has fast properties", () => {
  it("and all resources are looked at", () => assert.includeMembers(resources.map(([name]) => name), ["PaymentIntent", "Subscription", "Invoice", "BillingCycle", "Account"]))

  it.each(resources)("%s", (_name, Model) => {
    const names = Object.keys(Model.fields)
    // As Effect's constructor does it: one property after another, into a value of the class.
    const value: object = Object.assign(Reflect.construct(Object, [], Model), Object.fromEntries(names.map((name) => [name, null])))
    assert.isTrue(hasFastProperties(value), `It has ${names.length} fields, and V8 is slow from 39 on: keep some of them together in one field, or apart from the class`)
    assert.notMatch(String(Model), /#\w/u, "A private field makes V8 slow from 35 fields on: keep the value apart from the class")
  })
})
