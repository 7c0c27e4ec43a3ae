/** A page of sections that ends with what was looked for and is not there, in one line. */
import { list } from "../claims/inline.ts"
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { page, shownAbsences } from "../claims/sections.ts"

export interface Section {
  readonly title: string
  readonly blocks: ReadonlyArray<Block>
  /** Its noun, where its absence says something. */
  readonly noun?: string
}

/** `files`: how many were searched. */
export const pageOf = (title: string, files: number, sections: ReadonlyArray<Section>): Artifact => {
  const missing = shownAbsences(
    sections,
    sections.flatMap(({ blocks, noun }) => blocks.length === 0 && noun !== undefined ? [noun] : [])
  )
  const none = missing.length === 0 ? [] : [{ title: "", blocks: [], none: absence(`No ${list(missing)}.`, files) }]
  return page(title, [...sections.map(({ blocks, title: heading }) => ({ title: heading, blocks })), ...none])
}
