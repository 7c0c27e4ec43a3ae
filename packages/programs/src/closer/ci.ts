/** .github/workflows/ci.yml: each package is installed and checked by its own commands, on every push and for every pull request. */
import { codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, claim } from "../claims/model.ts"
import type { BuildPlan } from "../delivery/model.ts"
import { plansOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { fullChecks, runsComment } from "../skills/checks.ts"
import type { ProjectCommand } from "../skills/model.ts"
import { foldersUp } from "../skills/needs.ts"
import { installSteps, jobId, nameLine, runStep, setupSteps, usesStep } from "./workflow.ts"

const head = (project: Project): ReadonlyArray<CodeLine> => [
  nameLine(project, "checks"),
  { text: "on:" },
  { text: "  push:" },
  { text: "    branches: [\"**\"]" },
  { text: "  pull_request:" },
  { text: "  workflow_call:" },
  { text: "permissions:" },
  { text: "  contents: read" },
  { text: "jobs:" }
]

/** The plan of the folder, or of the nearest above. */
const planAbove = (project: Project, folder: string): BuildPlan | undefined => {
  const plans = plansOf(project)
  return foldersUp(folder).flatMap((above) => plans.filter((plan) => plan.folder === above))[0]
}

/** Ids of jobs by folder: `a b` and `a-b` would come to the same, of which a workflow has one only. */
const idsOf = (folders: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  for (const folder of folders) {
    const plain = jobId(folder === "." ? "checks" : folder)
    const isTaken = taken.has(plain.toLowerCase())
    const id = isTaken ? `${plain}-${ids.size + 1}` : plain
    taken.add(id.toLowerCase())
    ids.set(folder, id)
  }
  return ids
}

const job = (project: Project, id: string, folder: string, commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<CodeLine> => {
  const plan = planAbove(project, folder)
  return [
    { text: `  ${id}:` },
    { text: "    runs-on: ubuntu-latest" },
    { text: "    steps:" },
    usesStep(project, "actions/checkout"),
    ...plan === undefined ? [] : [...setupSteps(project, plan), ...installSteps(project, plan)],
    ...commands.flatMap(({ command, evidence }) => [
      ...runsComment(project, evidence[0]).map(({ text }) => ({ text: `      ${text}`, evidence })),
      ...runStep(command, folder, evidence)
    ])
  ]
}

/** Workflows that the repository has already. */
const own = (project: Project) => {
  const triggers = project.facts("ci-trigger").filter(({ evidence: [{ path }] }) => path.startsWith(".github/workflows/"))
  return [...new Map(triggers.map((trigger) => [trigger.evidence[0].path, trigger])).values()]
}

export const ciWorkflow = (project: Project): Artifact => {
  const folders = Array.from(Map.groupBy(fullChecks(project), ({ folder }) => folder))
  if (folders.length === 0) {
    return codeFile([
      ...comments("#", [absence("No script of a test, a type check, a build or a linter.", project.searched())]),
      ...head(project),
      { text: "  checks:" },
      { text: "    runs-on: ubuntu-latest" },
      { text: "    steps: [{ run: echo no check }]" }
    ])
  }
  const ids = idsOf(folders.map(([folder]) => folder))
  const jobs = folders.flatMap(([folder, commands]) => job(project, ids.get(folder) ?? "", folder, commands))
  return codeFile([
    ...comments("#", own(project).map((trigger) => claim(`${trigger.subject} is a workflow of the repository already.`, trigger))),
    ...head(project),
    ...jobs
  ])
}
