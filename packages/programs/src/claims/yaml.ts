/** Values as YAML: what comes of facts has its places in a comment on its first line. */
import { Document, isMap, isPair, isScalar, isSeq, Scalar, visit } from "yaml"
import { clip } from "../facts/text.ts"
import { type Cited, unmarked, type Value } from "./json.ts"
import type { Artifact, Citation } from "./model.ts"
import { placeOf } from "./places.ts"

/** The first text, number or the like within a node: comments of lists and maps would stand on lines of their own. */
const firstScalar = (node: unknown): Scalar | undefined => {
  if (isScalar(node)) return node
  if (!isMap(node) && !isSeq(node)) return undefined
  const [first] = node.items
  return firstScalar(isPair(first) ? first.value : first)
}

/** The keys that a JSON pointer goes by. */
const keysOf = (pointer: string): ReadonlyArray<string> =>
  pointer.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

/** YAML 1.1, which Compose and GitHub read, ends lines at these two: a text that holds one would end there. */
const SEPARATORS = /[\u2028\u2029]/gu
const escaped = (separator: string): string => separator === "\u2028" ? "\\u2028" : "\\u2029"

const quoteSeparators = (document: Document): void =>
  visit(document, {
    Scalar: (_, scalar) => {
      if (typeof scalar.value === "string" && scalar.value.search(SEPARATORS) >= 0) scalar.type = Scalar.QUOTE_DOUBLE
    }
  })

const MOST_OF_COMMENT = 600

/**
 * A number between two control characters, which no text of a document holds, because YAML escapes them. It stands in for a comment until
 * lines are known.
 */
const markOf = (number: number): string => `\u0001${number}\u0001`
const MARK = /\u0001(\d+)\u0001/gu

/** `head`: comments before everything. */
export const yaml = (value: Value | Cited, head: ReadonlyArray<string> = []): Artifact => {
  const { citations, plain } = unmarked(value)
  const document = new Document(plain)
  if (head.length > 0) document.commentBefore = head.map((line) => ` ${clip(line, MOST_OF_COMMENT)}`).join("\n")
  const places = Array.from(Map.groupBy(citations, ({ at }) => String(at)))
  places.forEach(([pointer], number) => {
    const scalar = firstScalar(document.getIn(keysOf(pointer), true))
    if (scalar !== undefined) scalar.comment = `${scalar.comment ?? ""} ${markOf(number)}`
  })
  quoteSeparators(document)
  // Comments have no separators any more, and texts that have some stand between double quotes.
  const marked = document.toString({ lineWidth: 0 }).replaceAll(SEPARATORS, escaped)
  const lineOf = new Map<string, number>()
  const lines = marked.split("\n").map((line, at) =>
    line.replaceAll(MARK, (_, number: string) => {
      const [pointer, group] = places[Number(number)] ?? ["", []]
      lineOf.set(pointer, at + 1)
      return clip(group.map(placeOf).join(", "), MOST_OF_COMMENT)
    })
  )
  return {
    text: lines.join("\n"),
    evidence: citations.length === 0 ? "none" : "cited",
    citations: citations.map((citation): Citation => ({ ...citation, at: lineOf.get(String(citation.at)) ?? 1 }))
  }
}
