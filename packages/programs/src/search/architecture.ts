/** Blocks of what the import graph shows: packages, entries, levels, circles, hubs and files that stand alone. */
import { type Block, claim } from "../claims/model.ts"
import { claimOf, rowOf, table } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { type Edge, fileGraph, folderGraph, folderOf } from "../map/graph.ts"
import { entriesOf, packagesOf } from "../map/packages.ts"
import { purposeOf } from "../map/purpose.ts"
import { exportsOf, isTestFile, pathOf, roleOf } from "../map/uses.ts"
import { code, count, listed, namesOf } from "../map/words.ts"

const byFirstImport = (edges: ReadonlyArray<Edge>) => edges.map(({ imports }) => imports[0])

export const packages = (project: Project, most: number): ReadonlyArray<Block> =>
  table(
    ["package", "version", "for", "files"],
    packagesOf(project).toSorted((one, other) => other.paths.length - one.paths.length).slice(0, most).flatMap(({ manifest, paths }) =>
      rowOf([code(manifest.subject), manifest.value.version ?? "", manifest.value.description ?? "", String(paths.length)], [manifest])
    )
  )

export const entries = (project: Project, most: number): ReadonlyArray<Block> =>
  entriesOf(project).slice(0, most).map(({ fact, name, package: entered, path, target }) => {
    const exported = path === undefined ? [] : exportsOf(project, path)
    const what = exported.length === 0 ? "" : ` exporting ${listed(namesOf(exported))}`
    return claim(`${code(entered)} ${name}: ${code(path ?? target)}${what}`, fact, ...exported.slice(0, 1))
  })

/** Folders from those that import most steps deep to those that import nothing. */
export const levels = (project: Project, most: number): ReadonlyArray<Block> => {
  const graph = folderGraph(project)
  const folders = graph.nodes.map((folder) => ({ folder, level: graph.level(folder), to: graph.from(folder), from: graph.to(folder) }))
    .toSorted((one, other) => other.to.length + other.from.length - one.to.length - one.from.length || byText(one.folder, other.folder))
    .slice(0, most)
    .toSorted((one, other) => other.level - one.level || byText(one.folder, other.folder))
  return table(
    ["level", "folder", "imports", "imported by", "such as"],
    folders.flatMap(({ folder, from, level, to }) => {
      const [such, ...others] = byFirstImport([...to, ...from])
      const ends = [listed(to.map((edge) => edge.to), 4), listed(from.map((edge) => edge.from), 3)]
      return such === undefined ? [] : rowOf([String(level), code(folder), ...ends, code(such.subject)], [such, ...others])
    })
  )
}

/** The way round, and the import that closes it: the one that the fewest places need. */
export const cycles = (circles: ReadonlyArray<ReadonlyArray<Edge>>, most: number): ReadonlyArray<Block> =>
  circles.slice(0, most).flatMap((circle) => {
    const [weakest, ...others] = circle.toSorted((one, other) => one.imports.length - other.imports.length)
    if (weakest === undefined) return []
    const way = [...circle.map(({ from }) => from), circle[0]?.from ?? ""].map(code).join(" → ")
    const cut = `${code(weakest.from)} → ${code(weakest.to)}, ${count(weakest.imports.length, "import")}`
    return claimOf(`${way}; cut at ${cut}`, byFirstImport([weakest, ...others]))
  })

export const hubs = (project: Project, most: number): ReadonlyArray<Block> => {
  const graph = fileGraph(project)
  const files = graph.nodes.map((file) => ({ file, from: graph.to(file) })).filter(({ from }) => from.length > 1)
    .toSorted((one, other) => other.from.length - one.from.length || byText(one.file, other.file)).slice(0, most)
  return table(
    ["file", "importers", "tests", "for"],
    files.flatMap(({ file, from }) => {
      const tests = from.filter((edge) => isTestFile(project, edge.from)).length
      const purpose = purposeOf(project, file)
      const facts = [...purpose === undefined ? [] : [purpose.fact], ...exportsOf(project, file).slice(0, 1), ...byFirstImport(from)]
      const what = purpose?.text ?? listed(namesOf(exportsOf(project, file)))
      return rowOf([code(file), String(from.length - tests), String(tests), what], facts)
    })
  )
}

/** Source files that import no file here, that no file here imports, and by which no package is entered. */
export const loners = (project: Project, most: number): ReadonlyArray<Block> => {
  const linked = new Set([...fileGraph(project).nodes, ...entriesOf(project).flatMap(({ path }) => path ?? [])])
  return project.paths.filter((path) => roleOf(project, path) === "source" && !linked.has(path)).flatMap((path) => {
    const exported = exportsOf(project, path)
    return claimOf(`${code(path)} exports ${listed(namesOf(exported))}`, exported)
  }).slice(0, most)
}

/** How many tests stand in each folder, and with what they are written. */
export const tests = (project: Project, most: number): ReadonlyArray<Block> =>
  table(
    ["tests in", "files", "tests", "written with", "such as"],
    Array.from(Map.groupBy(project.facts("test"), (test) => folderOf(pathOf(test))))
      .toSorted(([, one], [, other]) => other.length - one.length).slice(0, most).flatMap(([folder, found]) => {
        const frameworks = [...new Set(found.map(({ value }) => value.framework))].toSorted(byText).join(", ")
        const numbers = [new Set(found.map(pathOf)).size, found.length].map(String)
        return rowOf([code(folder), ...numbers, frameworks, clip(found[0]?.subject ?? "", 60)], found)
      })
  )
