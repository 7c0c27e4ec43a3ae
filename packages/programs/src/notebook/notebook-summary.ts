/** notebook-summary.md: which sources there are, what they say themselves, and where they say nothing. */
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { documentsOf } from "../map/documents.ts"
import { byLinks, factsOfModule, modulesOf } from "../map/modules.ts"
import { code, count, listed, namesOf } from "../map/words.ts"
import { mostUsed } from "./most-used.ts"

const MOST = 15

/** Each document by its title and its first paragraph, as it has them. */
const documents = (project: Project): ReadonlyArray<Block> =>
  documentsOf(project).slice(0, MOST).flatMap(({ headings, paragraphs, path }) => {
    const [[title], [first]] = [headings, paragraphs]
    const says = [title?.subject ?? "", first?.value.text ?? ""].filter((text) => text !== "").map((text) => clip(text, 160)).join(": ")
    const facts = [...title === undefined ? [] : [title], ...first === undefined ? [] : [first]]
    return claimOf(`${code(path)}, ${count(headings.length, "heading")}. ${says}`, facts)
  })

/** Where exports have comments and where they have none. */
const modules = (project: Project): ReadonlyArray<Block> =>
  table(
    ["module", "exports", "with a comment", "such as", "for"],
    byLinks(modulesOf(project)).filter((module) => module.exports.length > 0).slice(0, MOST).flatMap((module) => {
      const documented = module.exports.filter(({ value }) => value.doc !== null).length
      const [names, purpose] = [listed(namesOf(module.names), 3), clip(module.purpose?.text ?? "", 100)]
      return rowOf([code(module.name), String(module.exports.length), String(documented), names, purpose], factsOfModule(module))
    })
  )

/** What the most used symbols say of themselves. */
const sayings = (project: Project): ReadonlyArray<Block> =>
  mostUsed(project).filter(({ symbol }) => symbol.value.doc !== null).slice(0, MOST)
    .map(({ symbol, uses }) => claim(`${code(symbol.subject)}, ${count(uses.length, "use")}: ${symbol.value.doc}`, symbol, ...uses))

export const notebookSummary = (project: Project): Artifact =>
  page(`Sources of ${project.description.project_name}`, [
    {
      title: "Documents",
      blocks: documents(project),
      none: absence("No document with text.", project.searched({ roles: ["documentation"] }))
    },
    { title: "Modules", blocks: modules(project), none: absence("No exported symbol.", project.searched({ roles: ["source"] })) },
    { title: "Said of symbols", blocks: sayings(project), none: absence("No commented symbol.", project.searched({ roles: ["source"] })) }
  ])
