/** A document of discovery: what it is made of, and how it travels. */
import type { Described } from "../../services/directory.ts"
import type { Site } from "../../services/site.ts"

/** Everything that documents tell of. */
export interface Facts {
  readonly site: Site["Service"]
  readonly tools: ReadonlyArray<Described>
  /** For what ends, such as security.txt: Unix milliseconds. */
  readonly now: number
}

export interface Document {
  readonly text: string
  readonly contentType: string
}

export type Make = (facts: Facts) => Document

export const json = (value: unknown, contentType = "application/json"): Document => ({ text: JSON.stringify(value), contentType })

export const markdown = (text: string): Document => ({ text, contentType: "text/markdown; charset=utf-8" })

export const plain = (text: string): Document => ({ text, contentType: "text/plain; charset=utf-8" })
