/** Blocks as Markdown: each claim ends with its places. */
import type { Artifact, Block, Citation, Evidence, Heading, Source } from "./model.ts"
import { citationsAt, placesOf } from "./places.ts"

interface Line {
  readonly text: string
  readonly evidence?: Evidence
}

/** What is escaped already, and spans of code; behind those what would fetch a picture, be a link, or be HTML. */
const LIVE = /\\[^]|(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)|!(?=\[)|\](?=\()|<(?=[A-Za-z/!?])/gu

/** Words of strangers stand in sentences: none of them is more than words. */
const inert = (text: string): string =>
  text.replaceAll(LIVE, (found) => found.startsWith("\\") || found.startsWith("`") ? found : found === "]" ? "]\\" : `\\${found}`)

/** Nothing in a path ends its span of code. */
const placesText = (evidence: Evidence): string => placesOf(evidence).map((place) => `\`${place.replaceAll("`", "'")}\``).join(", ")

const sourceText = ({ name, url }: Source): string => url === undefined ? `Source: [${name}].` : `Source: [${name}](${url}).`
const andSource = (source: Source | undefined): string => source === undefined ? "" : ` ${sourceText(source)}`

const cited = (text: string, evidence: Evidence, source: Source | undefined): Line => ({
  text: `${inert(text)} (${placesText(evidence)})${andSource(source)}`,
  evidence
})

const headingLine = ({ evidence, level, text }: Heading): Line => {
  const marked = `${"#".repeat(level)} ${inert(text)}`
  return evidence === undefined ? { text: marked } : { text: `${marked} (${placesText(evidence)})`, evidence }
}

/** Nothing in a text ends its cell: also a backslash before the one that is written here would. */
const cell = (text: string): string => inert(text).replaceAll(/(?<!\\)\\*\|/gu, "\\|")

/** A fence longer than any within. */
const fenceOf = (text: string): string =>
  "`".repeat(Math.max(3, 1 + Math.max(0, ...Array.from(text.matchAll(/`+/gu), ([ticks]) => ticks.length))))

const linesOf = (block: Block): ReadonlyArray<Line> => {
  switch (block.block) {
    case "heading":
      return [headingLine(block)]
    case "claim":
      return [cited(`- ${block.text}`, block.evidence, block.source)]
    case "absence":
      return [{ text: `- ${inert(block.text)} Searched: ${block.files} ${block.files === 1 ? "file" : "files"}.` }]
    case "rule":
      return [{ text: `- ${block.text} ${sourceText(block.source)}` }]
    case "question":
      return [{ text: `- Question: ${inert(block.text)}` }]
    case "table":
      return [
        { text: `| ${[...block.columns, "where"].map(cell).join(" | ")} |` },
        { text: `|${"---|".repeat(block.columns.length + 1)}` },
        ...block.rows.map(({ cells, evidence, source }) => ({
          text: `| ${[...cells, placesText(evidence)].map(cell).join(" | ")}${andSource(source)} |`,
          evidence
        }))
      ]
    case "quotation": {
      const fence = fenceOf(block.text)
      return [
        { text: `${placesText(block.evidence)}:`, evidence: block.evidence },
        { text: "" },
        { text: `${fence}${block.language}` },
        ...block.text.split("\n").map((text) => ({ text })),
        { text: fence }
      ]
    }
  }
}

/** Lists stand together; everything else has an empty line before it. */
const isItem = ({ block }: Block): boolean => block === "claim" || block === "absence" || block === "rule" || block === "question"

export const markdown = (blocks: ReadonlyArray<Block>): Artifact => {
  const lines = blocks.flatMap((block, at): ReadonlyArray<Line> => {
    const before = blocks[at - 1]
    const gap = before === undefined || (isItem(before) && isItem(block)) ? [] : [{ text: "" }]
    return [...gap, ...linesOf(block)]
  })
  const citations: ReadonlyArray<Citation> = lines.flatMap(({ evidence }, at) =>
    evidence === undefined ? [] : citationsAt(at + 1, evidence)
  )
  return {
    text: `${lines.map(({ text }) => text).join("\n")}\n`,
    evidence: citations.length === 0 ? "none" : "cited",
    citations
  }
}
