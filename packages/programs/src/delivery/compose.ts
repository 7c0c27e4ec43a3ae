/** A file of Docker Compose for a plan. Files of compose that the repository has win: they are included, and their services named. */
import { posix } from "node:path"
import { type Cited, cited, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { yaml } from "../claims/yaml.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { contextOf, homeOf, NO_PACKAGE } from "./dockerfile.ts"
import type { BuildPlan, Variable } from "./model.ts"
import { ownComposeFiles } from "./own-files.ts"
import { planOf } from "./plan.ts"

export interface ComposeOptions {
  /** The folder of the file, from the root. */
  readonly folder: string
  /** From the root. */
  readonly dockerfile: string
  /** For who changes the project: its folder is mounted, and the script for development runs. */
  readonly develops: boolean
}

/** `$` would be a variable of compose. */
const pathFrom = (folder: string, path: string): string => (posix.relative(folder, path) || ".").replaceAll("$", "$$$$")

/** A context such as `github.com/a/b` would be fetched from there. */
const contextFrom = (folder: string, path: string): string => pathFrom(folder, path).replace(/^(?!\.\.?(?:\/|$))/u, "./")

/**
 * `${NAME:?}` stops where the variable is not set; null leaves it out there, where empty text would take the place of what the program
 * falls back on. `$` of a value would be one of compose.
 */
const valueOf = ({ fallback, name, required }: Variable): string | null =>
  fallback !== null ? `\${${name}:-${fallback}}` : required ? `\${${name}:?}` : null

const environmentOf = ({ port, variables }: BuildPlan): { readonly [name: string]: Value } | undefined => {
  const own = port?.value.variable ?? null
  const members = variables.filter(({ name }) => name !== own).map((one) => [one.name, cited(valueOf(one), ...one.evidence)] as const)
  const all = port === undefined || own === null
    ? members
    : [[own, cited(String(port.value.number), ...port.evidence)] as const, ...members]
  return all.length === 0 ? undefined : Object.fromEntries(all)
}

/** A script that is called `dev` and that npm runs. */
const developing = (project: Project, { folder }: BuildPlan): Fact<"script"> | undefined =>
  project.factsOf(posix.join(folder, "package.json"), "script").find(({ subject }) => subject === "dev")

const developed = (project: Project, plan: BuildPlan, { folder }: ComposeOptions): { readonly [name: string]: Value } => {
  const script = plan.install === undefined ? undefined : developing(project, plan)
  if (script === undefined || plan.dockerfile !== undefined) return {}
  const home = homeOf(plan)
  return {
    command: cited(["npm", "run", "dev"], script),
    volumes: [`${pathFrom(folder, plan.root)}:${home}`, `${home}/node_modules`]
  }
}

const serviceOf = (project: Project, plan: BuildPlan, options: ComposeOptions): Value => {
  const { port } = plan
  const develops = options.develops ? developed(project, plan, options) : {}
  const context = contextOf(plan)
  return {
    build: {
      context: cited(contextFrom(options.folder, context), ...plan.manifest),
      dockerfile: pathFrom(context, options.dockerfile),
      ...develops["command"] === undefined ? {} : { target: "build" }
    },
    init: true,
    ports: port === undefined ? undefined : [cited(`${port.value.number}:${port.value.number}`, ...port.evidence)],
    environment: environmentOf(plan),
    ...develops
  }
}

/** A name that no service of the repository has. */
const freeName = (name: string, taken: ReadonlySet<string>): string => taken.has(name) ? freeName(`${name}-app`, taken) : name

const included = (files: ReadonlyMap<string, ReadonlyArray<Fact<"container">>>, folder: string): ReadonlyArray<Cited> =>
  Array.from(files, ([path, settings]) => {
    const [first, ...rest] = [...Map.groupBy(settings, ({ subject }) => subject).values()].flatMap((all) => all.slice(0, 1))
    return first === undefined ? [] : [cited({ path: pathFrom(folder, path) }, first, ...rest)]
  }).flat()

export const compose = (project: Project, options: ComposeOptions): Artifact => {
  const plan = planOf(project)
  const files = new Map([...ownComposeFiles(project)].filter(([path]) => path !== posix.join(options.folder, "docker-compose.yml")))
  if (plan === undefined && files.size === 0) {
    return yaml({ services: {} }, [`${NO_PACKAGE} Searched: ${project.searched()} files.`])
  }
  const settings = [...files.values()].flat()
  const builds = settings.some(({ value: { instruction } }) => instruction === "build")
  const name = plan === undefined ? "" : freeName(plan.name, new Set(settings.map(({ subject }) => subject)))
  return yaml({
    include: files.size === 0 ? undefined : included(files, options.folder),
    services: plan === undefined || builds ? undefined : { [name]: serviceOf(project, plan, options) }
  }, plan?.questions.map((text) => `Question: ${text}`))
}
