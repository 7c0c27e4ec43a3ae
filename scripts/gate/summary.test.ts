import { assert, describe, it } from "@effect/vitest"
import {
  type Ended,
  type FileReport,
  filesToRepeat,
  MOST_CHARACTERS,
  MOST_LINES,
  summaryOf,
  type TestReport,
  type TestRun
} from "./summary.mjs"

const good: FileReport = { file: "a.test.ts", passed: 5, skipped: 1, failures: [] }
const bad: FileReport = {
  file: "b.test.ts",
  passed: 1,
  skipped: 0,
  failures: [{ name: "a sum > is right", error: "expected 2 to equal 3\nat b.test.ts:7:9" }]
}
const bads = (count: number): ReadonlyArray<FileReport> => Array.from({ length: count }, (_, n) => ({ ...bad, file: `b${n}.test.ts` }))

const report = (files: ReadonlyArray<FileReport>, errors: TestReport["errors"] = []): TestReport => ({ part: "3", files, errors })
const ran = (files: ReadonlyArray<FileReport>, errors: TestReport["errors"] = []): TestRun => ({
  code: errors.length === 0 && files.every(({ failures }) => failures.length === 0) ? 0 : 1,
  output: "",
  report: report(files, errors)
})

const passed: Ended = { code: 0, output: "passed  types (TypeScript)\nchecks: 4 passed, 0 failed\n" }
const checksFailed: Ended = {
  code: 1,
  output: [
    "passed  types (TypeScript)",
    "FAILED  lint (oxlint)",
    ...Array.from({ length: 14 }, (_, n) => `        finding ${n}`),
    "passed  direction (imports)",
    "checks: 3 passed, 1 failed"
  ].join("\n")
}

const none = new Map<string, TestRun>()
const told = (run: TestRun, again: ReadonlyMap<string, TestRun> = none, checks = passed) => {
  const { isGreen, lines } = summaryOf(run, again, checks)
  return { isGreen, text: lines.join("\n"), last: lines.at(-1), lines }
}

describe("the last lines of a run", () => {
  it("are three lines of counts when all is well", () => {
    assert.deepStrictEqual(summaryOf(ran([good]), none, passed), {
      isGreen: true,
      lines: ["tests: 5 passed, 0 failed, 1 skipped", "checks: 4 passed, 0 failed", "9 passed, 0 failed"]
    })
  })

  it("name a failed test, its file, the error's first lines and the command that repeats it", () => {
    assert.deepStrictEqual(told(ran([good, bad])).lines.slice(0, 4), [
      "FAILED  b.test.ts > a sum > is right",
      "        expected 2 to equal 3",
      "        at b.test.ts:7:9",
      "  again: TEST_PART=3 npm test -- b.test.ts"
    ])
  })

  it("name a failed check with its first ten lines", () => {
    const { isGreen, last, lines } = told(ran([good]), none, checksFailed)
    assert.deepStrictEqual(lines.slice(0, 12), [
      "FAILED  check lint (oxlint)",
      ...Array.from({ length: 10 }, (_, n) => `        finding ${n}`),
      "  again: npm run check -- lint"
    ])
    assert.isFalse(isGreen)
    assert.strictEqual(last, "8 passed, 1 failed")
  })

  const unloaded: FileReport = {
    file: "c.test.ts",
    passed: 0,
    skipped: 0,
    failures: [{ name: "(the file could not be loaded)", error: "Cannot find module ./x.ts" }]
  }
  const unfinished: FileReport = {
    file: "d.test.ts",
    passed: 2,
    skipped: 0,
    failures: [{ name: "(the file)", error: "was not finished: 3 of its 5 tests had no result" }]
  }
  it.each<[string, TestRun, Ended, string, string]>([
    [
      "a file that cannot be loaded",
      ran([good, unloaded]),
      passed,
      "FAILED  c.test.ts > (the file could not be loaded)\n        Cannot find module ./x.ts",
      "9 passed, 1 failed"
    ],
    [
      "an error outside of any test",
      ran([good], [{ error: "boom" }]),
      passed,
      "FAILED  an error outside of any test\n        boom",
      "9 passed, 1 failed"
    ],
    [
      "such an error while a file ran",
      ran([good], [{ file: good.file, error: "boom" }]),
      passed,
      "FAILED  a.test.ts > (outside of any test)\n        boom",
      "9 passed, 1 failed"
    ],
    [
      "a test that took too long",
      ran([{ ...bad, failures: [{ name: "waits", error: "Test timed out in 30000ms." }] }]),
      passed,
      "FAILED  b.test.ts > waits\n        Test timed out",
      "5 passed, 1 failed"
    ],
    [
      "a worker that died",
      ran([good, unfinished], [{ error: "Worker exited unexpectedly with signal SIGKILL" }]),
      passed,
      "        Worker exited unexpectedly with signal SIGKILL",
      "11 passed, 2 failed"
    ],
    [
      "a run without a report",
      { code: 1, output: "svc: Cannot install the packages: registry is down." },
      passed,
      "FAILED  the tests ended without a report (exit code 1)\n        svc: Cannot install the packages: registry is down.",
      "4 passed, 1 failed"
    ],
    [
      "a run that failed and names no failure",
      { ...ran([good]), code: 130, output: "stopped" },
      passed,
      "FAILED  the tests named no failure (exit code 130)\n        stopped",
      "9 passed, 1 failed"
    ],
    [
      "checks that did not start",
      ran([good]),
      { code: 1, output: "svc: Cannot install the packages: no space left." },
      "FAILED  the checks ended without a count (exit code 1)\n        svc: Cannot install",
      "5 passed, 1 failed"
    ],
    [
      "a run without a report that says it went well",
      { code: 0, output: "svc: Cannot write what the tests came to: no space left." },
      passed,
      "FAILED  the tests ended without a report (exit code 0)\n        svc: Cannot write",
      "4 passed, 1 failed"
    ],
    [
      "a run in which nothing was tested",
      ran([{ ...good, passed: 0 }]),
      passed,
      "FAILED  no test was run (exit code 0)",
      "4 passed, 1 failed"
    ],
    [
      "checks that say nothing",
      ran([good]),
      { code: 0, output: "" },
      "FAILED  the checks ended without a count (exit code 0)",
      "5 passed, 1 failed"
    ],
    [
      "checks that pass with warnings",
      ran([good]),
      { code: 0, output: "checks: 3 passed, 1 passed with warnings, 0 failed" },
      "checks: 4 passed, 0 failed",
      "9 passed, 0 failed"
    ]
  ])("tell of %s", (...[, run, checks, words, counts]) => {
    const { isGreen, last, text } = told(run, none, checks)
    assert.include(text, words)
    assert.strictEqual(last, counts)
    assert.strictEqual(isGreen, counts.endsWith(" 0 failed"))
  })

  it("are never more than there is room for, however much failed", () => {
    for (const count of [1, 9, 30, 77, 78, 400]) {
      const failures = Array.from(
        { length: count },
        (_, n) => ({ name: `fails for the ${n}th time `.repeat(20), error: "a long line ".repeat(60).concat("\nmore").repeat(12) })
      )
      const { last, lines, text } = told(ran([{ ...bad, failures }]), none, checksFailed)
      assert.isAtMost(lines.length, MOST_LINES)
      assert.isBelow(text.length, MOST_CHARACTERS)
      assert.match(text, /FAILED {2}b\.test\.ts/)
      assert.strictEqual(last, `4 passed, ${count + 1} failed`)
    }
  })
})

describe("a file that runs once more", () => {
  it("and passes is unstable: named, and counted as passed", () => {
    const second = ran([{ ...bad, passed: 2, failures: [] }])
    assert.deepStrictEqual(summaryOf(ran([good, bad]), new Map([[bad.file, second]]), passed), {
      isGreen: true,
      lines: [
        "UNSTABLE  b.test.ts > a sum > is right (failed once, passed alone)",
        "        expected 2 to equal 3",
        "tests: 7 passed, 0 failed, 1 skipped",
        "checks: 4 passed, 0 failed",
        "11 passed, 0 failed"
      ]
    })
  })

  it.each<[string, TestRun]>([
    ["fails again", ran([bad])],
    ["ends without a report", { code: 1, output: "" }],
    ["runs no test", ran([{ ...bad, passed: 0, failures: [] }])],
    ["has an error outside of any test", ran([{ ...bad, passed: 2, failures: [] }], [{ error: "boom" }])]
  ])("and %s has failed", (_, second) => {
    const { isGreen, last } = told(ran([good, bad]), new Map([[bad.file, second]]))
    assert.isFalse(isGreen)
    assert.strictEqual(last, "10 passed, 1 failed")
  })

  it.each<[string, TestRun, ReadonlyArray<string>]>([
    ["one that failed", ran([good, bad]), ["b.test.ts"]],
    ["one beside which an error was thrown", ran([good, bad], [{ file: good.file, error: "boom" }]), ["b.test.ts", "a.test.ts"]],
    ["six", ran(bads(6)), bads(6).map(({ file }) => file)],
    ["none of seven", ran(bads(7)), []],
    ["none when no file explains an error", ran([bad], [{ error: "boom" }]), []],
    ["none of a run without a report", { code: 1, output: "" }, []]
  ])("is %s", (_, run, files) => {
    assert.deepStrictEqual(filesToRepeat(run), files)
  })
})
