/** obsidian-skill-pack.md: the map of the vault: which note to open for what. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { folderOf } from "../map/graph.ts"
import { byLinks, factsOfModule, modulesOf } from "../map/modules.ts"
import { entriesOf } from "../map/packages.ts"
import { exportsOf, handlerOf, pathOf, routesOf } from "../map/uses.ts"
import { code, listed, namesOf } from "../map/words.ts"
import { mostUsed } from "../notebook/most-used.ts"
import { link, linked, noteOf } from "./notes.ts"

const MOST_NOTES = 30
const MOST_WAYS = 10

const notes = (project: Project): ReadonlyArray<Block> =>
  byLinks(modulesOf(project)).slice(0, MOST_NOTES).flatMap((note) => {
    const names = listed(namesOf(note.names), 3)
    const says = note.purpose === undefined ? names : `${names}. ${clip(note.purpose.text, 100)}`
    return claimOf(`${link(note.name)}: ${says}${note.to.length === 0 ? "" : ` → ${linked(project, note.to, 3)}`}`, factsOfModule(note))
  })

const noteOfPath = (project: Project, path: string): string => link(noteOf(project, folderOf(path)))

const entries = (project: Project): ReadonlyArray<Block> =>
  entriesOf(project).flatMap(({ fact, name, package: entered, path }) =>
    path === undefined ? [] : claimOf(`${entered} ${name}: ${noteOfPath(project, path)} ${code(path)}`, [fact, ...exportsOf(project, path)])
  ).slice(0, MOST_WAYS)

const routes = (project: Project): ReadonlyArray<Block> =>
  routesOf(project).slice(0, MOST_WAYS).flatMap((route) => {
    const handler = handlerOf(project, route)
    const place = pathOf(handler ?? route)
    const answered = `${noteOfPath(project, place)} ${code(handler?.subject ?? place)}`
    return claimOf(`${code(route.subject)}: ${answered}`, handler === undefined ? [route] : [route, handler])
  })

/** Symbols that most places need, with the notes of where they stand and of who needs them. */
const symbols = (project: Project): ReadonlyArray<Block> =>
  mostUsed(project).filter(({ uses }) => uses.length > 1).slice(0, MOST_WAYS).flatMap(({ symbol, uses }) => {
    const users = [...new Set(uses.map((use) => noteOfPath(project, pathOf(use))))].slice(0, 4).join(", ")
    return claimOf(`${code(symbol.subject)}: ${noteOfPath(project, pathOf(symbol))}, used by ${users}`, [symbol, ...uses])
  })

export const obsidianSkillPack = (project: Project): Artifact => {
  const sources = project.searched({ roles: ["source"] })
  return page(`${project.description.project_name}, as a vault`, [
    { title: "Notes", blocks: notes(project), none: absence("No module for a note.", sources) },
    { title: "Ways in", blocks: entries(project), none: absence("No entry.", project.searched()) },
    { title: "Routes", blocks: routes(project), none: absence("No HTTP route.", sources) },
    { title: "Shared symbols", blocks: symbols(project), none: absence("No shared symbol.", sources) }
  ])
}
