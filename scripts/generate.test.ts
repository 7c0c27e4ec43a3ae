import { assert, describe, it } from "@effect/vitest"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "./generate.ts"
import { withRoutes } from "./generators/ledger-routes.ts"
import { completeLock, platformOf } from "./generators/package-lock.ts"

describe("generate", () => {
  it("writes what is out of date, names it, and then finds nothing to do", async () => {
    const root = await mkdtemp(join(tmpdir(), "svc-generate-"))
    const list = [
      { file: "fresh.txt", content: async () => "same\n" },
      { file: "stale.txt", content: async (current: string) => `${current}more\n`.replace("more\nmore", "more") }
    ]
    try {
      await writeFile(join(root, "fresh.txt"), "same\n")
      assert.deepStrictEqual(await generate(root, list, true), ["stale.txt"])
      assert.isUndefined(await readFile(join(root, "stale.txt"), "utf8").catch(() => undefined), "a check writes nothing")
      assert.deepStrictEqual(await generate(root, list, false), ["stale.txt"])
      assert.deepStrictEqual(await generate(root, list, true), [])
    } finally {
      await rm(root, { recursive: true })
    }
  })
})

describe("the table of routes", () => {
  const [begin, end] = ["<!-- Routes: written by npm run generate. -->", "<!-- End of the routes. -->"]

  it("stands between its marks, one line a route, and the rest of the page stays", () => {
    const page = withRoutes(`before\n${begin}\n| an old line |\n${end}\nafter\n`)
    assert.match(page, /^before\n<!-- Routes[^\n]*\n\| Event /)
    assert.match(page, /\|\n<!-- End[^\n]*\nafter\n$/)
    assert.notInclude(page, "old line")
    const lines = [
      "| quote_generated | credit | memo |  |  |  |",
      "| fee_charged | debit | available or pending → P.fees | −A or 0 | 0 or −A |  |",
      "| fee_charged (credits) | debit | memo |  |  |  |",
      "| payment_refunded | debit | available, pending → P.rail_clearing | −(A − p) | −p |  |",
      "| conversion_executed (source) | debit | pending → P.fx |  | −A |  |",
      "| conversion_executed (target) | credit | P.fx → pending |  | +A |  |",
      "| dispute_won | credit | reserved → available | +A |  | −A |",
      "| payout_returned | credit | P.bank → available | +A |  |  |"
    ]
    for (const line of lines) assert.include(page.split("\n"), line)
    assert.lengthOf(page.split("\n").filter((line) => line.startsWith("| ")), 33)
    assert.strictEqual(withRoutes(page), page)
  })

  it.each(["no marks", begin, `${end} ${begin}`])("is not put into a page without its place: %s", (page) => {
    assert.throws(() => withRoutes(page), "no place for its routes")
  })
})

describe("the lock file", () => {
  const lock = (packages: object) => `${JSON.stringify({ lockfileVersion: 3, packages }, null, 2)}\n`
  const parent = { version: "1.0.0", license: "MIT", dev: true, optionalDependencies: { "tool-linux-x64-musl": "1.0.0", "tool-win32-arm64": "1.0.0" } }

  it("gets the platforms that the registry did not have", () => {
    const completed = completeLock(lock({ "": {}, "node_modules/tool": parent, "node_modules/tool-win32-arm64": { version: "1.0.0", integrity: "kept" } }))
    assert.deepStrictEqual(JSON.parse(completed).packages, {
      "": {},
      "node_modules/tool": parent,
      "node_modules/tool-linux-x64-musl": { version: "1.0.0", cpu: ["x64"], dev: true, libc: ["musl"], license: "MIT", optional: true, os: ["linux"] },
      "node_modules/tool-win32-arm64": { version: "1.0.0", integrity: "kept" }
    })
    assert.strictEqual(completeLock(completed), completed)
  })

  it("is left alone where a name says no platform or a version is a range", () => {
    const text = lock({ "node_modules/tool": { optionalDependencies: { fast: "1.0.0", "tool-linux-x64": "^1.0.0" } } })
    assert.strictEqual(completeLock(text), text)
  })

  it.each([
    ["@a/b-darwin-arm64", { cpu: ["arm64"], os: ["darwin"] }],
    ["@a/b-linux-arm-musleabihf", { cpu: ["arm"], libc: ["musl"], os: ["linux"] }],
    ["@a/b-linux-arm-gnueabihf", { cpu: ["arm"], libc: ["glibc"], os: ["linux"] }],
    ["@a/b-win32-x64-msvc", { cpu: ["x64"], os: ["win32"] }],
    ["@a/windows-x64", { cpu: ["x64"], os: ["win32"] }],
    ["@a/b-wasm32-wasi", undefined],
    ["plain", undefined]
  ])("reads the platform of %s", (name, expected) => assert.deepStrictEqual(platformOf(name), expected))
})
