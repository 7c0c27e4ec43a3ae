/** Documents that a caller has indexed, and what a search of them answers. */
import { Schema } from "effect"
import { name, StoredMetadata, text, whole } from "../model.ts"

/** Documents of an account in all its namespaces. A word that all of them hold costs a query half a megabyte to read. */
export const MOST_DOCUMENTS = 200_000

/** Bytes of an account: of its texts, and of each word that a document holds what it takes to find it there. */
export const MOST_BYTES = 1024 * 1024 * 1024
export const BYTES_A_WORD = 64

export const MOST_IN_A_CALL = 100

export const MOST_RESULTS = 100

/** Different words of a query; the rest is not searched for. Each may cost what the most common word costs. */
export const MOST_WORDS = 16

export const DocId = name(256)

export const SearchDocument = Schema.Struct({
  doc_id: DocId,
  url: Schema.optionalKey(text(2_048)),
  title: Schema.optionalKey(text(512)),
  // Fewer words than the index can count in a document.
  content: text(65_536),
  metadata: Schema.optionalKey(StoredMetadata)
}).annotate({ identifier: "Document" })
export type SearchDocument = typeof SearchDocument.Type

export const MaxResults = whole(1, MOST_RESULTS)

export const SearchHit = Schema.Struct({
  doc_id: Schema.String,
  url: Schema.optionalKey(Schema.String),
  title: Schema.String,
  score: Schema.Finite,
  snippet: Schema.optionalKey(Schema.String),
  metadata: StoredMetadata
})
export type SearchHit = typeof SearchHit.Type

/** Where a part of the answer is from. Offsets count UTF-16 units: `start` to `end` in the answer, `source_…` in the document's content. */
export const Citation = Schema.Struct({
  start: Schema.Natural,
  end: Schema.Natural,
  doc_id: Schema.String,
  url: Schema.optionalKey(Schema.String),
  source_start: Schema.Natural,
  source_end: Schema.Natural
})
export type Citation = typeof Citation.Type

export interface SearchNamespace {
  readonly id: number
  readonly documents: number
  readonly tokens: number
  readonly next_number: number
}

/** A document as it is kept. */
export interface StoredDocument {
  readonly doc_id: string
  readonly number: number
  readonly url: string | null
  readonly title: string
  readonly content: string
  readonly metadata: StoredMetadata
  /** Words that it has, repeated ones counted each time. */
  readonly tokens: number
  /** What it counts against the account's limit. */
  readonly bytes: number
}
