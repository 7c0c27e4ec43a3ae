/**
 * The last lines of a run of all tests and checks: each failure with the command that repeats it, each unstable test, and three lines of
 * counts. Plain JavaScript, so that it can speak when nothing could be installed.
 */

export const MOST_LINES = 80
export const MOST_CHARACTERS = 8_000
export const MOST_FILES = 6

/** How many lines of an error are shown: as many as there is room for, of all failures alike. */
const DEPTHS = [10, 6, 3, 1, 0]
const WIDEST = 220

const hasFailed = ({ failures }) => failures.length > 0

/** Errors outside of any test that are not explained by a file which runs once more. */
const unexplained = ({ errors }) => errors.filter(({ file }) => file === undefined)

const failedFiles = ({ errors, files }) =>
  Array.from(new Set([...files.filter(hasFailed).map(({ file }) => file), ...errors.flatMap(({ file }) => file ?? [])]))

export const filesToRepeat = ({ report }) => {
  if (report === undefined || unexplained(report).length > 0) return []
  const files = failedFiles(report)
  return files.length > MOST_FILES ? [] : files
}

/** A second run excuses the first when it ran, and nothing in it failed. */
const isExcuse = (run) =>
  run?.code === 0 && run.report !== undefined && run.report.errors.length === 0 && !run.report.files.some(hasFailed) &&
  run.report.files.some(({ passed }) => passed > 0)

const firstLines = (text, most) => text.split("\n").map((line) => line.trimEnd()).filter((line) => line.trim() !== "").slice(0, most)
const lastLines = (text, most) => text.split("\n").map((line) => line.trimEnd()).filter((line) => line.trim() !== "").slice(-most)

/** The failures of one file's tests, each with what repeats them. */
const failuresIn = (report) =>
  failedFiles(report).flatMap((path) => {
    const { failures = [] } = report.files.find(({ file }) => file === path) ?? {}
    const outside = report.errors.filter(({ file }) => file === path).map(({ error }) => ({ name: "(outside of any test)", error }))
    return [...failures, ...outside].map((failure) => ({ ...failure, file: path, repeat: `TEST_PART=${report.part} npm test -- ${path}` }))
  })

/** What is wrong with a run that has no report, whose report names no failure, or in which nothing was tested. */
const silent = ({ code, output, report }) => {
  const isTested = report?.files.some(({ passed }) => passed > 0) ?? false
  if (code === 0 && isTested) return []
  if (report !== undefined && (failedFiles(report).length > 0 || report.errors.length > 0)) return []
  const what = report === undefined
    ? "the tests ended without a report"
    : code === 0
    ? "no test was run"
    : "the tests named no failure"
  return [{ title: `${what} (exit code ${code})`, repeat: "npm test", details: lastLines(output, DEPTHS[0]) }]
}

const ofTests = (run, excused) => {
  const { report } = run
  const failures = report === undefined ? [] : failuresIn(report)
  return [
    ...failures.filter(({ file }) => !excused.has(file)).map(({ error, file, name, repeat }) => ({
      title: `${file} > ${name}`,
      repeat,
      details: firstLines(error, DEPTHS[0])
    })),
    ...(report === undefined ? [] : unexplained(report)).map(({ error }) => ({
      title: "an error outside of any test",
      repeat: `TEST_PART=${report.part} npm test`,
      details: firstLines(error, DEPTHS[0])
    })),
    ...silent(run)
  ]
}

/** How the checks say what they came to. */
const COUNT = /^checks: (\d+) passed, (?:(\d+) passed with warnings, )?(\d+) failed$/m

/** Each failed check prints one line of its own, and what it found indented below. */
const ofChecks = ({ code, output }) => {
  const lines = output.split("\n")
  const failed = lines.flatMap((line, at) => {
    const match = /^FAILED {2}(\S+) (.*)$/.exec(line)
    if (match === null) return []
    const next = lines.findIndex((other, index) => index > at && other !== "" && !other.startsWith("        "))
    const details = lines.slice(at + 1, next === -1 ? undefined : next)
    return [{
      title: `check ${match[1]} ${match[2]}`,
      repeat: `npm run check -- ${match[1]}`,
      details: firstLines(details.join("\n"), DEPTHS[0])
    }]
  })
  if ((code === 0 && COUNT.test(output)) || failed.length > 0) return failed
  return [{ title: `the checks ended without a count (exit code ${code})`, repeat: "npm run check", details: lastLines(output, DEPTHS[0]) }]
}

const cut = (line) => (line.length > WIDEST ? `${line.slice(0, WIDEST - 1).toWellFormed?.() ?? line.slice(0, WIDEST - 1)}…` : line)

const shown = (
  { details, repeat, title },
  depth
) => [cut(`FAILED  ${title}`), ...details.slice(0, depth).map((line) => cut(`        ${line.trim()}`)), cut(`  again: ${repeat}`)]

const fits = (lines) => lines.length <= MOST_LINES && lines.join("\n").length < MOST_CHARACTERS

/** As much of each failure as there is room for, beside the lines that must be there. */
const fitted = (failures, closing) => {
  for (const depth of DEPTHS) {
    const lines = [...failures.flatMap((failure) => shown(failure, depth)), ...closing]
    if (fits(lines)) return lines
  }
  for (let count = failures.length; count > 0; count--) {
    const left = failures.length - count
    const more = left > 0 ? [`and ${left} more, which the lines above name`] : []
    const lines = [...failures.slice(0, count).map(({ title }) => cut(`FAILED  ${title}`)), ...more, ...closing]
    if (fits(lines)) return lines
  }
  return closing
}

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0)

/** A file that ran once more and passed counts as that run says. */
const countTests = ({ report }, again, excused, failed) => {
  const files = (report?.files ?? []).map((one) => again.get(excused.has(one.file) ? one.file : "")?.report.files[0] ?? one)
  return { passed: sum(files.map(({ passed }) => passed)), skipped: sum(files.map(({ skipped }) => skipped)), failed }
}

const countChecks = ({ output }, failed) => {
  const match = COUNT.exec(output)
  return { passed: Number(match?.[1] ?? 0) + Number(match?.[2] ?? 0), failed: Math.max(Number(match?.[3] ?? 0), failed) }
}

export const summaryOf = (run, again, checks) => {
  const excused = new Set(Array.from(again).filter(([, second]) => isExcuse(second)).map(([file]) => file))
  const [failedTests, failedChecks] = [ofTests(run, excused), ofChecks(checks)]
  const unstable = run.report === undefined ? [] : failuresIn(run.report).filter(({ file }) => excused.has(file))
  const tests = countTests(run, again, excused, failedTests.length)
  const checked = countChecks(checks, failedChecks.length)
  const failed = tests.failed + checked.failed
  const closing = [
    ...unstable.slice(0, 2 * MOST_FILES).flatMap(({ error, file, name }) =>
      [`UNSTABLE  ${file} > ${name} (failed once, passed alone)`, ...firstLines(error, 1).map((line) => `        ${line.trim()}`)].map(cut)
    ),
    ...(unstable.length > 2 * MOST_FILES
      ? [`and ${unstable.length - 2 * MOST_FILES} more unstable tests, which the lines above name`]
      : []),
    `tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`,
    `checks: ${checked.passed} passed, ${checked.failed} failed`,
    `${tests.passed + checked.passed} passed, ${failed} failed`
  ]
  return { lines: fitted([...failedTests, ...failedChecks], closing), isGreen: failed === 0 }
}
