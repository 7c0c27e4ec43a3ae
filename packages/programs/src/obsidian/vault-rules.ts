/** vault-rules.md: names, tags and properties of the notes, as this repository needs them. */
import { absence, type Artifact, type Block, claim } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { byLinks, factsOfModule, type Module, modulesOf } from "../map/modules.ts"
import { packageOf } from "../map/packages.ts"
import { exportsOf } from "../map/uses.ts"
import { code, count, listed, namesOf } from "../map/words.ts"
import { link } from "./notes.ts"

const MOST = 12

const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Folders of one name: a link by the name alone would lead to any of them. */
const sameNames = (notes: ReadonlyArray<Module>): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(notes, ({ name }) => lastOf(name))).filter(([, group]) => group.length > 1)
    .toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(0, MOST)
    .flatMap(([name, group]) => {
      const links = group.slice(0, 4).map((note) => `${link(note.name)} with ${listed(namesOf(note.names), 1)}`).join(", ")
      return claimOf(
        `${code(name)}, ${count(group.length, "folder")}: whole paths, ${links}`,
        group.flatMap((note) => factsOfModule(note).slice(0, 1))
      )
    })

/** Packages as tags, with how many notes each has. */
const tags = (project: Project, notes: ReadonlyArray<Module>): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(notes, ({ files: [file] }) => file === undefined ? undefined : packageOf(project, file.subject)))
    .flatMap(([manifest, group]) => manifest === undefined ? [] : [{ manifest, group }])
    .toSorted((one, other) => other.group.length - one.group.length || byText(one.manifest.subject, other.manifest.subject)).slice(0, MOST)
    .map(({ group, manifest }) => {
      const tag = manifest.subject.replaceAll(/[^\p{L}\p{N}/_-]/gu, "")
      return claim(`#${tag} on ${count(group.length, "note")}: ${group.slice(0, 4).map(({ name }) => link(name)).join(", ")}`, manifest)
    })

/** What the head of the most linked notes says. */
const properties = (project: Project, notes: ReadonlyArray<Module>): ReadonlyArray<Block> =>
  table(
    ["note", "level", "files", "exports", "imports", "imported by", "tests", "aliases"],
    byLinks(notes).slice(0, MOST).flatMap((note) => {
      const numbers = [note.level, note.files.length, note.exports.length, note.to.length, note.from.length, note.tests.length]
      return rowOf([link(note.name), ...numbers.map(String), listed(namesOf(note.names), 3)], factsOfModule(note))
    })
  )

/** Files too large for one section of a note: they get a note of their own below that of their folder. */
const ownNotes = (project: Project): ReadonlyArray<Block> =>
  project.facts("file").filter(({ value }) => value.role === "source" && value.lines > 400)
    .toSorted((one, other) => other.value.lines - one.value.lines || byText(one.subject, other.subject)).slice(0, MOST)
    .map((file) => {
      const exported = exportsOf(project, file.subject)
      const [first = file] = exported
      return claim(`${link(file.subject)}: ${file.value.lines} lines, ${count(exported.length, "export")}`, first, file)
    })

export const vaultRules = (project: Project): Artifact => {
  const notes = modulesOf(project)
  const sources = project.searched({ roles: ["source"] })
  return page(`${project.description.project_name}: rules`, [
    { title: "Properties", blocks: properties(project, notes), none: absence("No module for a note.", sources) },
    { title: "Folders of one name", blocks: sameNames(notes), none: absence("No ambiguous folder name.", sources) },
    { title: "Tags", blocks: tags(project, notes), none: absence("No package for a tag.", project.searched()) },
    { title: "Notes of one file", blocks: ownNotes(project), none: absence("No large file.", sources) }
  ])
}
