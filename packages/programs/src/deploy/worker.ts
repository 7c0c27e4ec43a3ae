/** worker.ts: the Worker of Cloudflare that passes requests to the container. */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact } from "../claims/model.ts"
import { NO_PACKAGE } from "../delivery/dockerfile.ts"
import type { Variable } from "../delivery/model.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { obstaclesOf, type Runnable, runnableOf } from "./targets.ts"

/** Names of the class and of its binding, of a name of letters, digits and dashes. */
export const namesOf = ({ name }: Runnable): { readonly className: string; readonly binding: string } => {
  const parts = name.split("-").map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
  return {
    className: `${/^\d/u.test(name) ? "The" : ""}${parts.join("")}Container`,
    binding: `CONTAINER_${name.replaceAll("-", "_").toUpperCase()}`
  }
}

/** Variables that settings and secrets of the Worker hold for its container. */
const givenOf = ({ port, variables }: Runnable): ReadonlyArray<Variable> =>
  variables.filter(({ fallback, name, required }) => name !== port.value.variable && (required || fallback !== null))

/** What the container is given; the port's own variable has its number. */
const environment = (plan: Runnable): ReadonlyArray<CodeLine> => {
  const { port } = plan
  const own = port.value.variable
  const lines = [
    ...own === null ? [] : [citedLine("//", `    ${own}: ${JSON.stringify(String(port.value.number))},`, port.evidence)],
    ...givenOf(plan).map(({ evidence, name }) => citedLine("//", `    ${name}: this.env.${name},`, evidence))
  ]
  return lines.length === 0 ? [] : [{ text: "  override envVars = {" }, ...lines, { text: "  }" }]
}

const workerOf = (plan: Runnable): Artifact => {
  const { binding, className } = namesOf(plan)
  return codeFile([
    { text: `import { Container, getContainer } from "@cloudflare/containers"` },
    { text: "" },
    { text: "interface Env {" },
    { text: `  readonly ${binding}: DurableObjectNamespace<${className}>` },
    ...givenOf(plan).map(({ name }) => ({ text: `  readonly ${name}: string` })),
    { text: "}" },
    { text: "" },
    { text: `export class ${className} extends Container<Env> {` },
    citedLine("//", `  override defaultPort = ${plan.port.value.number}`, plan.port.evidence),
    ...environment(plan),
    { text: "}" },
    { text: "" },
    { text: "export default {" },
    { text: `  fetch: (request, env) => getContainer(env.${binding}).fetch(request)` },
    { text: "} satisfies ExportedHandler<Env>" }
  ])
}

export const worker = (project: Project): Artifact => {
  const plan = runnableOf(project)
  if (plan !== undefined) return workerOf(plan)
  const found = planOf(project)
  return codeFile([
    ...found === undefined ? comments("//", [absence(NO_PACKAGE, project.searched())]) : [],
    ...found === undefined ? [] : obstaclesOf(found).map(({ evidence, text }) => citedLine("//", `// No container: ${text}.`, evidence)),
    { text: "export {}" }
  ])
}
