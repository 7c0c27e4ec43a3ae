/** render.yaml: a web service of the container, or pages. Render reads the file where its Blueprint is told to look. */
import { cited, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { yaml } from "../claims/yaml.ts"
import { contextOf, NO_PACKAGE } from "../delivery/dockerfile.ts"
import type { Variable } from "../delivery/model.ts"
import { plainName } from "../delivery/packages.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { pagesOf } from "./pages.ts"
import { healthOf, obstaclesOf, type Runnable, runnableOf } from "./targets.ts"

/** What an earlier file of the repository says of the service. */
const kept = (project: Project): { readonly [name: string]: Value } =>
  Object.fromEntries(
    ["plan", "region"].flatMap((name) => {
      const setting = project.facts("setting").find(({ subject, value }) => subject === "render" && value.name === `services[0].${name}`)
      return setting === undefined ? [] : [[name, cited(setting.value.value, setting)] as const]
    })
  )

/** Without a value, Render asks whoever makes the service for one. */
const variableOf = ({ evidence, fallback, name }: Variable): Value =>
  cited(fallback === null ? { key: name, sync: false } : { key: name, value: fallback }, ...evidence)

const webService = (project: Project, plan: Runnable): Value => {
  const { name, port, start, variables } = plan
  const health = healthOf(project)
  const names = new Set(["PORT", port.value.variable])
  const own = port.value.variable
  return {
    type: "web",
    name: cited(name, ...start.evidence),
    runtime: "docker",
    dockerfilePath: "./deploy/Dockerfile",
    dockerContext: contextOf(plan),
    ...kept(project),
    healthCheckPath: health === undefined ? undefined : cited(health.value.path, health),
    envVars: [
      cited({ key: "PORT", value: String(port.value.number) }, ...port.evidence),
      ...own === null || own === "PORT" ? [] : [cited({ key: own, value: String(port.value.number) }, ...port.evidence)],
      ...variables.filter((one) => !names.has(one.name)).map(variableOf)
    ]
  }
}

export const render = (project: Project): Artifact => {
  const plan = runnableOf(project)
  if (plan !== undefined) return yaml({ services: [webService(project, plan)] })
  const pages = pagesOf(project)
  if (pages !== undefined) {
    return yaml({
      services: [{
        type: "web",
        name: plainName(project.description.project_name),
        runtime: "static",
        buildCommand: pages.build === undefined ? undefined : cited(pages.build.value, ...pages.build.evidence),
        staticPublishPath: cited(`./${pages.folder.value}`, ...pages.folder.evidence)
      }]
    })
  }
  const found = planOf(project)
  const why = found === undefined ? [NO_PACKAGE] : obstaclesOf(found).map(({ text }) => `Nothing to serve: ${text}.`)
  return yaml({ services: [] }, [...why, `Searched: ${project.searched()} files.`])
}
