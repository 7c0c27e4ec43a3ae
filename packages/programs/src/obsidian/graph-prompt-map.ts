/** graph-prompt-map.json: for each note, what to ask of it and which notes hold the answer. */
import { citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import type { Edge } from "../map/graph.ts"
import { factsOfModule, type Module, modulesOf } from "../map/modules.ts"
import { placeOfFact } from "../map/uses.ts"
import { namesOf } from "../map/words.ts"
import { noteOf, takenOf } from "./notes.ts"

const MOST = 8

/** The importer that takes most, and what it takes. */
const heaviest = (edges: ReadonlyArray<Edge>): Edge | undefined =>
  edges.toSorted((one, other) => other.imports.length - one.imports.length)[0]

/** What is asked, and by which import. */
const prompts = (project: Project, note: Module): ReadonlyArray<string> => {
  const [user, used] = [heaviest(note.from), heaviest(note.to)]
  const names = (edge: Edge) => takenOf(edge).slice(0, 4).join(", ")
  return [
    ...user === undefined ? [] : [`What breaks in ${noteOf(project, user.from)} when ${names(user) || note.name} changes?`],
    ...used === undefined ? [] : [`Why does ${note.name} need ${names(used) || noteOf(project, used.to)} of ${noteOf(project, used.to)}?`],
    ...note.tests.length === 0 && note.exports[0] !== undefined ? [`What would a first test of ${note.exports[0].subject} assert?`] : [],
    ...user === undefined && used === undefined ? [`Who needs ${namesOf(note.names).slice(0, 3).join(", ")}?`] : []
  ]
}

const noteLine = (project: Project, note: Module): ReadonlyArray<Value> => {
  const edges = [...note.from, ...note.to]
  const strongest = [heaviest(note.from), heaviest(note.to)].flatMap((edge) => edge?.imports[0] ?? [])
  return citedOf({
    note: note.name,
    ask: prompts(project, note),
    links: [...new Set(edges.map(({ from, to }) => noteOf(project, from === note.folder ? to : from)))].slice(0, MOST),
    at: [...strongest, ...note.names.slice(0, 2)].map(placeOfFact)
  }, [...strongest, ...factsOfModule(note)])
}

export const graphPromptMap = (project: Project): Artifact => {
  const notes = modulesOf(project).flatMap((note) => noteLine(project, note))
  return jsonLines(notes.length > 0 ? { notes } : { notes, searched: `code, in ${project.searched({ roles: ["source"] })} files` })
}
