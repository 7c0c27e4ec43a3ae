/** template-pack.md: notes of the most linked modules, ready to be saved; those of the others are written like them. */
import { absence, type Artifact, type Block, heading, quotation } from "../claims/model.ts"
import { page, type Section } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { documentsOf } from "../map/documents.ts"
import type { Edge } from "../map/graph.ts"
import { byLinks, factsOfModule, type Module, modulesOf } from "../map/modules.ts"
import { packageOf } from "../map/packages.ts"
import { exportsOf, pathOf, placeOfFact } from "../map/uses.ts"
import { link, noteOf, takenOf } from "./notes.ts"

const MOST_NOTES = 4
const MOST = 8

/** YAML of one line: a name with a colon or a quote in it is quoted. */
const scalar = (text: string): string => /^[\w][\w./@-]*$/u.test(text) ? text : JSON.stringify(text)

const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...lines.slice(0, MOST)]

const noteText = (project: Project, note: Module): string => {
  const manifest = packageOf(project, note.files[0]?.subject ?? "")
  const edgeLine = (edge: Edge, end: "from" | "to"): string =>
    `- ${link(noteOf(project, edge[end]))} ${takenOf(edge).slice(0, 3).join(", ")} ${placeOfFact(edge.imports[0])}`
  return [
    "---",
    `package: ${scalar(manifest?.subject ?? project.description.project_name)}`,
    `level: ${note.level}`,
    `files: ${note.files.length}`,
    "---",
    `# ${note.name}`,
    ...note.purpose === undefined ? [] : ["", `${clip(note.purpose.text, 200)} ${placeOfFact(note.purpose.fact)}`],
    ...section("Exports", note.exports.map((one) => `- ${clip(one.value.signature, 100)} ${placeOfFact(one)}`)),
    ...section("Imports", note.to.map((one) => edgeLine(one, "to"))),
    ...section("Imported by", note.from.map((one) => edgeLine(one, "from"))),
    ...section("Tests", note.tests.map((path) => `- ${link(path)}`))
  ].join("\n")
}

const modules = (project: Project): ReadonlyArray<Block> =>
  byLinks(modulesOf(project)).slice(0, MOST_NOTES).flatMap((note) => {
    const [first] = factsOfModule(note)
    return first === undefined ? [] : [heading(3, note.name), quotation("markdown", noteText(project, note), first)]
  })

/** The note of a document: its sections as headings to link to. */
const documents = (project: Project): ReadonlyArray<Block> =>
  documentsOf(project).filter(({ headings }) => headings.length > 1).slice(0, 1).flatMap(({ headings, path }) => {
    const [first, ...rest] = headings
    if (first === undefined) return []
    const lines = [
      "---",
      `document: ${scalar(path)}`,
      "---",
      `# ${first.subject}`,
      "",
      ...rest.map((one) => `- ${one.subject} ${placeOfFact(one)}`)
    ]
    return [quotation("markdown", lines.slice(0, 30).join("\n"), first)]
  })

/** The note of a symbol that is worth one: the first of those that the most linked module exports. */
const symbols = (project: Project): ReadonlyArray<Block> =>
  byLinks(modulesOf(project)).flatMap(({ exports }) => exports).filter(({ value }) => value.doc !== null).slice(0, 1).map((symbol) =>
    quotation(
      "markdown",
      [
        "---",
        `symbol: ${scalar(symbol.subject)}`,
        `kind: ${symbol.value.kind}`,
        "---",
        `# ${symbol.subject}`,
        "",
        symbol.value.doc ?? "",
        "",
        `${symbol.value.signature} ${placeOfFact(symbol)}`,
        "",
        `Beside it: ${
          exportsOf(project, pathOf(symbol)).filter((one) => one !== symbol).slice(0, 5).map(({ subject }) => subject).join(", ")
        }`
      ].join("\n"),
      symbol
    )
  )

export const templatePack = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source"] })
  const sections: ReadonlyArray<Section> = [
    { title: "Modules", blocks: modules(project), none: absence("No module for a note.", sources) },
    { title: "A symbol", blocks: symbols(project), none: absence("No commented export.", sources) },
    {
      title: "A document",
      blocks: documents(project),
      none: absence("No document with sections.", project.searched({ roles: ["documentation"] }))
    }
  ]
  return page(`Notes of ${project.description.project_name}`, sections)
}
