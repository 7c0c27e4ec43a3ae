import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const test = (status: string) => ({ status })
const report = (passed: number, failed: number, files: ReadonlyArray<{ status: string; assertionResults: ReadonlyArray<object> }>) =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: 2, numTodoTests: 1, testResults: files })

const good = { status: "passed", assertionResults: [test("passed")] }
const bad = { status: "failed", assertionResults: [test("passed"), test("failed")] }
const unloaded = { status: "failed", assertionResults: [] }

it.each([
  ["all is well", report(5, 0, [good]), 0, "passed types\nchecks: 4 passed, 0 failed\n", 0, "9 passed, 0 failed"],
  ["a test failed", report(5, 1, [good, bad]), 1, "checks: 4 passed, 0 failed\n", 0, "9 passed, 1 failed"],
  ["a file could not be loaded", report(5, 0, [good, unloaded]), 1, "checks: 4 passed, 0 failed\n", 0, "9 passed, 1 failed"],
  ["a check failed", report(5, 0, [good]), 0, "checks: 3 passed, 1 failed\n", 1, "8 passed, 1 failed"],
  ["the tests did not start", "", 1, "checks: 4 passed, 0 failed\n", 0, "4 passed, 1 failed"],
  ["the checks did not start", report(5, 0, [good]), 0, "", 1, "5 passed, 1 failed"],
  ["an error outside of any test", report(5, 0, [good]), 1, "checks: 4 passed, 0 failed\n", 0, "9 passed, 1 failed"]
])("%s", (_, tests, testCode, checks, checkCode, expected) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-summary-"))
  try {
    if (tests !== "") writeFileSync(join(folder, "tests.json"), tests)
    writeFileSync(join(folder, "checks.txt"), checks)
    const { status, stdout } = spawnSync(process.execPath, [
      join(import.meta.dirname, "summary.mjs"),
      join(folder, "tests.json"),
      String(testCode),
      join(folder, "checks.txt"),
      String(checkCode)
    ], { encoding: "utf8" })
    assert.strictEqual(stdout.trimEnd().split("\n").at(-1), expected)
    assert.strictEqual(status, expected.endsWith(" 0 failed") ? 0 : 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
