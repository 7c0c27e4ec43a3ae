import { assert, describe, it } from "@effect/vitest"
import { Context } from "effect"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isReference, Reference } from "./reference.ts"

const packages = join(import.meta.dirname, "../../..")

/** The typed client runs in other people's processes, without the kernel. */
const sources = globSync("*/src/**/*.ts", { cwd: packages }).filter((path) =>
  !path.startsWith("client/") && !path.startsWith("kernel/src/values/reference.")
)

describe("a reference", () => {
  it("is known by its key, and a service is not", () => {
    class Setting extends Reference<number>("@svc/kernel/reference.test/Setting", { defaultValue: () => 1 }) {}
    class Service extends Context.Service<Service, number>()("@svc/kernel/reference.test/Service") {}
    assert.isTrue(isReference(Setting.key))
    assert.isFalse(isReference(Service.key))
    assert.strictEqual(Context.get(Context.empty(), Setting), 1)
  })

  it("is made by the kernel everywhere: requests would not see what a layer sets of another", () => {
    assert.isAbove(sources.length, 500)
    assert.deepStrictEqual(sources.filter((path) => readFileSync(join(packages, path), "utf8").includes("Context.Reference<")), [])
  })
})
