/** What package-lock.json says is all that is installed, on every platform, and each byte of it is known. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"

interface Entry {
  readonly integrity?: string
  readonly link?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock: { readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8"))
const entries = Object.entries(lock.packages)

describe("package-lock.json", () => {
  it("has the hash of every package that comes from a registry", () => {
    const fetched = entries.filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    assert.isNotEmpty(fetched)
    const without = fetched.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity)).map(([path]) => path)
    assert.deepStrictEqual(without, [], "without a hash npm takes what it is given: use a version that the registry has for every platform, and run npm install")
  })

  it("has the packages of every platform, which npm leaves out where the registry does not have them", () => {
    const named = entries.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
    assert.isNotEmpty(named)
    const missing = named.filter((name) => lock.packages[`node_modules/${name}`] === undefined)
    assert.deepStrictEqual(missing, [], "npm ci refuses this file where the registry has them: use a version that it has here, too, and run npm install")
  })
})
