/**
 * Lines of scripts, workflows and programs, whose places stand in comments. Nothing that a repository says ends a comment: each is one line
 * without signs that nobody sees.
 */
import { clip } from "../facts/text.ts"
import type { Artifact, Block, Evidence, Source } from "./model.ts"
import { citationsAt, placesOf } from "./places.ts"

/** `#` of shell and YAML, `//` of JavaScript. */
export type CommentMark = "#" | "//"

export interface CodeLine {
  readonly text: string
  /** What the line comes from. */
  readonly evidence?: Evidence
}

const MOST = 600

const placesText = (evidence: Evidence): string => clip(placesOf(evidence).join(", "), MOST)

const sourceText = (source: Source | undefined): string => {
  if (source === undefined) return ""
  return source.url === undefined ? ` Source: [${source.name}].` : ` Source: [${source.name}](${source.url}).`
}

const sentence = (block: Block): CodeLine | undefined => {
  switch (block.block) {
    case "heading":
      return block.evidence === undefined
        ? { text: block.text }
        : { text: `${block.text} (${placesText(block.evidence)})`, evidence: block.evidence }
    case "claim":
      return { text: `${block.text} (${placesText(block.evidence)})${sourceText(block.source)}`, evidence: block.evidence }
    case "absence":
      return { text: `${block.text} Searched: ${block.files} ${block.files === 1 ? "file" : "files"}.` }
    case "rule":
      return { text: `${block.text}${sourceText(block.source)}` }
    case "question":
      return { text: `Question: ${block.text}` }
    case "table":
    case "quotation":
      return undefined
  }
}

/** One line of a comment, whatever the text holds. */
export const comment = (mark: CommentMark, text: string): CodeLine => ({ text: `${mark} ${clip(text, MOST)}` })

/** Sentences as comments. Tables and quotations have no form in a comment. */
export const comments = (mark: CommentMark, blocks: ReadonlyArray<Block>): ReadonlyArray<CodeLine> =>
  blocks.flatMap((block) => {
    const line = sentence(block)
    return line === undefined ? [] : [{ ...line, ...comment(mark, line.text) }]
  })

/** A line of code, with its places in a comment behind it. */
export const citedLine = (mark: CommentMark, text: string, evidence: Evidence): CodeLine => ({
  text: `${text} ${mark} ${placesText(evidence)}`,
  evidence
})

export const codeFile = (lines: ReadonlyArray<CodeLine>): Artifact => {
  const citations = lines.flatMap(({ evidence }, at) => evidence === undefined ? [] : citationsAt(at + 1, evidence))
  return {
    text: `${lines.map(({ text }) => text).join("\n")}\n`,
    evidence: citations.length === 0 ? "none" : "cited",
    citations
  }
}

/** A word of a shell, quoted where it has to be. */
export const shellWord = (word: string): string => /^[\w./:@%+=,-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** A path as a word of a shell: one that begins with a dash would be an option, or the folder before. */
export const shellPath = (path: string): string => shellWord(path.replace(/^-/u, "./-"))
