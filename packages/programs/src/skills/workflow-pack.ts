/** workflow-pack.md: the order in which things run here: workflows of continuous integration, and scripts that run scripts. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, claim, evidenceOf, type Table } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { pageOf } from "./page.ts"
import { callOf, segmentsOf } from "./scripts.ts"

const MOST = 25

const triggers = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("ci-trigger"), ({ evidence: [{ path }] }) => path)).slice(0, MOST).flatMap(([path, facts]) =>
    claimOf(`${code(path)} starts on ${list([...new Set(facts.map(({ value: { on } }) => code(on)))])}.`, facts)
  )

/** The script that a step's command calls. */
const scriptOf = (project: Project, run: string): Fact<"script"> | undefined =>
  project.facts("script").find((script) => {
    const call = callOf(project, script)
    return call !== undefined && (run.trim() === call || run.trim() === call.replace(" run test", " test"))
  })

const steps = (project: Project): ReadonlyArray<Table> => {
  const rows = project.facts("ci-step").filter(({ value: { run } }) => run !== null).slice(0, MOST * 2).map((step) => {
    const { job, name, run } = step.value
    const script = scriptOf(project, run ?? "")
    return {
      cells: [
        code(job),
        name === null ? "" : code(name, 60),
        code(run ?? "", 120),
        script === undefined ? "" : code(script.value.command, 120)
      ],
      evidence: script === undefined ? [step] as const : [step, script] as const
    }
  })
  return rows.length === 0 ? [] : [{ block: "table", columns: ["job", "step", "runs", "that is"], rows }]
}

/** Scripts that run other scripts, and what comes of it in the end. */
const chains = (project: Project): ReadonlyArray<Block> =>
  project.facts("script").flatMap((script) => {
    const segments = segmentsOf(project, script)
    const others = segments.filter((segment) => segment.script !== script)
    const call = callOf(project, script)
    const evidence = evidenceOf([script, ...new Set(others.map((segment) => segment.script))])
    if (others.length === 0 || call === undefined || evidence === undefined) return []
    return [claim(`${code(call)} comes to ${segments.map(({ text }) => code(text, 80)).slice(0, 6).join(", then ")}.`, ...evidence)]
  }).slice(0, MOST)

const RELEASE = /^(?:release|publish|version|changeset|deploy|prepublishOnly|prepack|postpublish|ship)/u

const releases = (project: Project): ReadonlyArray<Block> =>
  project.facts("script").filter(({ subject }) => RELEASE.test(subject)).slice(0, MOST).flatMap((script) =>
    claimOf(`${code(script.subject)}: ${code(script.value.command, 160)}`, [script])
  )

export const workflowPack = (project: Project): Artifact => {
  return pageOf(`${project.description.project_name}: what runs when`, project.searched(), [
    { title: "Triggers", blocks: triggers(project), noun: "workflow trigger" },
    { title: "Steps", blocks: steps(project), noun: "workflow step" },
    { title: "Chains", blocks: chains(project), noun: "script chain" },
    { title: "Release", blocks: releases(project), noun: "release script" }
  ])
}
