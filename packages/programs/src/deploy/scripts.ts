/** deploy.sh and deploy-cloudflare.sh: each stops at the first command that fails. */
import { citedLine, codeFile, type CodeLine, comments, shellPath, shellWord } from "../claims/comments.ts"
import { absence, type Artifact } from "../claims/model.ts"
import { contextOf, NO_PACKAGE } from "../delivery/dockerfile.ts"
import type { Variable } from "../delivery/model.ts"
import { plainName } from "../delivery/packages.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { pagesOf } from "./pages.ts"
import { healthOf, obstaclesOf, type Runnable, runnableOf } from "./targets.ts"

const START: ReadonlyArray<CodeLine> = [{ text: "#!/bin/sh" }, { text: "set -eu" }]

/** The script of a project that cannot be deployed says why, and fails. */
const refusing = (project: Project): Artifact => {
  const plan = planOf(project)
  if (plan === undefined) {
    return codeFile([...START, ...comments("#", [absence(NO_PACKAGE, project.searched())]), { text: "exit 1" }])
  }
  const why = obstaclesOf(plan).map(({ evidence, text }) => citedLine("#", `echo ${shellWord(text)} >&2`, evidence))
  return codeFile([...START, ...why, { text: "exit 1" }])
}

const required = (variables: ReadonlyArray<Variable>): ReadonlyArray<CodeLine> =>
  variables.filter((one) => one.required).map(({ evidence, name }) => citedLine("#", `: "\${${name}:?}"`, evidence))

const answering = (plan: Runnable, path: string): ReadonlyArray<CodeLine> => {
  const { name, port, variables } = plan
  const { number } = port.value
  const passed = variables.filter((one) => one.required).map((one) => ` --env ${one.name}`).join("")
  return [
    citedLine("#", `${shellVariable(name)}=$(docker run --detach --publish ${number}:${number}${passed} "$IMAGE")`, port.evidence),
    { text: `trap 'docker rm --force "$${shellVariable(name)}" >/dev/null' EXIT` },
    { text: "tries=30" },
    { text: `until curl --silent --output /dev/null ${shellWord(`http://localhost:${number}${path}`)}; do` },
    { text: "  tries=$((tries - 1))" },
    { text: `  [ "$tries" -gt 0 ] || { docker logs "$${shellVariable(name)}" >&2; exit 1; }` },
    { text: "  sleep 1" },
    { text: "done" }
  ]
}

/** A name of a shell's variable that says which container it is. */
const shellVariable = (name: string): string => `container_${name.replaceAll("-", "_")}`

/** Builds the image, tries whether it answers, and pushes it. */
export const deployScript = (project: Project): Artifact => {
  const plan = runnableOf(project)
  if (plan === undefined) return refusing(project)
  const health = healthOf(project)
  return codeFile([
    ...START,
    { text: `cd "$(dirname "$0")/.."` },
    { text: `: "\${IMAGE:?name of the image of ${plan.name}, with its registry}"` },
    ...required(plan.variables),
    citedLine("#", `docker build --file deploy/Dockerfile --tag "$IMAGE" ${shellPath(contextOf(plan))}`, plan.start.evidence),
    ...answering(plan, health === undefined ? "/" : health.value.path),
    { text: `docker push "$IMAGE"` }
  ])
}

const CONFIG = "--config wrangler.containers.toml"

const containers = (plan: Runnable): ReadonlyArray<CodeLine> => [
  { text: `: "\${COMPATIBILITY_DATE:?day of the Workers runtime that ${plan.name} keeps to, as YYYY-MM-DD}"` },
  ...required(plan.variables),
  citedLine("#", `npx wrangler deploy ${CONFIG} --compatibility-date "$COMPATIBILITY_DATE"`, plan.port.evidence),
  ...plan.variables.filter((one) => one.required).map(({ evidence, name }) =>
    citedLine("#", `printf %s "$${name}" | npx wrangler secret put ${name} ${CONFIG}`, evidence)
  )
]

/** A container where the project runs as one; else its pages. */
export const cloudflareScript = (project: Project): Artifact => {
  const [plan, pages] = [runnableOf(project), pagesOf(project)]
  if (plan !== undefined) return codeFile([...START, { text: `cd "$(dirname "$0")"` }, ...containers(plan)])
  if (pages === undefined) return refusing(project)
  const name = plainName(project.description.project_name)
  return codeFile([
    ...START,
    { text: `cd "$(dirname "$0")/.."` },
    ...pages.build === undefined ? [] : [citedLine("#", pages.build.value, pages.build.evidence)],
    citedLine("#", `npx wrangler pages deploy ${shellWord(pages.folder.value)} --project-name ${name}`, pages.folder.evidence)
  ])
}
