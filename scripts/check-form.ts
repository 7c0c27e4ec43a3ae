/**
 * Checks that lines, functions and lists of parameters are no longer than CONTRIBUTING.md says, in code and documents:
 *
 *   node scripts/check-form.ts             checks
 *   node scripts/check-form.ts --shrink    writes scripts/form/exceptions.json anew, unless there would be more than before
 *
 * The exceptions say by file how many there are still. A file may have fewer, never more, and leaves the list once it has none.
 * Code that moves takes its exceptions with it, by --shrink: the sums may not grow.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { measure, type Rule, rules } from "./form/measure.ts"

export type Exceptions = Readonly<Record<Rule, Readonly<Record<string, number>>>>

/** What no person writes. */
const GENERATED: ReadonlySet<string> = new Set([
  "packages/ledger/README.md",
  "docs/evidence/bench.md",
  "docs/evidence/utilities.md",
  "docs/evidence/analysis.md"
])

const SOURCES = ["packages/**/*.{ts,mjs,py,md}", "scripts/**/*.{ts,mjs,md}", "docs/**/*.md", "*.{ts,md}"]

const isForeign = (path: string): boolean => path.split(sep).includes("node_modules")

/** Every file that people write, by path from `root`. */
const filesOf = (root: string): ReadonlyArray<string> =>
  globSync(SOURCES, { cwd: root, exclude: isForeign })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => !isForeign(path) && !GENERATED.has(path))
    .sort()

export interface FormReport {
  readonly problems: ReadonlyArray<string>
  /** How many there are, by file. */
  readonly counts: Exceptions
}

export const checkForm = (root: string, exceptions: Exceptions): FormReport => {
  const problems: Array<string> = []
  const counts: Record<Rule, Record<string, number>> = { long_lines: {}, long_functions: {}, many_parameters: {} }
  for (const path of filesOf(root)) {
    const found = measure(path, readFileSync(join(root, path), "utf8"))
    for (const rule of rules) {
      const [count, excepted] = [found[rule].length, exceptions[rule][path] ?? 0]
      if (count > 0) counts[rule][path] = count
      if (count <= excepted) continue
      const more = excepted === 0 ? "" : ` (${excepted} are excepted, there are ${count})`
      problems.push(...found[rule].map(({ line, text }) => `${path}:${line}: ${text}${more}`))
    }
  }
  for (const rule of rules) {
    for (const path of Object.keys(exceptions[rule])) {
      if (counts[rule][path] !== undefined) continue
      problems.push(`${path}: needs no exception from ${rule} any more; run node scripts/check-form.ts --shrink`)
    }
  }
  return { problems, counts }
}

const sumOf = (exceptions: Exceptions, rule: Rule): number => Object.values(exceptions[rule]).reduce((sum, count) => sum + count, 0)

/** Whether one list of exceptions is no longer than another, by the sum of each rule. */
export const isNoMore = (one: Exceptions, other: Exceptions): boolean => rules.every((rule) => sumOf(one, rule) <= sumOf(other, rule))

const isExceptions = (value: unknown): value is Exceptions =>
  typeof value === "object" && value !== null && rules.every((rule) => rule in value)

if (import.meta.main) {
  const root = relative(process.cwd(), join(import.meta.dirname, "..")) || "."
  const list = join(root, "scripts/form/exceptions.json")
  const read: unknown = JSON.parse(readFileSync(list, "utf8"))
  if (!isExceptions(read)) throw new TypeError(`${list} has not the lists ${rules.join(", ")}`)
  const { counts, problems } = checkForm(root, read)
  const shrinks = process.argv.includes("--shrink") && isNoMore(counts, read)
  if (shrinks) writeFileSync(list, `${JSON.stringify(counts, null, 2)}\n`)
  else if (problems.length > 0) {
    for (const problem of problems) console.error(problem)
    process.exitCode = 1
  }
  if (shrinks || problems.length === 0) {
    const left = rules.map((rule) => `${sumOf(counts, rule)} ${rule.replace("_", " ")}`).join(", ")
    console.log(`nothing is longer than before; left to shorten: ${left}`)
  }
}
