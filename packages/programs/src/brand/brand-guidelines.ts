/** brand-guidelines.md: how the project writes its own name and its terms, and where it does so in two ways. */
import { absence, type Artifact, type Block, question } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { pathOf } from "../map/uses.ts"
import { code } from "../map/words.ts"
import { namesSaid } from "../wording/statements.ts"
import { conflictsOf, nameSpellings, ownTerms } from "../wording/terms.ts"

const MOST = 12

const names = (project: Project): ReadonlyArray<Block> => {
  const spellings = nameSpellings(project)
  return [
    // The place says in which file.
    ...namesSaid(project).flatMap(({ fact, source, text }) =>
      claimOf(`${code(clip(text, 80))}: ${source.replace(` of ${pathOf(fact)}`, "")}`, [fact])
    ),
    ...(spellings.length < 2 ? [] : spellings).slice(0, MOST).flatMap(({ facts, text }) =>
      claimOf(`${code(text)} × ${facts.length}`, facts)
    )
  ]
}

/** The rarer spelling has its places, because it is what somebody would change. */
const conflicts = (project: Project): ReadonlyArray<Block> =>
  table(
    ["spelled", "also spelled"],
    conflictsOf(project).slice(0, MOST).flatMap(({ spellings: [first, ...others] }) =>
      others.slice(0, 2).flatMap(({ facts, text }) =>
        rowOf([`${code(first.text)} × ${first.facts.length}`, `${code(text)} × ${facts.length}`], facts)
      )
    )
  )

const ties = (project: Project): ReadonlyArray<Block> =>
  conflictsOf(project).filter(({ preferred }) => preferred === undefined).slice(0, 3)
    .map(({ spellings: [first, second] }) => question(`${code(first.text)} or ${code(second.text)}?`))

const terms = (project: Project): ReadonlyArray<Block> =>
  table(
    ["term", "in sentences", "is"],
    ownTerms(project).slice(0, MOST).flatMap(({ facts, symbol }) => {
      const { doc, kind } = symbol.value
      return rowOf([code(symbol.subject), String(facts.length), doc === null ? kind : clip(doc, 90)], [symbol, ...facts])
    })
  )

export const brandGuidelines = (project: Project): Artifact => {
  const searched = project.searched()
  return page(`${project.description.project_name}: names`, [
    { title: "Name", blocks: names(project), none: absence("No name of its own.", searched) },
    { title: "Two spellings", blocks: [...conflicts(project), ...ties(project)], none: absence("No two spellings.", searched) },
    { title: "Names of the code in sentences", blocks: terms(project) }
  ])
}
