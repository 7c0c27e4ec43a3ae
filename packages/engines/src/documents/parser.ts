/** What the child runs: the bytes of a document in, Markdown and what stands in it out. */
import type { EngineFunction } from "@svc/confined/model"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { chunksOf } from "./chunks.ts"
import { MOST_MARKDOWN, type Read, Refusal } from "./document.ts"
import { extract } from "./extract.ts"
import { detect, type Detected } from "./format.ts"
import { tablesOf } from "./tables.ts"

interface Options {
  readonly media_type: string
  readonly chunks: boolean
  readonly json_schema: object | null
}

/** Each library is loaded when its first document comes. */
const read = async (bytes: Buffer, detected: Exclude<Detected, { readonly format: "image" }>): Promise<Read> => {
  switch (detected.format) {
    case "pdf":
      return (await import("./pdf.ts")).readPdf(bytes, MOST_MARKDOWN)
    case "xlsx":
      return (await import("./sheets.ts")).readExcel(bytes)
    case "csv":
      return (await import("./sheets.ts")).readDelimited(detected.text)
    case "json":
      return { pieces: [`\`\`\`json\n${detected.text.trim()}\n\`\`\``], pages: null }
    case "markdown":
    case "text":
      return { pieces: [detected.text.trim()], pages: null }
    default:
      return (await import("./office.ts")).readOffice(bytes, detected.format)
  }
}

/** Something that can be read: a table without a filled cell, or signs that nobody sees, are none. */
const CONTENT = /[\p{L}\p{N}\p{Sc}\p{So}]/u

const GAP = "\n\n"
const LONGEST_NUMBER = 100

/** One text of all pieces, a little longer than what is kept, so that no card number is cut before it is masked; and where each begins. */
const joined = (pieces: ReadonlyArray<string>) => {
  const starts: Array<number> = []
  let markdown = ""
  for (const piece of pieces) {
    starts.push(markdown.length === 0 ? 0 : markdown.length + GAP.length)
    markdown += markdown === "" ? piece : GAP + piece
  }
  return { starts, markdown: redactCardNumbers(markdown.slice(0, MOST_MARKDOWN + LONGEST_NUMBER).toWellFormed()) }
}

const marker = `${GAP}[The document is longer. What follows was left out.]`

/** At most so many bytes, and no half line where lines are short. */
const truncated = (markdown: string): { readonly markdown: string; readonly truncated: boolean } => {
  const bytes = Buffer.from(markdown)
  if (bytes.length <= MOST_MARKDOWN) return { markdown, truncated: false }
  const kept = bytes.subarray(0, MOST_MARKDOWN - marker.length).toString().replace(/\ufffd$/u, "")
  const line = kept.lastIndexOf("\n")
  return { markdown: (line > kept.length / 2 ? kept.slice(0, line) : kept) + marker, truncated: true }
}

export const engine: EngineFunction = async (bytes, options) => {
  const { chunks, json_schema, media_type } = options as unknown as Options
  const document = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  try {
    const detected = await detect(document, media_type)
    if (detected.format === "image") return { picture: detected.type }
    const { pages, pieces } = await read(document, detected)
    const whole = joined(pieces)
    if (!CONTENT.test(whole.markdown)) throw new Refusal("empty", "The document has no text.")
    const { markdown, truncated: isTruncated } = truncated(whole.markdown)
    const starts = whole.starts.filter((start) => start <= markdown.length)
    return {
      format: detected.format,
      markdown,
      page_count: pages,
      table_count: tablesOf(markdown).length,
      truncated: isTruncated || pieces.length < (pages ?? 0),
      ...(chunks ? { chunks: chunksOf(markdown, starts, pages !== null).map((chunk) => ({ ...chunk })) } : {}),
      ...(json_schema === null ? {} : extract(json_schema, markdown))
    }
  } catch (error) {
    if (error instanceof Refusal) return { refused: { reason: error.reason, message: error.message } }
    throw error
  }
}
