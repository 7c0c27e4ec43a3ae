/** design.md: how the code is built: modules and what they lean on, data and who writes it, where it fails, what it reads from outside. */
import { code, list } from "../claims/inline.ts"
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { inUse } from "../debug/sites.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { folderOf } from "../map/graph.ts"
import { byLinks, factsOfModule, modulesOf } from "../map/modules.ts"
import { pathOf, variablesOf } from "../map/uses.ts"
import { listed, namesOf } from "../map/words.ts"
import { connectorsOf } from "../mcp/connectors.ts"
import { modelsOf } from "./shown-resource.ts"

const MOST_MODULES = 15
const MOST = 12

const modules = (project: Project): ReadonlyArray<Block> =>
  table(
    ["module", "for", "offers", "leans on"],
    byLinks(modulesOf(project)).slice(0, MOST_MODULES).flatMap((module) =>
      rowOf([
        code(module.name),
        clip(module.purpose?.text ?? "", 100).replaceAll("`", "'"),
        listed(namesOf(module.names), 3),
        listed(module.to.map(({ to }) => to), 3)
      ], factsOfModule(module))
    )
  )

const models = (project: Project): ReadonlyArray<Block> =>
  table(
    ["model", "as", "fields"],
    modelsOf(project).slice(0, MOST).flatMap((schema) => {
      const fields = schema.value.fields.map(({ name }) => clip(name, 60))
      return rowOf([code(schema.subject), schema.value.style, listed(fields, 6)], [schema])
    })
  )

/** Rows of triggers, and words of SQL that stand where a table may. */
const NO_TABLE = /^(?:NEW|OLD)\.|^[A-Z]+$/u

const tables = (project: Project): ReadonlyArray<Block> => {
  const statements = inUse(project, project.facts("sql")).flatMap((sql) =>
    sql.value.tables.filter((table) => !NO_TABLE.test(table)).map((table) => ({ table, sql }))
  )
  return Array.from(Map.groupBy(statements, ({ table }) => table)).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST)
    .flatMap(([table, all]) => {
      const pathsOf = (writes: boolean) =>
        [...new Set(all.filter(({ sql }) => sql.value.writes.includes(table) === writes).map(({ sql }) => code(pathOf(sql))))].slice(0, 3)
      const [writers, readers] = [pathsOf(true), pathsOf(false)]
      const parts = [writers.length === 0 ? "" : `written in ${list(writers)}`, readers.length === 0 ? "" : `read in ${list(readers)}`]
      return claimOf(`${code(table, 60)}: ${parts.filter((part) => part !== "").join(", ")}`, all.map(({ sql }) => sql))
    })
}

const failures = (project: Project): ReadonlyArray<Block> => {
  const thrown = inUse(project, project.facts("error")).filter(({ value: { style } }) => style !== "catch")
  return Array.from(Map.groupBy(thrown, (error) => folderOf(pathOf(error))))
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, MOST)
    .flatMap(([folder, errors]) => {
      const names = [...Map.groupBy(errors, ({ subject }) => subject)].slice(0, 4)
        .map(([name, group]) => `${code(name, 60)} ×${group.length}`)
      return claimOf(`${code(folder)}: ${names.join(", ")}`, errors)
    })
}

const outside = (project: Project): ReadonlyArray<Block> => {
  const files = (imports: ReadonlyArray<Fact>) => [...new Set(imports.map(pathOf))]
  const systems = connectorsOf(project).flatMap(({ dependencies, evidence, imports, system }) =>
    claimOf(
      `${system} by ${list([...new Set([...dependencies, ...imports].map(({ subject }) => code(subject)))].slice(0, 3))} in ${
        listed(files(inUse(project, imports)), 3)
      }`,
      [...evidence]
    )
  )
  const variables = Array.from(Map.groupBy(variablesOf(project), ({ subject }) => subject)).slice(0, MOST).flatMap(([name, reads]) =>
    claimOf(`${code(name)} is read in ${listed(files(reads), 3)}`, reads)
  )
  return [...systems, ...variables]
}

export const design = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source", "test"] })
  return page(`${project.description.project_name}: how it is built`, [
    { title: "Modules", blocks: modules(project), none: absence("No module.", sources) },
    { title: "Models", blocks: models(project), none: absence("No schema or type with fields.", sources) },
    { title: "Tables", blocks: tables(project) },
    { title: "Refuses or fails", blocks: failures(project), none: absence("No error site.", sources) },
    { title: "From outside", blocks: outside(project), none: absence("No outside system, no variable.", sources) }
  ])
}
