/** The plan that hardens an agent: what its files risk, the gravest first, with patches where no judgement is needed. */
import { fileFact } from "../facts/files.ts"
import { isAbort } from "../facts/grammars.ts"
import { byText } from "../facts/order.ts"
import { unifiedDiff } from "../patch.ts"
import { type AgentFile, isOfAgents, readAgentFile } from "./agent-file.ts"
import { agencyRisks, serverRisks } from "./checks/agency.ts"
import { budgetRisks } from "./checks/budgets.ts"
import { outputRisks } from "./checks/outputs.ts"
import { promptRisks } from "./checks/prompts.ts"
import { toolRisks } from "./checks/tools.ts"
import { type Edit, type HardeningRule, type Risk, rules, severities, type SourceId, sources } from "./rules.ts"

export interface PlanItem {
  /** 1 is the first to do. */
  readonly priority: number
  readonly rule: string
  readonly area: HardeningRule["area"]
  readonly severity: HardeningRule["severity"]
  readonly path: string
  readonly line: number
  readonly finding: string
  readonly reason: string
  readonly next: string
  readonly sources: ReadonlyArray<{ readonly id: SourceId; readonly title: string; readonly url: string }>
  /** A unified diff. */
  readonly patch?: string
}

export interface HardeningPlan {
  readonly plan: ReadonlyArray<PlanItem>
  /** All mechanical changes together. */
  readonly patch: string
  /** Files that were not read, or not as a whole. */
  readonly skipped: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  readonly searched: { readonly files: number; readonly agent_files: number; readonly model_calls: number }
}

export interface PlanFile {
  readonly path: string
  readonly text: string
  /** Whether a patch may show the lines of this file. */
  readonly isShown: boolean
}

/** Where others found a credential. */
export interface SecretPlace {
  readonly path: string
  readonly line: number
}

const ofFile = (file: AgentFile): ReadonlyArray<Risk> => [
  ...promptRisks(file),
  ...toolRisks(file),
  ...budgetRisks(file),
  ...outputRisks(file),
  ...agencyRisks(file)
]

interface ReadFile {
  readonly path: string
  readonly isAgent: boolean
  readonly modelCalls: number
  /** What relative imports point at, without their endings. */
  readonly imports: ReadonlyArray<string>
  readonly risks: ReadonlyArray<Risk>
  readonly skipped?: string
}

const withoutEnding = (path: string): string => path.replace(/\.[cm]?[jt]sx?$|\.py$/u, "").replace(/\/(?:index|__init__)$/u, "")

const targetOf = (path: string, target: string): string => {
  if (!target.startsWith(".")) return target.replaceAll(".", "/")
  const isPython = path.endsWith(".py")
  const dots = /^\.+/u.exec(target)?.[0].length ?? 0
  const segments = path.split("/").slice(0, isPython ? -dots : -1)
  for (const segment of isPython ? target.slice(dots).split(".") : target.split("/")) {
    if (segment === "..") segments.pop()
    else if (segment !== "." && segment !== "") segments.push(segment)
  }
  return withoutEnding(segments.join("/"))
}

const read = async ({ path, text }: PlanFile): Promise<ReadFile> => {
  const servers = serverRisks(path, text)
  const nothing = { path, isAgent: servers.length > 0, modelCalls: 0, imports: [], risks: servers }
  if (fileFact(path, text).value.role !== "source") return nothing
  try {
    const found = await readAgentFile(path, text, (file): ReadFile => ({
      path,
      isAgent: isOfAgents(file),
      modelCalls: file.modelCalls.length,
      imports: file.source.imports.map(({ target }) => targetOf(path, target)),
      risks: ofFile(file)
    }))
    return found ?? nothing
  } catch (error) {
    // After a trap no parser of this process is to be trusted: the process ends.
    if (isAbort(error)) throw error
    return { ...nothing, skipped: "the parser gives no answer for it" }
  }
}

/** Files of agents, and those that they import: the tools. */
const ofAgents = (files: ReadonlyArray<ReadFile>): ReadonlySet<string> => {
  const agents = files.filter(({ isAgent }) => isAgent)
  const imported = new Set(agents.flatMap(({ imports }) => imports))
  return new Set(files.filter((file) => file.isAgent || imported.has(withoutEnding(file.path))).map(({ path }) => path))
}

const edited = (text: string, edits: ReadonlyArray<Edit>): string =>
  edits.toSorted((one, other) => other.start - one.start || other.end - one.end)
    .reduce((all, { end, start, text: written }) => all.slice(0, start) + written + all.slice(end), text)

const gravestFirst = (one: Risk, other: Risk): number =>
  severities.indexOf(rules[one.rule].severity) - severities.indexOf(rules[other.rule].severity) || byText(one.path, other.path) ||
  one.line - other.line || byText(one.rule, other.rule)

const isSame = (one: Risk, other: Risk): boolean => one.rule === other.rule && one.path === other.path && one.line === other.line

export const planOf = async (files: ReadonlyArray<PlanFile>, secrets: ReadonlyArray<SecretPlace>): Promise<HardeningPlan> => {
  const found: Array<ReadFile> = []
  for (const file of files) found.push(await read(file))
  const relevant = ofAgents(found)
  const shown = new Map(files.filter(({ isShown }) => isShown).map(({ path, text }) => [path, text]))
  const risks = [
    ...found.filter(({ path }) => relevant.has(path)).flatMap(({ risks }) => risks),
    ...secrets.map((place): Risk => ({ rule: "secret-in-code", ...place }))
  ].toSorted(gravestFirst).filter((risk, at, all) => all.findIndex((other) => isSame(risk, other)) === at)

  const changeOf = (path: string, edits: ReadonlyArray<Edit>) => {
    const before = shown.get(path)
    return before === undefined || edits.length === 0 ? [] : [{ path, before, after: edited(before, edits) }]
  }
  const editsByPath = Map.groupBy(risks, ({ path }) => path)
  return {
    plan: risks.map(({ edits = [], line, path, rule }, at) => {
      const { area, finding, next, reason, severity, sources: named } = rules[rule]
      const patch = unifiedDiff(changeOf(path, edits))
      return {
        priority: at + 1,
        rule,
        area,
        severity,
        path,
        line,
        finding,
        reason,
        next,
        sources: named.map((id) => ({ id, ...sources[id] })),
        ...(patch === "" ? {} : { patch })
      }
    }),
    patch: unifiedDiff(Array.from(editsByPath, ([path, all]) => changeOf(path, all.flatMap(({ edits = [] }) => edits))).flat()),
    skipped: found.flatMap(({ path, skipped }) => skipped === undefined ? [] : [{ path, reason: skipped }]),
    searched: {
      files: files.length,
      agent_files: relevant.size,
      model_calls: found.reduce((all, { modelCalls }) => all + modelCalls, 0)
    }
  }
}
