/** What the child runs: files in, findings, grade and fixes out. */
import type { EngineFunction } from "@svc/confined/model"
import { unpack } from "@svc/programs/confined/pack"
import { byText } from "@svc/programs/facts/order"
import { unifiedDiff } from "@svc/programs/patch"
import { normalized } from "../analysis/paths.ts"
import { codeChecks, todoDebt } from "./checks/code.ts"
import { type Coverage, coverageOf } from "./checks/coverage.ts"
import { deliveryChecks } from "./checks/delivery.ts"
import { projectChecks } from "./checks/project.ts"
import { textChecks } from "./checks/text.ts"
import { type HygieneFile, hygieneFile } from "./files.ts"
import { fixesOf } from "./fixes.ts"
import { gradeOf, thresholdsOf } from "./grade.ts"
import type { InspectAnswer, InspectOptions } from "./model.ts"
import { planOf } from "./plan.ts"
import { type Finding, levels, messageOf, rules } from "./rule-table.ts"
import { sarifOf } from "./sarif.ts"
import { findSecrets } from "./secrets.ts"

const MAX_FILE_BYTES = 500 * 1024
const TODO_DEBT = 20
/** Findings that are listed; all of them are counted. */
const MOST_FINDINGS = 1000

class Refusal extends Error {}

const filesOf = async (bytes: Uint8Array): Promise<ReadonlyArray<HygieneFile>> => {
  const files = new Map<string, HygieneFile>()
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
  for (const { bytes: content, name } of unpack(bytes)) {
    const path = normalized(name)
    const shown = JSON.stringify(name.slice(0, 200))
    if (path === undefined) throw new Refusal(`The path ${shown} leads out of the project, or is none.`)
    if (files.has(path)) throw new Refusal(`Two files have the path ${shown}.`)
    files.set(path, await hygieneFile(path, decoder.decode(content)))
  }
  return Array.from(files.values()).toSorted((one, other) => byText(one.path, other.path))
}

const gravestFirst = (one: Finding, other: Finding): number =>
  levels.indexOf(rules[one.rule].level) - levels.indexOf(rules[other.rule].level) || byText(one.path, other.path) ||
  (one.line ?? 0) - (other.line ?? 0) || byText(one.rule, other.rule)

const lowCoverage = (coverage: Coverage | undefined, config: InspectOptions["config"]): ReadonlyArray<Finding> =>
  coverage !== undefined && coverage.lines < thresholdsOf(config).coverageC
    ? [{ rule: "low-coverage", path: coverage.path, line: null }]
    : []

const inspect = async (files: ReadonlyArray<HygieneFile>, { config, patch, plan }: InspectOptions): Promise<InspectAnswer> => {
  const { maxFileBytes = MAX_FILE_BYTES, todoDebtThreshold = TODO_DEBT } = config
  const secrets = await findSecrets(files)
  const coverage = coverageOf(files)
  const debt = todoDebt(files, todoDebtThreshold)
  const findings = [
    ...secrets.findings,
    ...files.flatMap((file) => [...textChecks(file), ...codeChecks(file)]),
    ...await deliveryChecks(files),
    ...projectChecks(files, maxFileBytes),
    ...debt.findings,
    ...lowCoverage(coverage, config)
  ].toSorted(gravestFirst)

  const changes = patch ? await fixesOf(files.filter((file) => !secrets.isSecretive(file))) : []
  const mended = new Map(changes.map((change) => [change.path, change.mended]))
  // A path is the caller's text, too: one that holds a secret is not repeated.
  const told = findings.map((finding) => secrets.holds(finding.path) ? { ...finding, path: "a path with a secret" } : finding)
  const listed = told.slice(0, MOST_FINDINGS)
  const { dimensions, grade, reasons } = gradeOf(findings, coverage, config)
  return {
    grade,
    reasons: [
      ...reasons,
      ...(findings.length > listed.length ? [`The first ${listed.length} of ${findings.length} findings are listed.`] : [])
    ],
    dimensions,
    counts: {
      files: files.length,
      ...Object.fromEntries(levels.map((level) => [`${level}s`, findings.filter(({ rule }) => rules[rule].level === level).length])),
      todos: debt.todos
    },
    findings: listed.map((finding) => ({
      rule: finding.rule,
      level: rules[finding.rule].level,
      path: finding.path,
      line: finding.line,
      message: messageOf(finding)
    })),
    ...(plan ? { remediation_plan: planOf(told, ({ path, rule }) => mended.get(path)?.has(rule) === true) } : {}),
    ...(patch ? { patch: unifiedDiff(changes), sarif: sarifOf(listed) } : {})
  }
}

const secretsOnly = async (files: ReadonlyArray<HygieneFile>): Promise<InspectAnswer> => {
  const { findings, isSecretive } = await findSecrets(files)
  return {
    secrets: findings.flatMap(({ line, path, rule }) => rule === "secret" && line !== null ? [{ path, line }] : []),
    secretive: files.filter(isSecretive).map(({ path }) => path)
  }
}

export const engine: EngineFunction = async (bytes, options) => {
  try {
    const asked = options as unknown as InspectOptions
    const files = await filesOf(bytes)
    return asked.only === "secrets" ? await secretsOnly(files) : await inspect(files, asked)
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message }
    throw error
  }
}
