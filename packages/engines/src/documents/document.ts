/** What a document may be, what it may cost to read, and what comes of it. */

export const KIB = 1024
export const MIB = 1024 * KIB

/** Bytes of Markdown; the rest of a longer document is left out. */
export const MOST_MARKDOWN = MIB

export const formats = [
  "pdf",
  "docx",
  "pptx",
  "xlsx",
  "odt",
  "odp",
  "ods",
  "epub",
  "rtf",
  "html",
  "csv",
  "json",
  "markdown",
  "text"
] as const
export type Format = typeof formats[number]

export const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/bmp", "image/tiff"] as const

/** Why a document is not read. */
export const reasons = ["encrypted", "empty", "unknown", "without_text", "too_large", "damaged"] as const
export type Reason = typeof reasons[number]

/** The document is not read: `message` is a sentence for the caller. */
export class Refusal extends Error {
  readonly reason: Reason
  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Markdown by pages or slides; one piece where the format has neither. */
export interface Read {
  readonly pieces: ReadonlyArray<string>
  /** Null where the format has no pages. */
  readonly pages: number | null
}

/** A piece of the Markdown from `start` to `end`, in code units. */
export interface Chunk {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly page: number | null
  /** The heading that it stands under. */
  readonly heading: string | null
}
