/** Pieces of Markdown for retrieval: whole blocks under their heading, each no longer than a limit, each a slice of the text. */
import type { Chunk } from "./document.ts"

const MOST = 1500

interface Block {
  readonly start: number
  readonly end: number
}

/** Blocks stand between blank lines. */
const blocksOf = (markdown: string, from: number, to: number): ReadonlyArray<Block> =>
  Array.from(markdown.slice(from, to).matchAll(/\S(?:[^\n]|\n(?![ \t]*\n))*/gu), ({ 0: text, index }) => ({
    start: from + index,
    end: from + index + text.trimEnd().length
  }))

/** Where a block that is too long is cut: after a line, a sentence or a word, and never within a character. */
const cutOf = (text: string): number => {
  const head = text.slice(0, MOST)
  const line = head.lastIndexOf("\n")
  if (line > 0) return line
  const sentence = Math.max(head.lastIndexOf(". "), head.lastIndexOf("。"))
  if (sentence > 0) return sentence + 1
  const word = head.lastIndexOf(" ")
  if (word > 0) return word
  return /[\ud800-\udbff]$/u.test(head) ? MOST - 1 : MOST
}

const cutBlocks = (markdown: string, { end, start }: Block): ReadonlyArray<Block> => {
  const parts: Array<Block> = []
  let at = start
  while (end - at > MOST) {
    const cut = at + cutOf(markdown.slice(at, end))
    parts.push({ start: at, end: cut })
    at = cut + markdown.slice(cut, end).search(/\S|$/u)
  }
  if (at < end) parts.push({ start: at, end })
  return parts
}

const headingOf = (markdown: string, { end, start }: Block): string | undefined =>
  /^#{1,6} +(.*)/u.exec(markdown.slice(start, Math.min(end, start + MOST)))?.[1]?.trim()

/** `pageStarts` are where pages begin; a chunk crosses none. */
export const chunksOf = (markdown: string, pageStarts: ReadonlyArray<number>, hasPages: boolean): ReadonlyArray<Chunk> => {
  const chunks: Array<Chunk> = []
  let heading: string | null = null
  pageStarts.forEach((from, index) => {
    const page = hasPages ? index + 1 : null
    let open: { start: number; end: number } | undefined
    const close = () => {
      if (open !== undefined) chunks.push({ ...open, text: markdown.slice(open.start, open.end), page, heading })
      open = undefined
    }
    for (const block of blocksOf(markdown, from, pageStarts[index + 1] ?? markdown.length)) {
      const title = headingOf(markdown, block)
      if (title !== undefined) {
        close()
        heading = title
      }
      for (const part of cutBlocks(markdown, block)) {
        if (open !== undefined && part.end - open.start > MOST) close()
        open = open === undefined ? { ...part } : { ...open, end: part.end }
      }
    }
    close()
  })
  return chunks
}
