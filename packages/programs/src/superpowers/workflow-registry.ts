/** workflow-registry.json: everything that can be started here, with what starts it, where, and what it needs. */
import { cited, json, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { projectCommands } from "../skills/commands.ts"
import { callOf, folderOf, segmentsOf } from "../skills/scripts.ts"

const MOST = 200

const scripts = (project: Project): ReadonlyArray<Value> => {
  const commands = projectCommands(project)
  return project.facts("script").slice(0, MOST).flatMap((script) => {
    const start = callOf(project, script)
    const known = commands.find(({ evidence: [first], purpose }) => first === script && purpose !== "one test")
    return start === undefined ? [] : [cited({
      name: script.subject,
      start,
      folder: folderOf(script),
      runs: segmentsOf(project, script).slice(0, 10).map(({ text }) => text),
      purpose: known?.purpose,
      needs: known?.needs ?? undefined
    }, script)]
  })
}

const jobs = (project: Project): ReadonlyArray<Value> => {
  const triggers = Map.groupBy(project.facts("ci-trigger"), ({ evidence: [{ path }] }) => path)
  const byJob = Map.groupBy(project.facts("ci-step"), ({ evidence: [{ path }], value: { job } }) => `${path} ${job}`)
  return Array.from(byJob.values()).slice(0, MOST).flatMap((steps) => {
    const [first, ...rest] = steps
    if (first === undefined) return []
    const starts = (triggers.get(first.evidence[0].path) ?? []).map(({ value: { on } }) => on)
    const runs = steps.map(({ value: { run, uses } }) => run ?? uses ?? "").slice(0, 20)
    return [cited({ name: first.value.job, workflow: first.subject, on: [...new Set(starts)], runs }, first, ...rest)]
  })
}

const single = (project: Project): ReadonlyArray<Value> =>
  projectCommands(project).filter(({ evidence: [first], purpose }) => purpose === "one test" || first.kind !== "script").map(
    ({ command, evidence, folder, needs, purpose }) =>
      cited({ name: purpose, start: command, folder, needs: needs ?? undefined }, ...evidence)
  )

export const workflowRegistry = (project: Project): Artifact => {
  const [fromScripts, fromCi, others] = [scripts(project), jobs(project), single(project)]
  const empty = fromScripts.length + fromCi.length + others.length === 0
  return json({
    project: project.description.project_name,
    ...empty ? { evidence: "none", searched: { files: project.searched(), for: "scripts, manifests and workflows" } } : {},
    scripts: fromScripts,
    jobs: fromCi,
    commands: others
  })
}
