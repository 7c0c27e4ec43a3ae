/** A document of discovery: what it is made of, and how it travels. */
import type { Described } from "@svc/tool-kit/services/directory"
import type { Site } from "@svc/tool-kit/services/site"

/** Everything that documents tell of. */
export interface DocumentFacts {
  readonly site: Site["Service"]
  readonly tools: ReadonlyArray<Described>
  /** Unix milliseconds, for documents that expire, such as security.txt. */
  readonly now: number
}

export interface Document {
  readonly text: string
  readonly contentType: string
  /** Of a page: what a browser may do with it. */
  readonly policy?: string
}

export type Make = (facts: DocumentFacts) => Document

export const json = (value: unknown, contentType = "application/json"): Document => ({ text: JSON.stringify(value), contentType })

export const markdown = (text: string): Document => ({ text, contentType: "text/markdown; charset=utf-8" })

export const plain = (text: string): Document => ({ text, contentType: "text/plain; charset=utf-8" })
