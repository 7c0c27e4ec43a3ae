/** Vectors by namespace: what is stored, what is asked, and the limits. */
import { Schema } from "effect"
import { name, StoredMetadata, whole } from "../model.ts"

/** The most that embedding models give. */
export const MOST_DIMENSIONS = 4_096

/**
 * Bytes of float4 that an account may keep in all its namespaces: 170,000 vectors of 384 dimensions. A process keeps the vectors that are
 * asked about in memory, and one account must not be able to fill it.
 */
export const MOST_BYTES = 256 * 1024 * 1024

export const MOST_IN_A_CALL = 500

/** With `semantic_dedup` each vector is compared with all others. */
export const MOST_COMPARED = 50

export const MOST_RESULTS = 100

export const VectorId = name(128)

export const Numbers = Schema.Array(Schema.Finite).check(Schema.isMinLength(1), Schema.isMaxLength(MOST_DIMENSIONS))

export const StoredVector = Schema.Struct({ id: VectorId, vector: Numbers, metadata: Schema.optionalKey(StoredMetadata) })
export type StoredVector = typeof StoredVector.Type

export const VectorIds = Schema.Array(VectorId).check(Schema.isMinLength(1), Schema.isMaxLength(MOST_IN_A_CALL))

export const VectorQuery = Schema.Struct({
  vector: Numbers,
  top_k: Schema.optionalKey(whole(1, MOST_RESULTS)),
  filter: Schema.optionalKey(StoredMetadata),
  recency_half_life_days: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0))),
  sparse_ids: Schema.optionalKey(
    Schema.Array(VectorId).check(Schema.isMaxLength(MOST_RESULTS)).annotate({
      description: "Ids as a keyword search ranked them; fused in"
    })
  )
})
export type VectorQuery = typeof VectorQuery.Type

/** What was found. `score` is what it is ranked by: the cosine, or what recency and fusion made of it. */
export const Match = Schema.Struct({
  id: Schema.String,
  score: Schema.Finite,
  cosine: Schema.Finite,
  metadata: Schema.optionalKey(StoredMetadata)
})
export type Match = typeof Match.Type

/** A vector that was not stored, because another one is as good as the same. */
export const Duplicate = Schema.Struct({ id: Schema.String, of: Schema.String, cosine: Schema.Finite })
export type Duplicate = typeof Duplicate.Type

export interface VectorNamespace {
  readonly id: number
  readonly dimensions: number
  readonly vectors: number
  readonly version: number
  readonly pruned: number
}
