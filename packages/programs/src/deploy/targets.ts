/** Where the project can run, and why not elsewhere. */
import { type Evidence, evidenceOf, type Source } from "../claims/model.ts"
import type { BuildPlan } from "../delivery/model.ts"
import { isQuotable, lastStage } from "../delivery/own-files.ts"
import { planOf } from "../delivery/plan.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { routesOf } from "../map/uses.ts"
import { pagesOf } from "./pages.ts"

/** A plan of which everything is known that running it needs. */
export interface Runnable extends BuildPlan {
  readonly start: NonNullable<BuildPlan["start"]>
  readonly port: NonNullable<BuildPlan["port"]>
}

/** The plan, where it starts, answers, and can be reached from outside of its machine. */
export const runnableOf = (project: Project): Runnable | undefined => {
  const plan = planOf(project)
  if (plan === undefined || plan.closedTo !== undefined) return undefined
  const { port, start } = plan
  return port === undefined || start === undefined ? undefined : { ...plan, start, port }
}

/** What keeps the plan from running elsewhere, as a sentence. */
export const obstaclesOf = (plan: BuildPlan): ReadonlyArray<{ readonly text: string; readonly evidence: Evidence }> => {
  const { closedTo, listens, manifest, name, port, start } = plan
  return [
    ...start === undefined ? [{ text: `no command starts ${name}`, evidence: manifest }] : [],
    ...port === undefined ? [{ text: `the port of ${name} is not known`, evidence: listens ?? start?.evidence ?? manifest }] : [],
    ...closedTo === undefined ? [] : [{ text: `${name} listens for its own machine only`, evidence: closedTo.evidence }]
  ]
}

export const RENDER: Source = { name: "Render, port binding", url: "https://render.com/docs/web-services" }

const HEALTH = /^\/(?:api\/|v\d\/)?(?:health|healthz|healthcheck|livez|readyz|status|ping)\/?$/u

const OF_HELPERS = /(?:^|\/)(?:scripts?|examples?|bench\w*|e2e|fixtures?|testkit|docs?)\//u

/** A route that says whether the program is well. */
export const healthOf = (project: Project): Fact<"route"> | undefined =>
  routesOf(project).find(({ evidence: [at], value: { method, path } }) =>
    (method === "GET" || method === "ANY") && HEALTH.test(path) && !OF_HELPERS.test(at.path)
  )

/** The last stage of the repository's own Dockerfile, where nothing in it gives up the rights of an administrator. */
export const runsAsRoot = ({ dockerfile }: BuildPlan): Evidence | undefined => {
  if (dockerfile === undefined || !isQuotable(dockerfile)) return undefined
  const stage = lastStage(dockerfile)
  const gives = stage.some(({ value: { instruction, value } }) =>
    (instruction === "USER" && !/^\s*(?:root|0)\b/u.test(value)) || (instruction === "FROM" && /nonroot/u.test(value))
  )
  return gives ? undefined : evidenceOf(stage)
}

export const isPagesOnly = (project: Project): boolean => runnableOf(project) === undefined && pagesOf(project) !== undefined
