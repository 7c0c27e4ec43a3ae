/** The gate over toy suites, run by the real Vitest. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gate } from "./gate.mjs"
import { placeIn } from "./report.ts"

const root = join(import.meta.dirname, "../..")
const vitest = join(root, "node_modules/vitest/vitest.mjs")

const PASSES = `test("holds", () => {})`
const FAILS = `test("holds", () => {})\ntest("is always wrong", () => expect(1).toBe(2))`
/** Fails in the first process that plays it, and in no other. */
const FAILS_ONCE = `
const marker = process.cwd() + "/played"
test("is wrong once", () => {
  const played = require("node:fs").existsSync(marker)
  require("node:fs").writeFileSync(marker, process.env.TEST_PART)
  expect(played).toBe(true)
  expect(require("node:fs").readFileSync(marker, "utf8")).toBe(process.env.TEST_PART)
})`
const DIES =
  `test("holds", () => {})\ntest("ends its worker", async () => { process.kill(process.pid, "SIGKILL"); await new Promise(() => {}) })`
const HOOK = `describe("a group", () => { beforeAll(() => { throw new Error("no database") }); test("is left out", () => {}) })`
const UNHANDLED =
  `test("holds", async () => { void Promise.reject(new Error("nobody waits")); await new Promise((resolve) => setTimeout(resolve, 50)) })`
const UNWRITTEN =
  `test("holds", () => require("node:fs").rmSync(require("node:path").dirname(process.env.TEST_REPORT), { recursive: true }))`
const UNLOADED = `throw new Error("cannot be loaded")`

/** Puts the files into a folder of their own and plays the gate over them. */
const play = async (files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-gate-test-"))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.js`), text)
    writeFileSync(join(folder, "package.json"), "{}")
    const { again, isGreen, lines } = await gate(folder, {
      checks: [process.execPath, "--print", `"checks: 1 passed, 0 failed"`],
      tests: (...only) => [
        process.execPath,
        vitest,
        "run",
        "--root",
        ".",
        "--globals",
        "--isolate=false",
        `--reporter=${join(root, "scripts/gate/report.ts")}`,
        ...only
      ]
    }, false)
    return { again: Array.from(again.keys()), isGreen, last: lines.at(-1), text: lines.join("\n") }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("the gate", () => {
  it("names a test that failed once as unstable, counts it as passed, and refuses one that always fails", async () => {
    const { again, isGreen, last, text } = await play({ passes: PASSES, fails: FAILS, once: FAILS_ONCE })
    assert.sameMembers(again, ["fails.test.js", "once.test.js"])
    assert.include(text, "UNSTABLE  once.test.js > is wrong once (failed once, passed alone)")
    assert.include(text, "FAILED  fails.test.js > is always wrong\n        expected 1 to be 2")
    assert.strictEqual(last, "4 passed, 1 failed")
    assert.isFalse(isGreen)
  })

  it("is green when whatever failed passes alone", async () => {
    const { isGreen, last } = await play({ passes: PASSES, once: FAILS_ONCE })
    assert.strictEqual(last, "3 passed, 0 failed")
    assert.isTrue(isGreen)
  })

  it("runs none once more when seven files failed", async () => {
    const { again, isGreen, last } = await play(Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`fails${n}`, FAILS])))
    assert.deepStrictEqual(again, [])
    assert.strictEqual(last, "8 passed, 7 failed")
    assert.isFalse(isGreen)
  })

  it.each([
    ["a worker that died", { passes: PASSES, dies: DIES }, "dies.test.js", /Worker exited unexpectedly with signal SIGKILL/],
    ["a hook that failed", { passes: PASSES, hook: HOOK }, "FAILED  hook.test.js > a group", /no database/],
    ["an error that nobody handled", { passes: PASSES, unhandled: UNHANDLED }, "FAILED  unhandled.test.js", /nobody waits/],
    ["a file that cannot be loaded", { passes: PASSES, unloaded: UNLOADED }, "FAILED  unloaded.test.js", /cannot be loaded/],
    [
      "a report that cannot be written",
      { unwritten: UNWRITTEN },
      "FAILED  the tests ended without a report",
      /svc: Cannot write what the tests came to: ENOENT/
    ]
  ])("names %s", async (_, files, name, words) => {
    const { isGreen, text } = await play(files)
    assert.include(text, name)
    assert.match(text, words)
    assert.isFalse(isGreen)
  })
})

describe("the place of an error", () => {
  it.each([
    ["    at file:///home/a/svc/packages/kernel/src/a.test.ts?vitest=1795875401191:4:61", "at packages/kernel/src/a.test.ts:4:61"],
    ["    at sum (/home/a/svc/packages/kernel/src/sum.ts:7:9)", "at sum (packages/kernel/src/sum.ts:7:9)"]
  ])("is a path of this repository", (line, place) => assert.strictEqual(placeIn(line, "/home/a/svc"), place))
})
