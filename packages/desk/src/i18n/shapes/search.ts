/** Texts of the search: its box above every page, and the page of what it found. */
import type { SearchMatch } from "../../search/model.ts"

export interface SearchTexts {
  readonly title: string
  /** Of the box, for those who do not see it. */
  readonly label: string
  readonly placeholder: string
  readonly button: string
  /** The title of what was found for a text. */
  readonly found: (text: string) => string
  /** Where nothing was asked for, and what can be. */
  readonly empty: string
  readonly none: string
  readonly refused: string
  /** Some of it took too long. */
  readonly unfinished: string
  readonly understoodAs: (readings: string) => string
  readonly columns: {
    readonly name: string
    readonly amount: string
    readonly state: string
    readonly created: string
    readonly matched: string
  }
  readonly matches: Readonly<Record<SearchMatch, string>>
}
