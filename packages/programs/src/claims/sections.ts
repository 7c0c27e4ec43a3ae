/** A page of sections. What was looked for and is not there stands together at the end, without headings, so that such a page is short. */
import type { AnyFact } from "../facts/model.ts"
import { markdown } from "./markdown.ts"
import { type Absence, absence, type Artifact, type Block, claim, evidenceOf, heading, type Source, sourced, type Table } from "./model.ts"

export interface Section {
  readonly title: string
  readonly blocks: ReadonlyArray<Block>
  /** What is said where there are no blocks. */
  readonly none?: Absence
}

/** A claim, where there are facts for it. `source` is that of its other words. */
export const claimOf = (text: string, facts: ReadonlyArray<AnyFact>, source?: Source): ReadonlyArray<Block> => {
  const evidence = evidenceOf(facts)
  return evidence === undefined ? [] : [sourced(claim(text, ...evidence), source)]
}

export type Row = Table["rows"][number]

/** A row, where there are facts for it. `source` is that of its other words. */
export const rowOf = (cells: ReadonlyArray<string>, facts: ReadonlyArray<AnyFact>, source?: Source): ReadonlyArray<Row> => {
  const evidence = evidenceOf(facts)
  return evidence === undefined ? [] : [sourced({ cells, evidence }, source)]
}

/** A table, where there are rows. A column in which no row says anything is left out. */
export const table = (columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>): ReadonlyArray<Block> => {
  if (rows.length === 0) return []
  const isUsed = columns.map((_, at) => rows.some(({ cells }) => cells[at] !== ""))
  const used = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => values.filter((_, at) => isUsed[at] === true)
  return [{ block: "table", columns: used(columns), rows: rows.map((row) => ({ ...row, cells: used(row.cells) })) }]
}

const lowered = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** One sentence for all that was looked for in as many files. */
const together = (absences: ReadonlyArray<Absence>): ReadonlyArray<Absence> =>
  Array.from(Map.groupBy(absences, ({ files }) => files), ([files, group]) => {
    const [first, ...rest] = group.map(({ text }) => text.replace(/\.$/u, ""))
    return absence(`${[first, ...rest.map(lowered)].join("; ")}.`, files)
  })

const MOST_ABSENT = 1

/**
 * Of a page that says something the first thing that is not there, of another all of them: a list of them says the same of any repository,
 * and soon is most of a short page.
 */
export const shownAbsences = <A>(sections: ReadonlyArray<{ readonly blocks: ReadonlyArray<Block> }>, absences: ReadonlyArray<A>) =>
  sections.some(({ blocks }) => blocks.some(({ block }) => block === "claim" || block === "table" || block === "quotation"))
    ? absences.slice(0, MOST_ABSENT)
    : absences

export const page = (title: string, sections: ReadonlyArray<Section>): Artifact => {
  const absences = sections.flatMap(({ blocks, none }) => blocks.length === 0 && none !== undefined ? [none] : [])
  return markdown([
    heading(1, title),
    ...sections.flatMap(({ blocks, title }) => blocks.length === 0 ? [] : [heading(2, title), ...blocks]),
    ...together(shownAbsences(sections, absences))
  ])
}
