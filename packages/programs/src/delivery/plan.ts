/**
 * How the packages of a repository are built, started and reached, by its own manifests, lock files, scripts and code.
 * What nothing says is a question.
 */
import { evidenceOf } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { projectCommands } from "../skills/commands.ts"
import { installOf } from "./installs.ts"
import type { BuildPlan, Said } from "./model.ts"
import { ownDockerfileOf, startOfDockerfile } from "./own-files.ts"
import { type Buildable, buildables, isIn } from "./packages.ts"
import { closedToOf, listensOf, portOf, portQuestion } from "./ports.ts"
import { runtimeOf } from "./runtimes.ts"
import { startOf } from "./starts.ts"
import { variablesIn } from "./variables.ts"

const commandOf = (project: Project, folder: string, purpose: "build" | "test"): Said<string> | undefined => {
  const all = projectCommands(project).filter((command) => command.purpose === purpose && command.folder === folder)
  const exact = all.find(({ evidence: [first] }) => first.subject === purpose)
  // A script that builds a part, such as `build:types`, is no build of the package.
  const found = exact ?? (purpose === "test" ? all[0] : undefined)
  return found === undefined ? undefined : { value: found.command, evidence: found.evidence }
}

const LANGUAGES = { node: "Node.js", python: "Python", go: "Go", rust: "Rust", java: "Java" } as const

const planFor = (project: Project, buildable: Buildable, others: ReadonlyArray<string>): BuildPlan => {
  const { evidence, folder, language, name } = buildable
  const runtime = runtimeOf(project, buildable)
  const { install, root } = installOf(project, buildable, runtime.value)
  const start = startOf(project, buildable)
  const dockerfile = ownDockerfileOf(project, folder)
  const started = start?.words ?? (dockerfile === undefined ? undefined : startOfDockerfile(dockerfile))
  const port = portOf(project, folder, dockerfile)
  const test = commandOf(project, folder, "test")
  // What is compiled is built for its container; scripts of a language that is not are taken as they are.
  const build = start?.built === undefined
    ? language === "node" ? commandOf(project, folder, "build") : undefined
    : { ...start.words, value: start.built.command }
  return {
    name,
    language,
    folder,
    root,
    manifest: evidence,
    runtime,
    install,
    build,
    output: start?.built?.output,
    test,
    start: started,
    port,
    listens: evidenceOf(listensOf(project, folder).slice(0, 3)),
    closedTo: closedToOf(project, folder),
    variables: variablesIn(project, folder, others),
    dockerfile,
    questions: [
      ...started === undefined ? [`which command starts ${name}?`] : [],
      ...port === undefined ? [portQuestion(project, folder, name)] : [],
      ...runtime.value.version === null ? [`which ${LANGUAGES[language]} does ${name} need?`] : []
    ]
  }
}

/** One a package that can be started, those nearest to the root first; where none can, of the first that can be built. */
export const plansOf: (project: Project) => ReadonlyArray<BuildPlan> = memo((project) => {
  const all = buildables(project)
  const starting = all.filter((one) => startOf(project, one) !== undefined)
  return (starting.length === 0 ? all.slice(0, 1) : starting).map((one) =>
    planFor(
      project,
      one,
      starting.filter((other) => other.folder !== one.folder && isIn(other.folder, one.folder)).map(({ folder }) => folder)
    )
  )
})

const rank = ({ port, start }: BuildPlan): number => (start === undefined ? 2 : 0) + (port === undefined ? 1 : 0)

/** The package that is delivered: that of the folder which is asked for, else the first that starts and answers. */
export const planOf = (project: Project): BuildPlan | undefined => {
  const plans = plansOf(project)
  const asked = project.description.packaging?.project_root?.replace(/^\.\/|\/$/gu, "")
  const own = asked === undefined || asked === "" ? undefined : plans.find(({ folder }) => folder === asked)
  return own ?? plans.toSorted((one, other) => rank(one) - rank(other))[0]
}
