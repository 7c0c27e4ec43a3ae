/** policy-pack.md: what this repository demands, and what holds each demand. */
import { code, list } from "../claims/inline.ts"
import { type Artifact, type Block, evidenceOf, type Table } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { requirementOf, testFiles } from "../map/uses.ts"
import { isAside } from "./aside.ts"
import { pageOf } from "./page.ts"
import { generatedFiles, linterGaps, notInCi, unguardedReads } from "./silent.ts"

const MOST = 30

const versions = (project: Project): ReadonlyArray<Block> =>
  project.facts("manifest").filter(({ value: { requires } }) => requires.length > 0).slice(0, MOST).flatMap((manifest) =>
    claimOf(
      `${code(manifest.subject)} demands ${list(manifest.value.requires.map((one) => code(one)))}.`,
      manifest.value.requires.map((one) => requirementOf(project, manifest, one))
    )
  )

/** Settings of tools, a row each tool and file; versions are said before. */
const settings = (project: Project): ReadonlyArray<Table> => {
  const others = project.facts("setting").filter(({ value: { name } }) => !name.startsWith("engines."))
  const groups = Map.groupBy(others, ({ evidence: [{ path }], subject }) => `${subject} ${path}`)
  const rows = Array.from(groups).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST).flatMap(([, facts]) => {
    const evidence = evidenceOf(facts)
    const values = facts.slice(0, 8).map(({ value: { name, value } }) => `${code(name, 60)} ${code(value, 60)}`).join(", ")
    return evidence === undefined ? [] : [{ cells: [evidence[0].subject, values], evidence }]
  })
  return rows.length === 0 ? [] : [{ block: "table", columns: ["tool", "demands"], rows }]
}

const licenses = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("license"), ({ subject }) => subject)).slice(0, 8).flatMap(([subject, facts]) =>
    claimOf(`Licence ${code(subject)}, by ${list([...new Set(facts.map(({ value: { source } }) => source))])}.`, facts)
  )

/** Manifests whose ranges let versions move, and those that pin each. */
const ranges = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("dependency"), ({ evidence: [{ path }] }) => path)).slice(0, MOST).flatMap(([path, all]) => {
    const moving = all.filter(({ value: { range, scope } }) =>
      scope !== "peer" && /[\^~*><|]|^$|latest/u.test(range) && !range.startsWith("workspace:")
    )
    const names = moving.slice(0, 3).map(({ subject, value: { range } }) => `${code(subject, 60)} ${code(range, 30)}`)
    return moving.length === 0
      ? claimOf(`${code(path)} pins all ${all.length}, such as ${code(all[0]?.subject ?? "", 60)}.`, all)
      : claimOf(`${code(path)} lets ${moving.length} of ${all.length} dependencies move: ${list(names)}.`, moving)
  })

const variables = (project: Project): ReadonlyArray<Block> => {
  const free = new Set(unguardedReads(project))
  const tests = testFiles(project)
  const held = project.facts("environment").filter((read) => {
    const { path } = read.evidence[0]
    return !free.has(read) && !isAside(path) && !tests.has(path) && /^\w{1,60}$/u.test(read.subject)
  })
  return Array.from(Map.groupBy(held, ({ subject }) => subject)).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST)
    .flatMap(([name, reads]) => {
      const fallback = reads.find(({ value }) => value.fallback !== null)?.value.fallback
      return claimOf(`${code(name)} ${fallback == null ? "must be set" : `falls back to ${code(fallback, 60)}`}.`, reads)
    })
}

export const policyPack = (project: Project): Artifact => {
  return pageOf(`${project.description.project_name}: what is demanded, and by what`, project.searched(), [
    { title: "Versions", blocks: versions(project), noun: "demanded version" },
    { title: "Tools", blocks: settings(project), noun: "tool setting" },
    { title: "Not held", blocks: [...linterGaps(project, MOST), ...notInCi(project)] },
    { title: "Dependencies", blocks: ranges(project), noun: "dependency" },
    { title: "Environment", blocks: variables(project) },
    { title: "Generated", blocks: generatedFiles(project, MOST) },
    { title: "Licences", blocks: licenses(project), noun: "licence" }
  ])
}
