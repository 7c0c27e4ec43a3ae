/** What package-lock.json says is all that is installed, on every platform, and each byte of it is known. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { parseSync } from "vite"

interface Entry {
  readonly dev?: boolean
  readonly integrity?: string
  readonly link?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, "..")
const lockAt = (path: string): { readonly packages: Readonly<Record<string, Entry>> } => JSON.parse(readFileSync(join(root, path), "utf8"))
const lock = lockAt("package-lock.json")

/** That of the service, and those of packages that it fetches later. */
const locks = ["package-lock.json", ...globSync("packages/*/packages/*/package-lock.json", { cwd: root })]

describe.each(locks)("%s", (path) => {
  const { packages } = lockAt(path)
  const entries = Object.entries(packages)

  it("has the hash of every package that comes from a registry", () => {
    const fetched = entries.filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    assert.isNotEmpty(fetched)
    const without = fetched.filter(([, { integrity = "" }]) => !/^sha512-[\w+/]{86}==$/.test(integrity)).map(([path]) => path)
    assert.deepStrictEqual(
      without,
      [],
      "without a hash npm takes what it is given: use a version that the registry has for every platform, and run npm install"
    )
  })

  it("names no registry, so that npm asks the one of the machine", () => {
    assert.notMatch(readFileSync(join(root, path), "utf8"), /"resolved": "https?:/u)
  })

  it("has the packages of every platform, which npm leaves out where the registry does not have them", () => {
    const named = entries.flatMap(([, { optionalDependencies = {} }]) => Object.keys(optionalDependencies))
    const missing = named.filter((name) => packages[`node_modules/${name}`] === undefined)
    assert.deepStrictEqual(
      missing,
      [],
      "npm ci refuses this file where the registry has them: use a version that it has here, too, and run npm install"
    )
  })
})

/** What a file of ours is asked for by: a path, a name of ours, or the file of a worker. */
const ownFile = (from: string, specifier: string): string | undefined => {
  const own = /^@svc\/([^/]+)\/(.*)$/.exec(specifier)
  if (own !== null) return join(root, "packages", own[1] ?? "", "src", `${own[2] ?? ""}.ts`)
  return specifier.startsWith(".") ? resolve(dirname(from), specifier) : undefined
}

/** What a file asks for when it runs: types are erased. */
const importsOf = (file: string): ReadonlyArray<string> => {
  const text = readFileSync(file, "utf8")
  const { dynamicImports, staticExports, staticImports } = parseSync(file, text).module
  return [
    ...staticImports.filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType)).map(({ moduleRequest }) =>
      moduleRequest.value
    ),
    ...staticExports.flatMap(({ entries }) =>
      entries.filter(({ isType }) => !isType).map(({ moduleRequest }) => moduleRequest?.value ?? [])
    ).flat(),
    ...dynamicImports.map(({ moduleRequest: { end, start } }) => text.slice(start + 1, end - 1)),
    ...Array.from(text.matchAll(/new URL\("(\.[^"]+\.ts)", import\.meta\.url\)/g), (match) => match[1] ?? "")
  ]
}

const programs = ["packages/server/src/main.ts", "packages/cli/src/main.ts"]

it("a lock file stands beside each list of packages that are fetched later", () => {
  assert.isAtLeast(locks.length, 6)
  const lists = globSync("packages/*/packages/*/package.json", { cwd: root })
  assert.deepStrictEqual(lists.map((path) => path.replace("package.json", "package-lock.json")).toSorted(), locks.slice(1).toSorted())
})

describe("an installation without development packages", () => {
  it("has all that a server and the command line import", () => {
    const packages = new Map<string, string>()
    const files = new Set(programs.map((path) => join(root, path)))
    for (const file of files) {
      for (const specifier of importsOf(file)) {
        const own = ownFile(file, specifier)
        if (own !== undefined) files.add(own)
        else if (!specifier.startsWith("node:")) {
          packages.set(specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/"), file.slice(root.length + 1))
        }
      }
    }
    assert.isAbove(files.size, 500)
    assert.includeMembers([...packages.keys()], ["effect", "@effect/sql-pg", "pdfkit", "nodemailer"])
    const missing = Array.from(packages).filter(([name]) =>
      lock.packages[`node_modules/${name}`]?.dev ?? !Object.hasOwn(lock.packages, `node_modules/${name}`)
    )
    assert.deepStrictEqual(
      missing,
      [],
      "npm start installs without development packages: such a package belongs among the dependencies of package.json"
    )
  })
})
