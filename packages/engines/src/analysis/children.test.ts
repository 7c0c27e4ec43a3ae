import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"

/** The packages of which a module loads files, as a child that starts with it does. */
const packagesOf = (module: string): ReadonlyArray<string> => {
  const program = `
    import { registerHooks } from "node:module"
    const names = new Set()
    registerHooks({ load: (url, context, next) => {
      names.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/u.exec(url)?.[1])
      return next(url, context)
    } })
    await import(${JSON.stringify(import.meta.resolve(module))})
    console.log([...names].join(" "))
  `
  return execFileSync(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], { encoding: "utf8" }).split(/\s+/u)
}

describe("a child of an analysis", () => {
  // Each analysis starts three, and loading Effect takes half a second of the processor.
  it.each([
    ["intake", "./intake.ts", "modern-tar"],
    ["read", "@svc/programs/confined/read", "web-tree-sitter"],
    ["make", "@svc/programs/confined/make", "enhanced-resolve"]
  ])("that starts with %s loads its parsers, and no Effect", (_, module, parser) => {
    const packages = packagesOf(module)
    assert.include(packages, parser)
    assert.notInclude(packages, "effect")
  })
})
