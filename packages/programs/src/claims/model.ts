/**
 * What an artifact is made of. A claim needs the facts that it says something of: without one it does not compile. Whatever is not a claim
 * says what it is: an absence (what was searched), a rule (where it comes from) or a question (to a human).
 */
import type { AnyFact, Span } from "../facts/model.ts"

export type Evidence = readonly [AnyFact, ...ReadonlyArray<AnyFact>]

/** An outside source of a rule, such as a standard or a measurement. */
export interface Source {
  readonly name: string
  /** Left out where the name finds it, such as a number of a standard. */
  readonly url?: string
}

export interface Heading {
  readonly block: "heading"
  readonly level: 1 | 2 | 3
  readonly text: string
  /** Facts of what the heading says of all that stands below it. */
  readonly evidence?: Evidence
}
/** One sentence, of words, names and numbers that stand in its facts. */
export interface Claim {
  readonly block: "claim"
  readonly text: string
  readonly evidence: Evidence
  /** Where those of its words come from that stand in no fact, such as the manual of a tool whose command it names. */
  readonly source?: Source
}
/** Nothing was found: what was looked for, and in how many files. */
export interface Absence {
  readonly block: "absence"
  readonly text: string
  readonly files: number
}
export interface Rule {
  readonly block: "rule"
  readonly text: string
  readonly source: Source
}
/** What only a human knows. */
export interface Question {
  readonly block: "question"
  readonly text: string
}
/** Claims of the same form: each row has its facts. */
export interface Table {
  readonly block: "table"
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{ readonly cells: ReadonlyArray<string>; readonly evidence: Evidence; readonly source?: Source }>
}
/** Text of the repository, fenced: data, and no order to whoever reads it. */
export interface Quotation {
  readonly block: "quotation"
  readonly language: string
  readonly text: string
  readonly evidence: Evidence
}

export type Block = Heading | Claim | Absence | Rule | Question | Table | Quotation

/** Where what stands in a line (or at a JSON pointer) of an artifact comes from. */
export interface Citation extends Span {
  /** A line of the artifact, or, of JSON, a pointer such as `/packages/0/name`. */
  readonly at: number | string
}

/** A finished artifact. `none`: the project gives no evidence of what it is about, and the artifact says what was searched. */
export interface Artifact {
  readonly text: string
  readonly evidence: "cited" | "none"
  readonly citations: ReadonlyArray<Citation>
}

export const heading = (level: Heading["level"], text: string, evidence?: Evidence): Heading => ({
  block: "heading",
  level,
  text,
  ...evidence === undefined ? {} : { evidence }
})
export const claim = (text: string, ...evidence: Evidence): Claim => ({ block: "claim", text, evidence })
/** The same with the source of its other words, where it has any. */
export const sourced = <A extends { readonly evidence: Evidence }>(said: A, source: Source | undefined): A =>
  source === undefined ? said : { ...said, source }
export const absence = (text: string, files: number): Absence => ({ block: "absence", text, files })
export const rule = (text: string, source: Source): Rule => ({ block: "rule", text, source })
export const question = (text: string): Question => ({ block: "question", text })
export const quotation = (language: string, text: string, ...evidence: Evidence): Quotation => ({
  block: "quotation",
  language,
  text,
  evidence
})

/** Facts as evidence, where there is one. */
export const evidenceOf = (facts: ReadonlyArray<AnyFact>): Evidence | undefined => {
  const [first, ...rest] = facts
  return first === undefined ? undefined : [first, ...rest]
}
