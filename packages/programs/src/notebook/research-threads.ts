/** research-threads.md: what is open: marked by its authors, or seen by comparing what documents, tests and code say. */
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { linkedPath } from "../map/documents.ts"
import { fileGraph } from "../map/graph.ts"
import { entriesOf } from "../map/packages.ts"
import { exportsOf, isTestFile, pathOf, roleOf } from "../map/uses.ts"
import { code, count, listed, namesOf } from "../map/words.ts"
import { mostUsed } from "./most-used.ts"

const MOST = 20

const marked = (project: Project): ReadonlyArray<Block> =>
  table(
    ["mark"],
    project.facts("todo").slice(0, 2 * MOST).flatMap((todo) => rowOf([todo.value.text], [todo]))
  )

/** Exports without a comment; those that most places use first. */
const undocumented = (project: Project): ReadonlyArray<Block> =>
  mostUsed(project).filter(({ symbol, uses }) => symbol.value.doc === null && uses.length > 1).slice(0, MOST)
    .map(({ symbol, uses }) => claim(`${code(symbol.value.signature)}: ${count(uses.length, "use")}`, symbol, ...uses))

/** All that some test imports, directly or by way of others. */
const reached = (project: Project): ReadonlySet<string> => {
  const graph = fileGraph(project)
  const queue = project.paths.filter((path) => isTestFile(project, path))
  const seen = new Set(queue)
  for (const path of queue) {
    for (const { to } of graph.from(path)) if (!seen.has(to) && seen.add(to)) queue.push(to)
  }
  return seen
}

/** Nothing is said where no test is known: then the reader knows of no tests, and not of untested code. */
const untested = (project: Project): ReadonlyArray<Block> => {
  const tested = reached(project)
  const exported = project.paths.filter((path) => roleOf(project, path) === "source" && !tested.has(path) && !path.endsWith(".d.ts"))
    .map((path) => ({ path, symbols: exportsOf(project, path).filter(({ value }) => value.kind === "function" || value.kind === "class") }))
  if (tested.size === 0) return []
  return exported.filter(({ symbols }) => symbols.length > 0).toSorted((one, other) => other.symbols.length - one.symbols.length)
    .slice(0, MOST).flatMap(({ path, symbols }) => claimOf(`${code(path)}: ${listed(namesOf(symbols))}`, symbols))
}

const entriesNotRead = (project: Project): ReadonlyArray<Block> =>
  entriesOf(project).filter(({ path }) => path === undefined).slice(0, MOST)
    .map(({ fact, name, package: entered, target }) => claim(`${code(entered)} ${name}: ${code(target)}`, fact))

/** What may stand behind a link and is not read: pictures and archives. */
const UNREAD = /\.(?:png|jpe?g|gif|svg|webp|ico|pdf|mp4|zip|gz|woff2?)$/iu

const leadNowhere = (project: Project): ReadonlyArray<Block> => {
  const known = new Set(project.paths)
  const folders = new Set(project.paths.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(0, at).join("/"))))
  return project.facts("link").flatMap((link) => {
    const path = linkedPath(link)
    const leads = path === undefined || link.value.image || UNREAD.test(path) || path.startsWith("..") || known.has(path) ||
      folders.has(path)
    return leads ? [] : [claim(`${code(pathOf(link))} leads to ${code(link.value.target)}`, link)]
  }).slice(0, MOST)
}

export const researchThreads = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source", "test"] })
  const documents = project.searched({ roles: ["documentation"] })
  return page(`Open in ${project.description.project_name}`, [
    { title: "Marked by the authors", blocks: marked(project), none: absence("No TODO or FIXME.", sources) },
    { title: "Used, without a comment", blocks: undocumented(project), none: absence("No uncommented shared export.", sources) },
    { title: "Reached by no test's imports", blocks: untested(project), none: absence("No unreached export.", sources) },
    { title: "Links that lead to no file", blocks: leadNowhere(project), none: absence("No broken link.", documents) },
    { title: "Entries that no file here is", blocks: entriesNotRead(project), none: absence("No missing entry.", project.searched()) }
  ])
}
