/** Commands that are worth running: of scripts that the repository names, else of what its manifests are built with. */
import { code } from "../claims/inline.ts"
import { MANUALS } from "../claims/manuals.ts"
import type { Source } from "../claims/model.ts"
import type { Advised } from "../confined/model.ts"
import type { AnyFact, Ecosystem, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { type ProjectCommand, type Purpose, PURPOSES } from "./model.ts"
import { ABSENT, absentDependency, foldersUp, needsOf } from "./needs.ts"
import { oneTests } from "./one-test.ts"
import { callOf, folderOf, segmentsOf } from "./scripts.ts"

/** Names of scripts by purpose: one word, and perhaps which part of the repository it is for. `verify-x` verifies an x, seldom the code. */
const NAMES: ReadonlyArray<readonly [purpose: Purpose, name: RegExp]> = [
  ["generate", /^(?:generate|gen|codegen)(?:[:.-][a-z0-9]{1,16})?$/u],
  ["typecheck", /^(?:typecheck|type-check|check[:.-]types?|types|tsc|mypy)(?:[:.-][a-z0-9]{1,16})?$/u],
  ["check", /^(?:check(?:[:.-][a-z0-9]{1,16})?|(?:verify|validate)(?:[:.][a-z0-9]{1,16})?)$/u],
  ["lint", /^(?:lint|eslint|clippy|vet)(?:[:.-][a-z0-9]{1,16})?$/u],
  ["build", /^(?:build|compile|bundle)(?:[:.-][a-z0-9]{1,16})?$/u],
  ["test", /^(?:test|tests|unit|spec)(?:[:.-][a-z0-9]{1,16})?$/u]
]

/** They never end, change files that nobody asked them to, or write reports. */
const UNENDING = /(?:watch|dev|fix|update|ui|debug|open|serve|report|coverage|cov|html)$/u

const purposeOf = (name: string): Purpose | undefined =>
  UNENDING.test(name) ? undefined : NAMES.find(([, pattern]) => pattern.test(name))?.[0]

/** npm writes this into a new manifest. */
const PLACEHOLDER = /no test specified/u

const ofScripts = (project: Project): ReadonlyArray<ProjectCommand> =>
  project.facts("script").flatMap((script) => {
    const [purpose, command] = [purposeOf(script.subject), callOf(project, script)]
    if (purpose === undefined || command === undefined || PLACEHOLDER.test(script.value.command)) return []
    const folder = folderOf(script)
    const text = segmentsOf(project, script).map((segment) => segment.text).join(" && ")
    return [{ purpose, command, folder, needs: needsOf(project, folder, `${command} ${text}`), evidence: [script] as const }]
  })

interface ToolCommand {
  readonly purpose: Purpose
  readonly command: string
  readonly manual: Source
  readonly by?: RegExp
}

/** What a manifest is built and tested with where no script says so; `by` is the dependency or setting that must be there. */
const TOOLS: Partial<Record<Ecosystem, ReadonlyArray<ToolCommand>>> = {
  cargo: [{ purpose: "build", command: "cargo build", manual: MANUALS.cargo }, {
    purpose: "test",
    command: "cargo test",
    manual: MANUALS.cargo
  }],
  go: [
    { purpose: "lint", command: "go vet ./...", manual: MANUALS.go },
    { purpose: "build", command: "go build ./...", manual: MANUALS.go },
    { purpose: "test", command: "go test ./...", manual: MANUALS.go }
  ],
  pypi: [
    { purpose: "typecheck", command: "python -m mypy .", manual: MANUALS.mypy, by: /^mypy$/u },
    { purpose: "lint", command: "python -m ruff check .", manual: MANUALS.ruff, by: /^ruff$/u },
    { purpose: "test", command: "python -m pytest", manual: MANUALS.pytest, by: /^pytest$/u }
  ],
  rubygems: [{ purpose: "test", command: "bundle exec rspec", manual: MANUALS.rspec, by: /^rspec$/u }],
  packagist: [{ purpose: "test", command: "vendor/bin/phpunit", manual: MANUALS.phpunit, by: /^phpunit(?:\/phpunit)?$/u }],
  nuget: [{ purpose: "build", command: "dotnet build", manual: MANUALS.dotnet }, {
    purpose: "test",
    command: "dotnet test",
    manual: MANUALS.dotnet
  }],
  hex: [{ purpose: "test", command: "mix test", manual: MANUALS.mix }],
  pub: [{ purpose: "test", command: "dart test", manual: MANUALS.dart }]
}

const javaTools = (path: string): ReadonlyArray<ToolCommand> =>
  path.endsWith("pom.xml")
    ? [
      { purpose: "build", command: "mvn package", manual: MANUALS.maven },
      { purpose: "test", command: "mvn test", manual: MANUALS.maven }
    ]
    : [
      { purpose: "build", command: "gradle build", manual: MANUALS.gradle },
      { purpose: "test", command: "gradle test", manual: MANUALS.gradle }
    ]

/** Manifests that stand in no folder of another of the same kind: members of a workspace are built with it. */
const outermost = (manifests: ReadonlyArray<Fact<"manifest">>): ReadonlyArray<Fact<"manifest">> => {
  const key = (ecosystem: Ecosystem, folder: string): string => `${ecosystem} ${folder}`
  const all = new Set(manifests.map((one) => key(one.value.ecosystem, folderOf(one))))
  return manifests.filter((one) => !foldersUp(folderOf(one)).slice(1).some((above) => all.has(key(one.value.ecosystem, above))))
}

const ofManifests = (project: Project, named: ReadonlyArray<ProjectCommand>): ReadonlyArray<ProjectCommand> =>
  outermost(project.facts("manifest")).flatMap((manifest) => {
    const { ecosystem } = manifest.value
    const folder = folderOf(manifest)
    const tools = ecosystem === "maven" ? javaTools(manifest.evidence[0].path) : TOOLS[ecosystem] ?? []
    return tools.flatMap(({ by, command, manual, purpose }) => {
      if (named.some((other) => other.purpose === purpose && other.folder === folder)) return []
      const reasons: ReadonlyArray<AnyFact> = by === undefined
        ? [manifest]
        : [...project.facts("dependency"), ...project.facts("setting")].filter(({ subject }) => by.test(subject)).slice(0, 1)
      const [reason] = reasons
      return reason === undefined
        ? []
        : [{ purpose, command, folder, needs: needsOf(project, folder, command), evidence: [reason] as const, source: manual }]
    })
  })

const depth = (folder: string): number => folder === "." ? 0 : folder.split("/").length

/** Those of the root first; by purpose within a folder. */
export const projectCommands: (project: Project) => ReadonlyArray<ProjectCommand> = memo((project) => {
  const named = ofScripts(project)
  return [...named, ...ofManifests(project, named), ...oneTests(project)].toSorted((one, other) =>
    depth(one.folder) - depth(other.folder) || PURPOSES.indexOf(one.purpose) - PURPOSES.indexOf(other.purpose)
  )
})

/** More than these are not tried. */
const MOST_TRIED = 12

export const advisedCommands = (project: Project): ReadonlyArray<Advised> =>
  projectCommands(project).slice(0, MOST_TRIED).map(({ command, evidence: [{ evidence: [span] }], folder, needs }) => ({
    command,
    folder,
    needs,
    ...span
  }))

/** The command as code, with the package where only its manifest stands for it. */
export const named = ({ command, evidence: [first] }: ProjectCommand): string =>
  first.kind === "manifest" ? `${code(command)} of ${code(first.subject, 60)}` : code(command)

/** Commands whose words have the same source, together: a claim has one. */
export const bySource = (
  commands: ReadonlyArray<ProjectCommand>
): ReadonlyArray<readonly [source: Source | undefined, commands: ReadonlyArray<ProjectCommand>]> =>
  Array.from(Map.groupBy(commands, ({ source }) => source))

/** Commands that ended alike. */
export interface Outcome {
  /** What came of them, such as `not run here: dependencies absent`. */
  readonly outcome: string
  /** What says so, where a file does. */
  readonly facts: ReadonlyArray<AnyFact>
  readonly commands: ReadonlyArray<ProjectCommand>
}

const untried = (project: Project): string => project.facts("ran").length === 0 ? "none was tried" : `only ${MOST_TRIED} commands are tried`

/** What came of the command. */
const outcomeOf = (project: Project, { command, evidence: [{ evidence: [{ path, start_line }] }], needs }: ProjectCommand): string => {
  const ran = project.factsOf(path, "ran").find(({ evidence: [span], subject }) => subject === command && span.start_line === start_line)
  if (ran === undefined) return `not run here: ${needs ?? untried(project)}`
  const { exit_code, reason } = ran.value
  return exit_code === null ? `not run here: ${reason ?? "no reason was kept"}` : `run here: exit code ${exit_code}`
}

/** What came of commands is said once, above those that ended alike. */
export const byOutcome = (project: Project, commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<Outcome> =>
  Array.from(Map.groupBy(commands, (command) => outcomeOf(project, command)), ([outcome, group]) => ({
    outcome,
    facts: outcome.endsWith(ABSENT) ? group.flatMap(({ folder }) => absentDependency(project, folder) ?? []) : [],
    commands: group
  }))
