/** linking-policy.md: which notes are linked, by what, and which links are too many, too few or in a circle. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { linkedPath } from "../map/documents.ts"
import { folderGraph } from "../map/graph.ts"
import { type Module, modulesOf } from "../map/modules.ts"
import { pathOf } from "../map/uses.ts"
import { code, count, listed, namesOf } from "../map/words.ts"
import { link, noteOf, takenOf } from "./notes.ts"

const MOST_LINKS = 25
const MOST = 10
/** A note that more notes lead to is linked by its heading. */
const HUB = 8

/** The strongest links, with the names that they stand for. */
const links = (project: Project): ReadonlyArray<Block> =>
  table(
    ["from", "to", "imports", "names"],
    folderGraph(project).edges.toSorted((one, other) => other.imports.length - one.imports.length).slice(0, MOST_LINKS).flatMap((edge) => {
      const [from, to] = [edge.from, edge.to].map((folder) => link(noteOf(project, folder)))
      return rowOf([from ?? "", to ?? "", String(edge.imports.length), listed(takenOf(edge), 4)], edge.imports)
    })
  )

/** A link to a hub says which of its symbols is meant: `[[src/db#query]]`. */
const hubs = (notes: ReadonlyArray<Module>): ReadonlyArray<Block> =>
  notes.filter(({ from }) => from.length > HUB).toSorted((one, other) => other.from.length - one.from.length).slice(0, MOST).flatMap(
    (note) => {
      const [name] = note.from.flatMap(takenOf)
      const heading = name === undefined ? "" : `, by heading: ${link(`${note.name}#${name}`)}`
      return claimOf(
        `${link(note.name)}, ${count(note.from.length, "note")} lead here${heading}`,
        note.from.map(({ imports }) => imports[0])
      )
    }
  )

const circles = (project: Project): ReadonlyArray<Block> =>
  folderGraph(project).cycles.slice(0, MOST).flatMap((circle) => {
    const way = circle.map(({ from }) => link(noteOf(project, from))).join(" → ")
    const back = code(circle.at(-1)?.imports[0].subject ?? "")
    return claimOf(`${way} → back by ${back}`, circle.toReversed().map(({ imports }) => imports[0]))
  })

/** Documents lead to the notes whose files they name. */
const documents = (project: Project): ReadonlyArray<Block> => {
  const known = new Map(
    modulesOf(project).flatMap(({ files, folder, name }) => [folder, ...files.map(({ subject }) => subject)].map((path) => [path, name]))
  )
  const found = project.facts("link").flatMap((one) => {
    const note = known.get(linkedPath(one) ?? "")
    return note === undefined ? [] : [{ note, one }]
  })
  return Array.from(Map.groupBy(found, ({ one }) => pathOf(one))).slice(0, MOST).flatMap(([document, group]) => {
    const notes = [...new Set(group.map(({ note }) => note))].slice(0, 6).map(link).join(", ")
    return claimOf(`${link(document)}: ${notes}`, group.map(({ one }) => one))
  })
}

/** Notes that nothing leads to: a map of content has to name them. */
const orphans = (notes: ReadonlyArray<Module>): ReadonlyArray<Block> =>
  notes.filter(({ from, to }) => from.length + to.length === 0).slice(0, MOST)
    .flatMap(({ name, names }) => claimOf(`${link(name)}: ${listed(namesOf(names))}`, names))

export const linkingPolicy = (project: Project): Artifact => {
  const notes = modulesOf(project)
  const sources = project.searched({ roles: ["source"] })
  return page(`${project.description.project_name}: links`, [
    { title: "Strongest links", blocks: links(project), none: absence("No folder imports another.", sources) },
    { title: "Hubs", blocks: hubs(notes) },
    { title: "Circles", blocks: circles(project), none: absence("No circle of folders.", sources) },
    {
      title: "Documents",
      blocks: documents(project),
      none: absence("No document links code.", project.searched({ roles: ["documentation"] }))
    },
    { title: "Without links", blocks: orphans(notes), none: absence("No unlinked note.", sources) }
  ])
}
