/**
 * Adds up the tests and the checks of one run, and ends with one line that says it all. Plain JavaScript, so that it can speak when
 * nothing could be installed.
 *
 *   node scripts/summary.mjs <vitest's json report> <exit code of the tests> <output of the checks> <exit code of the checks>
 */
import { readFileSync } from "node:fs"

const read = (path) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** A run that failed without naming a failure, such as one that never started, counts as one. */
const settle = (counts, exitCode) => (exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts)

/** A file that could not be loaded has no tests that could fail, so the file itself counts. */
const countTests = (text) => {
  if (text === "") return { passed: 0, failed: 0, skipped: 0 }
  const { numFailedTests, numPassedTests, numPendingTests = 0, numTodoTests = 0, testResults } = JSON.parse(text)
  const unloaded = testResults.filter((file) => file.status === "failed" && file.assertionResults.every((test) => test.status !== "failed"))
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length, skipped: numPendingTests + numTodoTests }
}

const countChecks = (text) => {
  const match = /^checks: (\d+) passed, (\d+) failed$/m.exec(text)
  return { passed: Number(match?.[1] ?? 0), failed: Number(match?.[2] ?? 0) }
}

const [testReport, testCode, checkOutput, checkCode] = process.argv.slice(2)
const tests = settle(countTests(read(testReport)), Number(testCode))
const checks = settle(countChecks(read(checkOutput)), Number(checkCode))
const failed = tests.failed + checks.failed

console.log(`tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`)
console.log(`checks: ${checks.passed} passed, ${checks.failed} failed`)
console.log(`${tests.passed + checks.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
