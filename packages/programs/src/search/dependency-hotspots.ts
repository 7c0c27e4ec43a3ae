/** dependency-hotspots.md: where a change of imports or of dependencies costs most, and where they are wrong. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { dependenciesOf, type Dependency, namedByScript, namesAgree } from "../map/dependencies.ts"
import { fileGraph, folderGraph } from "../map/graph.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { code, count, listed } from "../map/words.ts"
import { cycles, hubs } from "./architecture.ts"

const MOST = 15

const fanOut = (project: Project): ReadonlyArray<Block> => {
  const graph = fileGraph(project)
  const files = graph.nodes.filter((file) => !isTestFile(project, file)).map((file) => ({ file, to: graph.from(file) }))
    .filter(({ to }) => to.length > 3)
    .toSorted((one, other) => other.to.length - one.to.length || byText(one.file, other.file)).slice(0, MOST)
  return table(
    ["file", "imports", "such as"],
    files.flatMap(({ file, to }) =>
      rowOf([code(file), String(to.length), listed(to.map((edge) => edge.to), 3)], to.map(({ imports }) => imports[0]))
    )
  )
}

const filesOf = ({ imports }: Dependency): ReadonlyArray<string> => [...new Set(imports.map(pathOf))]

const usedOnce = (dependencies: ReadonlyArray<Dependency>): ReadonlyArray<Block> =>
  dependencies.filter(({ declared }) => declared.some(({ value }) => value.scope === "runtime")).flatMap((one) => {
    const [file, ...others] = filesOf(one)
    return file === undefined || others.length > 0
      ? []
      : claimOf(`${code(one.name)}: only in ${code(file)}`, [...one.imports, ...one.declared])
  })

const widest = (dependencies: ReadonlyArray<Dependency>): ReadonlyArray<Block> =>
  table(
    ["dependency", "range", "files"],
    dependencies.map((one) => ({ ...one, files: filesOf(one).length })).filter(({ files }) => files > 2)
      .toSorted((one, other) => other.files - one.files || byText(one.name, other.name)).slice(0, MOST)
      .flatMap(({ declared: [declared], files, imports, name }) =>
        rowOf([code(name), declared?.value.range ?? "undeclared", String(files)], declared === undefined ? imports : [declared, ...imports])
      )
  )

/** Scripts may need what no file imports, and types are imported by the compiler. */
const neverImported = (project: Project, dependencies: ReadonlyArray<Dependency>): ReadonlyArray<Block> =>
  dependencies.filter(({ ecosystem, imports, name }) =>
    imports.length === 0 && namesAgree(ecosystem) && !name.startsWith("@types/") && namedByScript(project, name) === undefined
  ).flatMap(({ declared, name }) => {
    const { range, scope } = declared[0]?.value ?? { range: "", scope: "" }
    return claimOf(`${code(name)} ${code(range)} (${scope})`, declared)
  })

const undeclared = (dependencies: ReadonlyArray<Dependency>): ReadonlyArray<Block> =>
  dependencies.filter(({ declared, ecosystem }) => declared.length === 0 && namesAgree(ecosystem))
    .flatMap((one) => claimOf(`${code(one.name)}: ${count(filesOf(one).length, "file")}`, one.imports))

/** Names that a lock file fixes in more than one version. */
const severalVersions = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(project.facts("locked"), ({ subject, value }) => `${value.ecosystem} ${subject}`).values())
    .map((locked) => new Map(locked.map((one) => [one.value.version, one])))
    .filter((versions) => versions.size > 1)
    .toSorted((one, other) => other.size - one.size)
    .slice(0, MOST)
    .flatMap((versions) => {
      const locked = [...versions.values()]
      return claimOf(`${code(locked[0]?.subject ?? "")}: ${[...versions.keys()].toSorted(byText).map(code).join(", ")}`, locked)
    })

export const dependencyHotspots = (project: Project): Artifact => {
  const dependencies = dependenciesOf(project)
  const sources = project.searched({ roles: ["source", "test"] })
  const configurations = project.searched({ roles: ["configuration"] })
  return page(`Hotspots of ${project.description.project_name}`, [
    { title: "Imported most", blocks: hubs(project, MOST), none: absence("No file imported twice.", sources) },
    { title: "Importing most", blocks: fanOut(project), none: absence("No file with four imports.", sources) },
    { title: "Circles of files", blocks: cycles(fileGraph(project).cycles, MOST), none: absence("No circle of files.", sources) },
    { title: "Circles of folders", blocks: cycles(folderGraph(project).cycles, MOST), none: absence("No circle of folders.", sources) },
    { title: "Dependencies in most files", blocks: widest(dependencies), none: absence("No widespread dependency.", sources) },
    { title: "Dependencies in one file", blocks: usedOnce(dependencies), none: absence("No single-file dependency.", sources) },
    {
      title: "Declared, imported nowhere",
      blocks: neverImported(project, dependencies),
      none: absence("No unused dependency.", configurations)
    },
    { title: "Imported, declared nowhere", blocks: undeclared(dependencies), none: absence("No undeclared import.", sources) },
    { title: "Several versions locked", blocks: severalVersions(project), none: absence("No double version.", configurations) }
  ])
}
