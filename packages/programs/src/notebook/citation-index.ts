/** citation-index.json: what the repository says of itself, a sentence a line with the lines to cite it by. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { placeOfFact } from "../map/uses.ts"

/** A paragraph under each heading; the rest of a section is read there. */
const paragraphs = (project: Project): ReadonlyArray<Value> => {
  const seen = new Set<string>()
  return project.facts("paragraph").filter((one) => {
    const key = `${one.evidence[0].path}\n${one.value.under}`
    return !seen.has(key) && seen.add(key)
  }).map((one) => cited({ says: one.value.text, of: one.value.under ?? undefined, cite: placeOfFact(one) }, one))
}

const comments = (project: Project): ReadonlyArray<Value> =>
  project.facts("symbol").filter(({ value }) => value.doc !== null)
    .map((one) => cited({ says: one.value.doc, of: one.subject, cite: placeOfFact(one) }, one))

const descriptions = (project: Project): ReadonlyArray<Value> => [
  ...project.facts("manifest").filter(({ value }) => value.description !== null)
    .map((one) => cited({ says: one.value.description, of: one.subject, cite: placeOfFact(one) }, one)),
  ...project.facts("command").filter(({ value }) => value.description !== null)
    .map((one) => cited({ says: one.value.description, of: one.subject, cite: placeOfFact(one) }, one))
]

export const citationIndex = (project: Project): Artifact => {
  const lists = { manifests: descriptions(project), documents: paragraphs(project), code: comments(project) }
  const found = Object.values(lists).some((list) => list.length > 0)
  return jsonLines(found ? lists : { ...lists, searched: `documents, comments and manifests, in ${project.searched()} files` })
}
