import { assert, describe, it } from "@effect/vitest"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generate } from "./generate.ts"
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
