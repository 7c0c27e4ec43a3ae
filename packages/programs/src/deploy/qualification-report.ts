/** deploy-qualification-report.md: where the project can run as it is, what keeps it from elsewhere, and what only a human knows. */
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block, claim, question, rule } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import { NO_PACKAGE } from "../delivery/dockerfile.ts"
import type { BuildPlan } from "../delivery/model.ts"
import { isQuotable } from "../delivery/own-files.ts"
import { planOf } from "../delivery/plan.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import { count, listed, namesOf } from "../map/words.ts"
import { pagesOf } from "./pages.ts"
import { healthOf, obstaclesOf, RENDER, type Runnable, runnableOf, runsAsRoot } from "./targets.ts"
import { namesOf as workerNames } from "./worker.ts"

/** What the repository says of starting, in its own words. */
const startWords = ({ start }: BuildPlan): string => {
  const [fact] = start?.evidence ?? []
  if (fact === undefined) return "nothing"
  if (fact.kind === "script") return `${code(fact.subject)}, which is ${code(fact.value.command)}`
  if (fact.kind === "container") return `${fact.value.instruction} ${code(fact.value.value)}`
  if (fact.kind === "entry") return `${code(fact.subject)}, which is ${code(fact.value.target)}`
  return fact.kind === "listen" || fact.kind === "symbol"
    ? `${code(fact.evidence[0].path)}, which has ${code(fact.subject)}`
    : code(fact.subject)
}

/** What opens the port, or says which it is. */
const openedBy = ({ port }: BuildPlan): string => {
  const [first] = port?.evidence ?? []
  if (first === undefined) return "nothing"
  return first.kind === "container" ? `${first.value.instruction} ${code(first.value.value)}` : code(first.subject)
}

const portWords = ({ port }: BuildPlan): string => {
  if (port === undefined) return "nothing"
  const { number, variable } = port.value
  return variable === null ? `${number}` : `${number}, or what ${code(variable)} says`
}

const installedBy = (project: Project, { folder, install, name }: BuildPlan): ReadonlyArray<Block> => {
  if (install === undefined) return []
  const brought = project.facts("dependency").filter(({ evidence: [{ path }], value: { scope } }) =>
    scope === "runtime" && folderOf(path) === folder
  )
  const { evidence, source, value: { commands } } = install
  const brings = brought.length === 0 ? "" : ` brings ${listed(namesOf(brought), 3)}`
  return claimOf(`${code(evidence[0].evidence[0].path)}: ${commands.at(-1)} of ${name}${brings}.`, [...evidence, ...brought], source)
}

const found = (project: Project, plan: BuildPlan): ReadonlyArray<Block> => {
  const { build, dockerfile, name, port, runtime, start } = plan
  const builder = build?.evidence[0]
  const { language, version } = runtime.value
  return [
    ...start === undefined ? [] : [claim(`${startWords(plan)}: this starts ${name}.`, ...start.evidence)],
    ...port === undefined ? [] : [claim(`${openedBy(plan)}: ${name} answers on ${portWords(plan)}.`, ...port.evidence)],
    ...version === null ? [] : [claim(`${language} ${version}.`, ...runtime.evidence)],
    ...installedBy(project, plan),
    ...build === undefined || builder === undefined
      ? []
      : claimOf(`${code(builder.subject)}: ${name} is built by ${build.value}.`, build.evidence, build.source),
    ...dockerfile === undefined ? [] : dockerfileBlocks(dockerfile)
  ]
}

const dockerfileBlocks = (own: NonNullable<BuildPlan["dockerfile"]>): ReadonlyArray<Block> => {
  const [first, ...rest] = own.instructions
  if (first === undefined) return []
  return [
    claim(
      isQuotable(own)
        ? `${code(stageOf(own.instructions))} begins ${count(own.instructions.length, "instruction")} that deploy/Dockerfile quotes.`
        : `${code(own.path)} goes by lines that cannot be quoted one by one: deploy/Dockerfile is made from the manifests.`,
      first,
      ...rest
    )
  ]
}

const ready = (project: Project, plan: Runnable): ReadonlyArray<Block> => {
  const { port, start } = plan
  const health = healthOf(project)
  const asked = health === undefined ? "" : `, ${code(health.value.path)} says whether it is well`
  const [healthy, opened] = [health === undefined ? [] : [health], openedBy(plan)]
  return [
    claim(`A container: ready, by ${startWords(plan)} and ${opened}.`, ...start.evidence, ...port.evidence),
    claim(`Render: ready, ${opened} hears ${port.value.number}${asked}.`, ...port.evidence, ...healthy),
    claim(`Cloudflare Containers: ready, ${workerNames(plan).className} asks ${opened}.`, ...port.evidence)
  ]
}

const running = (project: Project, plan: BuildPlan): ReadonlyArray<Block> => {
  const runnable = runnableOf(project)
  if (runnable !== undefined) return ready(project, runnable)
  const obstacles = obstaclesOf(plan)
  return [
    ...claimOf(
      `No container, Render, Cloudflare Containers: ${obstacles.map(({ text }) => text).join("; ")}.`,
      obstacles.flatMap(({ evidence }) => evidence)
    ),
    ...plan.closedTo === undefined ? [] : [rule("A web service is reached at the address 0.0.0.0.", RENDER)]
  ]
}

const pagesBlocks = (project: Project): ReadonlyArray<Block> => {
  const pages = pagesOf(project)
  if (pages === undefined) return []
  const { build, folder, source } = pages
  const from = folder.value === "." ? "the root" : folder.value
  return [
    claim(
      `Cloudflare Pages: ready, from ${from}${build === undefined ? "" : ` after ${build.value}`}.`,
      ...folder.evidence,
      ...build?.evidence ?? []
    ),
    ...source === undefined ? [] : [rule(`${folder.value} is where its build writes.`, source)]
  ]
}

/** The image of a stage, as its Dockerfile names it. */
const stageOf = (instructions: ReadonlyArray<AnyFact>): string => {
  const from = instructions.find((fact) => fact.kind === "container" && fact.value.instruction === "FROM")
  return from?.kind === "container" ? from.value.value : ""
}

/** What is worth knowing before it runs, and holds nothing up. */
const remarks = (project: Project, plan: BuildPlan): ReadonlyArray<Block> => {
  const [root, health] = [runsAsRoot(plan), healthOf(project)]
  const required = plan.variables.filter((one) => one.required)
  return [
    ...root === undefined
      ? []
      : [claim(`${code(stageOf(root))}: what follows runs as root, for it names no USER.`, ...root)],
    ...health === undefined ? [] : [claim(`${code(health.subject)} can be asked whether ${plan.name} is well.`, health)],
    ...required.map(({ evidence, name }) => claim(`${code(name)} must be set: ${plan.name} has no value for it.`, ...evidence))
  ]
}

const questions = (project: Project, plan: BuildPlan): ReadonlyArray<Block> => {
  const asked = plan.questions.join(" ")
  const open = plan.variables.filter(({ fallback, name, required }) =>
    !required && fallback === null && name !== plan.port?.value.variable && !asked.includes(code(name, 40))
  )
  return [
    ...plan.questions.map((text) => question(text)),
    ...open.slice(0, 10).map(({ name }) => question(`which value has ${code(name)} where ${plan.name} runs?`)),
    ...runnableOf(project) === undefined ? [] : [question(`which day of the Workers runtime has ${plan.name}?`)]
  ]
}

export const qualificationReport = (project: Project): Artifact => {
  const plan = planOf(project)
  const pages = pagesBlocks(project)
  const none = absence("No Cloudflare Pages.", project.searched())
  if (plan === undefined) {
    return page(`Deploying ${code(project.description.project_name)}`, [
      { title: "Targets", blocks: pages, none },
      { title: "Package", blocks: [], none: absence(NO_PACKAGE, project.searched()) }
    ])
  }
  return page(`Deploying ${plan.name}`, [
    { title: "Found", blocks: found(project, plan) },
    // A question stands behind what it holds up.
    { title: "Targets", blocks: [...running(project, plan), ...pages, ...questions(project, plan)] },
    { title: "Before it runs", blocks: remarks(project, plan) },
    { title: "", blocks: [], ...pages.length > 0 ? {} : { none } }
  ])
}
