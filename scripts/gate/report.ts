/**
 * A reporter of Vitest: writes what a run came to, file by file, into the file that `TEST_REPORT` names. Unlike Vitest's own JSON it holds
 * the errors outside of any test, the files that a worker left unfinished when it died, and the hooks that failed.
 */
import { writeFileSync } from "node:fs"
import { relative } from "node:path"
import type { Reporter, SerializedError, TestModule } from "vitest/node"
import type { FileReport, TestReport } from "./summary.mjs"

type Thrown = Pick<SerializedError, "message" | "stack">

/** A line of a stack as an editor opens it: a path of this repository, without what Vitest adds to the address of a module. */
export const placeIn = (line: string, folder: string): string =>
  line.trim().replace("file://", "").replace(/\?vitest=\d+/u, "").replaceAll(`${folder}/`, "")

/** The message, and where it was thrown when that is in a source of this repository. */
const told = ({ message, stack = "" }: Thrown): string => {
  const where = stack.split("\n").find((line) => /^\s+at /.test(line) && line.includes(process.cwd()) && !line.includes("node_modules"))
  return where === undefined ? message : `${message}\n${placeIn(where, process.cwd())}`
}

const all = (errors: ReadonlyArray<Thrown> | undefined): string => (errors ?? []).map(told).join("\n")

const pathOf = (file: string): string => relative(process.cwd(), file)

const reportOf = (module: TestModule): FileReport => {
  const tests = Array.from(module.children.allTests())
  const states = tests.map((test) => test.result().state)
  const count = (state: string) => states.filter((one) => one === state).length
  const suites = Array.from(module.children.allSuites()).filter((suite) => suite.errors().length > 0)
  const failures = [
    ...(module.errors().length > 0 ? [{ name: "(the file could not be loaded)", error: all(module.errors()) }] : []),
    ...suites.map((suite) => ({ name: suite.fullName, error: all(suite.errors()) })),
    ...tests.filter((test) => test.result().state === "failed").map((test) => ({ name: test.fullName, error: all(test.result().errors) }))
  ]
  // Skipped on purpose is decided before the run; skipped otherwise is what a failed hook left out.
  const unfinished = count("pending") > 0 || ["pending", "queued"].includes(module.state())
  if (unfinished) {
    failures.push({ name: "(the file)", error: `was not finished: ${count("pending")} of its ${tests.length} tests had no result` })
  }
  return { file: pathOf(module.moduleId), passed: count("passed"), skipped: count("skipped"), failures }
}

/** Vitest marks an error outside of any test with the file that ran meanwhile. */
const fileOf = (error: SerializedError): string | undefined => {
  const path: unknown = error["VITEST_TEST_PATH"]
  return typeof path === "string" ? pathOf(path) : undefined
}

export default class Report implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<SerializedError>): void {
    const path = process.env["TEST_REPORT"]
    if (path === undefined) return
    const report: TestReport = {
      part: process.env["TEST_PART"] ?? "all",
      files: modules.map(reportOf),
      errors: unhandled.map((error) => ({ file: fileOf(error), error: [error, ...causesOf(error)].map(told).join("\n") }))
    }
    try {
      writeFileSync(path, JSON.stringify(report))
    } catch (error) {
      // The gate shows the last lines of a run that leaves no report.
      console.log(`svc: Cannot write what the tests came to: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
}

/** What a worker said when it died stands in the cause. */
function causesOf({ cause }: SerializedError): ReadonlyArray<SerializedError> {
  return typeof cause === "object" && cause !== null && "message" in cause
    ? [cause as SerializedError, ...causesOf(cause as SerializedError)]
    : []
}
