/** What goes wrong without a message: what one look at a repository does not show. */
import { code, list } from "../claims/inline.ts"
import type { Block } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { isAside } from "./aside.ts"
import { projectCommands } from "./commands.ts"
import { folderOf, segmentsOf } from "./scripts.ts"

const isPath = (text: string): boolean => /^[\w./@+-]+$/u.test(text)

/** Files that say of themselves that they are generated. */
export const generatedFiles = (project: Project, most: number): ReadonlyArray<Block> =>
  project.facts("generated").slice(0, most).flatMap((fact) => {
    const { evidence: [{ path }], value: { by } } = fact
    const origin = isPath(by) && by !== path ? ` by ${code(by)}` : ""
    return claimOf(`${code(path)} is generated${origin}.`, [fact])
  })

const isExample = (path: string): boolean => /(?:^|\/)\.env/u.test(path)

/** Variables that npm, Node or the shell sets, or that need not be set. */
const SET_BY_OTHERS = /^(?:npm_\w+|NODE_OPTIONS|NODE_PATH|PATH|HOME|PWD|SHELL|TERM|USER|TMPDIR|CI|NO_COLOR|FORCE_COLOR)$/u

/** Reads of variables that have no fallback and no check. */
export const unguardedReads = (project: Project): ReadonlyArray<Fact<"environment">> => {
  const files = new Map(project.facts("file").map(({ evidence: [{ path }], value: { role } }) => [path, role]))
  return project.facts("environment").filter(({ evidence: [{ path }], subject, value: { fallback, required } }) =>
    fallback === null && !required && !isExample(path) && !isAside(path) && files.get(path) !== "test" && /^\w{1,60}$/u.test(subject) &&
    !SET_BY_OTHERS.test(subject)
  )
}

const MOST_NAMES = 5

export const unguardedEnvironment = (project: Project, most: number): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(unguardedReads(project), ({ evidence: [{ path }] }) => path))
    .toSorted(([one, reads], [other, others]) => others.length - reads.length || byText(one, other))
    .slice(0, most)
    .flatMap(([, reads]) => {
      const names = [...new Set(reads.map(({ subject }) => code(subject)))].slice(0, MOST_NAMES)
      return claimOf(`${list(names)}: no fallback, no check.`, reads)
    })

/** Names of variables that code reads, and the example file leaves out. */
export const missingFromExample = (project: Project): ReadonlyArray<Block> => {
  const examples = project.facts("environment").filter(({ evidence: [{ path }] }) => isExample(path))
  const [example] = examples
  if (example === undefined) return []
  const named = new Set(examples.map(({ subject }) => subject))
  const missing = unguardedReads(project).filter(({ subject }) => !named.has(subject))
  const names = [...new Set(missing.map(({ subject }) => code(subject)))].slice(0, MOST_NAMES)
  return claimOf(`${code(example.evidence[0].path)} leaves out ${list(names)}.`, missing)
}

const LOCKS = ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"]

export const lockFiles = (project: Project): ReadonlyArray<Block> => {
  const locks = project.facts("file").filter(({ evidence: [{ path }] }) => LOCKS.some((lock) => path === lock || path.endsWith(`/${lock}`)))
  return Array.from(Map.groupBy(locks, folderOf)).flatMap(([, group]) =>
    group.length < 2
      ? []
      : claimOf(`${list(group.map(({ evidence: [{ path }] }) => code(path)))} may disagree.`, group)
  )
}

/** Tools of which continuous integration calls a subcommand. */
const TOOLS = /^(?:npx|pnpm exec|yarn|node|python3? -m|go|cargo|make|docker|bash|sh|\.\/gradlew|mvn|tox|deno|bun) ([\w./:@-]{1,60})/u

/** Calls of workflows, line by line, by tool and subcommand. */
export const ciCalls = (project: Project): ReadonlyArray<{ readonly call: string; readonly step: Fact<"ci-step"> }> =>
  project.facts("ci-step").flatMap((step) =>
    (step.value.run ?? "").split(/\n|&&|;/u).flatMap((line) => {
      const call = TOOLS.exec(line.trim())?.[0]
      return call === undefined ? [] : [{ call, step }]
    })
  )

/** What workflows call and no script does. */
export const onlyInCi = (project: Project, most: number): ReadonlyArray<Block> => {
  const scripted = [
    ...project.facts("script").flatMap((script) => segmentsOf(project, script).map(({ text }) => text)),
    ...projectCommands(project).map(({ command }) => command)
  ]
  const seen = new Set<string>()
  return ciCalls(project)
    .filter(({ call }) => !/^(?:yarn|npx|bun)(?: (?:install|run))?$|^(?:make|yarn|bun) |install/u.test(call))
    .filter(({ call }) => !scripted.some((text) => text.includes(call.replace(/^npx /u, ""))) && !seen.has(call) && seen.add(call))
    .slice(0, most)
    .flatMap(({ call, step }) => claimOf(`CI alone calls ${code(call)}.`, [step]))
}

/** Checks that exist, and that no workflow runs. */
export const notInCi = (project: Project): ReadonlyArray<Block> => {
  const steps = project.facts("ci-step")
  if (steps.length === 0) return []
  const called = steps.map(({ value: { run } }) => run ?? "").join("\n")
  const scripts = project.facts("script").filter(({ evidence: [{ path }] }) => !path.includes("/"))
  const reached = scripts.filter(({ subject }) => called.includes(subject)).flatMap((script) => segmentsOf(project, script))
  const runs = new Set(reached.map(({ script }) => script))
  const checks = projectCommands(project).filter(({ folder, purpose }) =>
    folder === "." && (purpose === "lint" || purpose === "typecheck" || purpose === "test")
  )
  const missed = checks.filter(({ command, evidence: [script] }) =>
    !runs.has(script as Fact<"script">) && !called.includes(command) && !called.includes(script.subject)
  )
  return missed.flatMap(({ command, evidence, source }) => claimOf(`No CI step runs ${code(command)}.`, evidence, source))
}

/** Scripts that npm runs without being asked. */
export const lifecycle = (project: Project): ReadonlyArray<Block> =>
  project.facts("script").filter(({ evidence: [{ path }], value: { runner } }) => runner === "npm" && path === "package.json")
    .flatMap((script) => {
      const base = /^(?:pre|post)(test|build|start|lint|generate|publish)$/u.exec(script.subject)?.[1]
      const by = base === undefined ? /^(?:prepare|postinstall|preinstall)$/u.test(script.subject) ? "install" : undefined : base
      return by === undefined ? [] : claimOf(`${code(script.subject)} runs unasked with ${code(by)}.`, [script])
    })

const LINTERS = /^(?:eslint|oxlint|biome|ruff|flake8|pylint|rubocop|golangci-lint|stylelint|clippy|tslint|standard|xo)$/u

/** Rules that are switched off, and files that are left out. */
export const linterGaps = (project: Project, most: number): ReadonlyArray<Block> => {
  const isSafe = (text: string): boolean => /^[\w./@*{}[\]", !-]{1,80}$/u.test(text)
  const gaps = project.facts("setting").filter(({ subject, value: { name, value } }) => {
    if (!isSafe(name) || !isSafe(value)) return false
    if (LINTERS.test(subject)) return /(?:^|\.)(?:ignore\w*|exclude\w*|globalIgnores)/iu.test(name) || /^"?(?:off|0|allow)"?$/u.test(value)
    return subject === "typescript" && (/strict|checkJs|noImplicitAny/u.test(name) && value === "false" || /(?:^|\.)exclude/u.test(name))
  })
  return gaps.slice(0, most).flatMap((setting) =>
    claimOf(`${setting.subject} ${code(setting.value.name)}: ${code(setting.value.value)}.`, [setting])
  )
}
