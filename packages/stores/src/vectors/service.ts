/** Vectors of an account: stored, asked about, removed. */
import { now } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { InvalidFields, MOST_NAMESPACES, StorageFull, type StoreBusy } from "../model.ts"
import { Turns } from "../turns.ts"
import { VectorIndexes } from "./indexes.ts"
import {
  type Duplicate,
  type Match,
  MOST_BYTES,
  MOST_COMPARED,
  type StoredVector,
  type VectorNamespace,
  type VectorQuery
} from "./model.ts"
import { dot, type PackedVectors, unit } from "./packed.ts"
import { rank } from "./ranking.ts"
import { type NewVector, VectorRepository } from "./repository.ts"

export interface UpsertResult {
  readonly upserted: number
  readonly duplicates: ReadonlyArray<Duplicate>
  /** In the namespace now. */
  readonly vectors: number
}

/** With near duplicates left out that are at least this near. */
interface Deduplicated {
  readonly dedup?: number | undefined
}

const unitOf = (field: string, vector: ReadonlyArray<number>): Effect.Effect<Float32Array, InvalidFields> => {
  const unitVector = unit(vector)
  return unitVector === undefined
    ? Effect.fail(new InvalidFields({ message: `${field}: a vector of zeros has no direction, so no cosine.` }))
    : Effect.succeed(unitVector)
}

const fitting = (
  field: string,
  vector: ReadonlyArray<number>,
  { dimensions }: { readonly dimensions: number }
): Effect.Effect<void, InvalidFields> =>
  vector.length === dimensions
    ? Effect.void
    : Effect.fail(
      new InvalidFields({
        message:
          `${field}: has ${vector.length} dimensions, and the vectors of this namespace have ${dimensions}. Use the model they were made with, or another namespace.`
      })
    )

/** The namespace, which is made while the account has room for it and for so many more vectors. */
const makeOpened = (repository: VectorRepository["Service"]) =>
  Effect.fnUntraced(function*(account: string, name: string, dimensions: number, added: number) {
    const namespace = yield* repository.namespace(account, name)
    const { bytes, namespaces } = yield* repository.usage(account)
    // As if none of them replaced another: only near the limit does it matter, and there it is the careful answer.
    if (bytes + added * dimensions * 4 > MOST_BYTES) {
      return yield* new StorageFull({
        message: `An account keeps ${MOST_BYTES} bytes of vectors, and has ${bytes}. Delete some, or whole namespaces.`
      })
    }
    if (namespace !== undefined) return namespace
    if (namespaces >= MOST_NAMESPACES) {
      return yield* new StorageFull({
        message: `An account has at most ${MOST_NAMESPACES} namespaces of vectors. Delete one, or use one of them.`
      })
    }
    return yield* repository.open(account, name, dimensions, yield* now)
  })

export class Vectors extends Context.Service<Vectors, {
  /**
   * Replaces what has the same id. With `dedup`, what is as near as that to another vector, stored or before it in the list, is not stored.
   */
  readonly upsert: (
    account: string,
    namespace: string,
    vectors: ReadonlyArray<StoredVector>,
    how: Deduplicated
  ) => Effect.Effect<UpsertResult, InvalidFields | StorageFull | StoreBusy>
  /** Nothing in a namespace that does not exist. */
  readonly query: (
    account: string,
    namespace: string,
    query: VectorQuery,
    how: Deduplicated & { readonly count: number }
  ) => Effect.Effect<ReadonlyArray<Match>, InvalidFields | StoreBusy>
  /** How many of them there were. */
  readonly remove: (account: string, namespace: string, ids: ReadonlyArray<string>) => Effect.Effect<number, StoreBusy>
  /** How many vectors it had. */
  readonly removeNamespace: (account: string, namespace: string) => Effect.Effect<number, StoreBusy>
}>()("@svc/stores/Vectors") {
  static readonly layer = Layer.effect(
    Vectors,
    Effect.gen(function*() {
      const repository = yield* VectorRepository
      const indexes = yield* VectorIndexes
      const turns = yield* Turns
      const opened = makeOpened(repository)

      /** The nearest other vector that is as near as the threshold. */
      const nearDuplicate = Effect.fnUntraced(
        function*(packed: PackedVectors, one: NewVector, before: ReadonlyArray<NewVector>, threshold: number) {
          const stored = yield* rank(packed, one.vector, { count: 2 })
          const others = [
            ...stored.map(({ cosine, place }) => ({ of: packed.id(place), cosine })),
            ...before.map(({ id, vector }) => ({ of: id, cosine: dot(vector, one.vector) }))
          ].filter(({ cosine, of }) => of !== one.id && cosine >= threshold)
          return others.sort((a, b) => b.cosine - a.cosine)[0]
        }
      )

      const distinct = Effect.fnUntraced(
        function*(account: string, namespace: VectorNamespace, vectors: ReadonlyArray<NewVector>, threshold: number) {
          if (vectors.length > MOST_COMPARED) {
            return yield* new InvalidFields({
              message:
                `vectors: with semantic_dedup a call takes ${MOST_COMPARED}, because each is compared with all others, and these are ${vectors.length}.`
            })
          }
          const packed = yield* indexes.fresh(account, namespace)
          const kept: Array<NewVector> = []
          const duplicates: Array<Duplicate> = []
          for (const one of vectors) {
            const duplicate = yield* nearDuplicate(packed, one, kept, threshold)
            if (duplicate === undefined) kept.push(one)
            else duplicates.push({ id: one.id, ...duplicate })
          }
          return { kept, duplicates }
        }
      )

      const upsert = Effect.fnUntraced(
        function*(
          account: string,
          name: string,
          vectors: ReadonlyArray<StoredVector>,
          { dedup }: Deduplicated
        ): Effect.fn.Return<UpsertResult, InvalidFields | StorageFull | SqlError.SqlError> {
          const [first] = vectors
          if (first === undefined) {
            return { upserted: 0, duplicates: [], vectors: (yield* repository.namespace(account, name))?.vectors ?? 0 }
          }
          const namespace = yield* opened(account, name, first.vector.length, vectors.length)
          yield* Effect.forEach(vectors, ({ vector }, n) => fitting(`vectors[${n}].vector`, vector, namespace), { discard: true })
          const all = yield* Effect.forEach(
            vectors,
            ({ id, metadata = {}, vector }, n) =>
              Effect.map(unitOf(`vectors[${n}].vector`, vector), (of): NewVector => ({ id, metadata, vector: of }))
          )
          // Of those with one id the last counts.
          const unique = Array.from(new Map(all.map((one) => [one.id, one])).values())
          const { duplicates, kept } = dedup === undefined
            ? { duplicates: [], kept: unique }
            : yield* distinct(account, namespace, unique, dedup)
          if (kept.length > 0) {
            yield* repository.put(account, namespace.id, kept, yield* now)
          }
          return { upserted: kept.length, duplicates, vectors: (yield* repository.namespace(account, name))?.vectors ?? 0 }
        }
      )

      const query = Effect.fnUntraced(
        function*(
          account: string,
          name: string,
          { filter, recency_half_life_days, sparse_ids, vector }: VectorQuery,
          { count, dedup }: Deduplicated & { readonly count: number }
        ) {
          const namespace = yield* repository.namespace(account, name)
          if (namespace === undefined) return []
          yield* fitting("query.vector", vector, namespace)
          const of = yield* unitOf("query.vector", vector)
          const packed = yield* indexes.fresh(account, namespace)
          const ranked = yield* rank(packed, of, {
            count,
            ...(filter === undefined || Object.keys(filter).length === 0
              ? {}
              : { allowed: new Set(yield* repository.ids(account, namespace.id, filter)) }),
            ...(recency_half_life_days === undefined
              ? {}
              : { recency: { halfLifeDays: recency_half_life_days, now: DateTime.toEpochMillis(yield* now) } }),
            ...(sparse_ids === undefined ? {} : { sparse: sparse_ids }),
            ...(dedup === undefined ? {} : { dedup })
          })
          const matches = ranked.map(({ cosine, place, score }) => ({ id: packed.id(place), score, cosine }))
          const facts = yield* repository.facts(account, namespace.id, matches.map(({ id }) => id))
          return matches.flatMap((match): ReadonlyArray<Match> => {
            const metadata = facts.get(match.id)
            // Another process has just removed it.
            return metadata === undefined ? [] : [{ ...match, metadata }]
          })
        }
      )

      const remove = Effect.fnUntraced(function*(account: string, name: string, ids: ReadonlyArray<string>) {
        const namespace = yield* repository.namespace(account, name)
        return namespace === undefined ? 0 : yield* repository.remove(account, namespace.id, ids)
      })

      const removeNamespace = Effect.fnUntraced(function*(account: string, name: string) {
        const removedNamespace = yield* repository.removeNamespace(account, name)
        if (removedNamespace === undefined) return 0
        yield* indexes.forget(removedNamespace.id)
        return removedNamespace.vectors
      })

      return Vectors.of({
        upsert: (account, namespace, vectors, how) => turns.write("vectors", account, upsert(account, namespace, vectors, how)),
        query: (account, namespace, asked, how) => turns.take("vectors", account, query(account, namespace, asked, how)),
        remove: (account, namespace, ids) => turns.write("vectors", account, remove(account, namespace, ids)),
        removeNamespace: (account, namespace) => turns.write("vectors", account, removeNamespace(account, namespace))
      })
    })
  )
}
