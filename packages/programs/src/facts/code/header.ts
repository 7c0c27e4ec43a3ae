/** The comment at the head of a file: what the file is for, in the words of its authors. */
import { type AnyFact, fact } from "../model.ts"
import type { Source } from "./language.ts"
import { sentence } from "./symbols.ts"

const NOTICE = /copyright|licen[cs]e|spdx/iu
/** Comments that speak to tools. */
const ORDER = /^\W*(?:(?:es|ts|style)lint|prettier|biome|oxlint|@ts-|istanbul|c8|v8|jshint|global|vim?:|-\*-|#?region)/iu

interface Block {
  readonly start: number
  readonly end: number
}

/** Blanks and at most one end of line. */
const isGap = (text: string): boolean => text.trim() === "" && text.indexOf("\n") === text.lastIndexOf("\n")

/** Comments that stand together, such as lines of `//`, are one. To a shell the line `#!` is a comment; it says nothing of the file. */
const blocksOf = function*({ comments, text }: Source, from: number): Generator<Block> {
  let block: Block | undefined
  for (const { end, start } of comments) {
    if (start < from) continue
    const isNext = block !== undefined && isGap(text.slice(block.end, start))
    if (block !== undefined && !isNext) yield block
    block = { start: isNext && block !== undefined ? block.start : start, end }
  }
  if (block !== undefined) yield block
}

/** Before the first code, and not right above a definition, whose comment it is then. */
export const header = (source: Source): ReadonlyArray<AnyFact> => {
  let from = source.text.startsWith("#!") ? source.text.indexOf("\n") + 1 : 0
  for (const { end, start } of blocksOf(source, from)) {
    if (source.text.slice(from, start).trim() !== "") return []
    from = end
    const comment = source.text.slice(start, end)
    if (comment.startsWith("#!") || NOTICE.test(comment) || ORDER.test(comment)) continue
    const below = source.line(end - 1) + 1
    const doc = source.definitions.some((one) => source.line(one.start) === below) ? null : sentence(comment)
    const name = source.path.slice(source.path.lastIndexOf("/") + 1)
    return doc === null
      ? []
      : [fact("symbol", name, { kind: "module", exported: false, container: null, signature: name, doc }, source.span({ start, end }))]
  }
  return []
}
