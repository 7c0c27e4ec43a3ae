/** asset-checklist.md: pictures and fonts that the repository has or names, and which of them are not in it. */
import { posix } from "node:path"
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { linkedPath } from "../map/documents.ts"
import { folderOf } from "../map/graph.ts"
import { pathOf } from "../map/uses.ts"
import { count, listed } from "../map/words.ts"

const MOST = 40
const PICTURE = /\.(?:svg|png|jpe?g|gif|webp|avif|ico|mp4|webm|mov|mp3|wav|woff2?|ttf|otf)$/iu

interface Named {
  readonly target: string
  /** Undefined for what is elsewhere. */
  readonly path: string | undefined
  readonly fact: AnyFact
}

const named = (project: Project): ReadonlyArray<Named> => [
  ...project.facts("link").filter(({ value }) => value.image || PICTURE.test(value.target.replace(/[#?][^]*$/u, "")))
    .map((link) => ({ target: link.value.target, path: linkedPath(link), fact: link })),
  ...project.facts("element").filter(({ subject }) => subject === "img").flatMap((element): ReadonlyArray<Named> => {
    const target = element.value.attributes["src"]
    if (target === undefined || target === "") return []
    const isElsewhere = /^(?:[a-z][a-z+.-]*:|\/)/iu.test(target)
    return [{
      target,
      path: isElsewhere ? undefined : posix.join(folderOf(pathOf(element)), target.replace(/[#?][^]*$/u, "")),
      fact: element
    }]
  })
]

const byTarget = (all: ReadonlyArray<Named>): ReadonlyArray<readonly [target: string, all: ReadonlyArray<Named>]> =>
  Array.from(Map.groupBy(all, ({ path, target }) => path ?? target)).toSorted(([one], [other]) => byText(one, other)).slice(0, MOST)

const blocksOf = (all: ReadonlyArray<Named>): ReadonlyArray<Block> =>
  byTarget(all).flatMap(([target, uses]) =>
    claimOf(`${code(target)} in ${listed([...new Set(uses.map(({ fact }) => pathOf(fact)))], 3)}`, uses.map(({ fact }) => fact))
  )

const drawings = (project: Project): ReadonlyArray<Block> =>
  project.facts("file").filter(({ subject }) => /\.svg$/iu.test(subject)).slice(0, MOST)
    .flatMap((file) => claimOf(`${code(file.subject)}: svg, ${count(file.value.lines, "line")}`, [file]))

const fonts = (project: Project): ReadonlyArray<Block> =>
  Array.from(
    Map.groupBy(
      project.facts("token").filter(({ subject, value: { value } }) => subject === "font-family" && !/[${}]/u.test(value)),
      ({ value }) => value.value
    )
  )
    .slice(0, MOST / 4).flatMap(([value, tokens]) => claimOf(`${code(value)}: ${count(tokens.length, "place")}`, tokens))

export const assetChecklist = (project: Project): Artifact => {
  const known = new Set([...project.paths, ...project.skipped.map(({ path }) => path)])
  const all = named(project)
  const local = all.filter(({ path }) => path !== undefined)
  return page(`${project.description.project_name}: pictures and fonts`, [
    { title: "Drawn in files that were read", blocks: drawings(project) },
    { title: "Named, and there", blocks: blocksOf(local.filter(({ path = "" }) => known.has(path))) },
    { title: "Named, and not in what was read", blocks: blocksOf(local.filter(({ path = "" }) => !known.has(path))) },
    { title: "From elsewhere", blocks: blocksOf(all.filter(({ path }) => path === undefined)) },
    { title: "Fonts", blocks: fonts(project) },
    ...(all.length === 0
      ? [{ title: "", blocks: [], none: absence("No document or page names a picture, a film or a font.", project.searched()) }]
      : [])
  ])
}
