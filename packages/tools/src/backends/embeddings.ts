/** Vectors by the operator's model server, by what words mean, or by words alone. */
import { meanOf, withoutMean } from "@svc/engines/embeddings/adapter"
import { DIMENSIONS, hashNgram, MODEL } from "@svc/engines/embeddings/hash-ngram"
import { makeWordEmbedder, WORDS_DIMENSIONS, WORDS_MODEL } from "@svc/engines/embeddings/words"
import { makeRemoteEmbedder } from "@svc/engines/openai/embeddings"
import type { NotConfigured } from "@svc/tool-kit/backend"
import { type FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { Embedder, type Embeddings, type EmbedRequest } from "@svc/tool-kit/services/models"
import { Effect, Layer } from "effect"
import { notConfigured } from "./confinement.ts"
import { ofModel } from "./models.ts"
import { EmbeddingSettings } from "./settings.ts"

interface Embedded {
  readonly vectors: ReadonlyArray<ReadonlyArray<number>>
  readonly model: string
}

/** `field` is where the texts stand in the call: whoever reads a refusal finds the one that is wrong. */
type Embed = (
  texts: ReadonlyArray<string>,
  dimensions: number | undefined,
  field: string
) => Effect.Effect<Embedded, InvalidRequest | FetchFailed | NotConfigured>

const invalid = (field: string, index: number, why: string) => new InvalidRequest({ message: `${field}[${index}]: ${why}` })

const isBlank = (text: string): boolean => text.trim() === ""

/** Other requests have their turn between two texts. */
const byHash: Embed = Effect.fnUntraced(function*(texts, dimensions = DIMENSIONS, field) {
  const vectors = yield* Effect.forEach(texts, (text, index) =>
    Effect.andThen(
      Effect.yieldNow,
      Effect.suspend(() => {
        const vector = hashNgram(text, dimensions)
        return vector === undefined ? Effect.fail(invalid(field, index, "has no word.")) : Effect.succeed(vector)
      })
    ))
  return { vectors, model: MODEL }
})

const byWords = (ask: Effect.Success<typeof makeWordEmbedder>["embed"]): Embed =>
  Effect.fnUntraced(function*(texts, dimensions = WORDS_DIMENSIONS, field) {
    if (dimensions !== WORDS_DIMENSIONS) {
      return yield* new InvalidRequest({ message: `dimensions: ${WORDS_MODEL} gives ${WORDS_DIMENSIONS}. Leave it out.` })
    }
    const answer = yield* Effect.mapError(ask(texts), notConfigured)
    const vectors = yield* Effect.forEach(
      answer,
      (vector, index) =>
        vector === null
          ? Effect.fail(invalid(field, index, `has no word that ${WORDS_MODEL} knows, which is English.`))
          : Effect.succeed(vector)
    )
    return { vectors, model: WORDS_MODEL }
  })

const byServer = (ask: Effect.Success<ReturnType<typeof makeRemoteEmbedder>>): Embed =>
  Effect.fnUntraced(function*(texts, dimensions, field) {
    const blank = texts.findIndex(isBlank)
    if (blank !== -1) return yield* invalid(field, blank, "has no word.")
    const answer = yield* Effect.mapError(ask(texts, dimensions), ofModel)
    const given = answer.vectors[0]?.length
    if (dimensions === undefined || given === dimensions) return answer
    return yield* new InvalidRequest({ message: `dimensions: ${answer.model} gives ${given}, whatever it is asked for. Leave it out.` })
  })

const isMean = (adapter: NonNullable<EmbedRequest["corpus_adapter"]>): adapter is ReadonlyArray<number> => typeof adapter[0] === "number"

/** What the settings ask for. */
const chosen = Effect.gen(function*() {
  const { local, server } = yield* EmbeddingSettings
  if (server !== undefined) return { embed: byServer(yield* makeRemoteEmbedder(server)), semantic: true, ready: Effect.void }
  if (local === "hash-ngram") return { embed: byHash, semantic: false, ready: Effect.void }
  const { embed, ready } = yield* makeWordEmbedder
  return { embed: byWords(embed), semantic: true, ready: Effect.mapError(ready, notConfigured) }
})

const make = Effect.gen(function*() {
  const { embed, ready, semantic } = yield* chosen

  const adapterMean = Effect.fnUntraced(function*({ corpus_adapter: adapter, dimensions }: EmbedRequest) {
    if (adapter === undefined || isMean(adapter)) return adapter
    return meanOf((yield* embed(adapter, dimensions, "corpus_adapter")).vectors)
  })

  const adapted = (vectors: Embedded["vectors"], mean: ReadonlyArray<number>) => {
    const length = vectors[0]?.length ?? 0
    if (mean.length !== length) {
      return Effect.fail(
        new InvalidRequest({ message: `corpus_adapter: it has ${mean.length} numbers, and the vectors ${length}. Ask for as many.` })
      )
    }
    return Effect.forEach(vectors, (vector, index) => {
      const rest = withoutMean(vector, mean)
      return rest === undefined
        ? Effect.fail(invalid("input", index, "is the mean of corpus_adapter: nothing is left."))
        : Effect.succeed(rest)
    })
  }

  const embedder = {
    embed: Effect.fnUntraced(function*(request: EmbedRequest, { mode }: { readonly mode: string }) {
      const { model, vectors } = yield* embed(request.input, request.dimensions, "input")
      const mean = yield* adapterMean(request)
      const answered = mean === undefined ? vectors : yield* adapted(vectors, mean)
      const dimensions = answered[0]?.length ?? 0
      return {
        vectors: answered,
        dimensions,
        model_used: model,
        semantic,
        ...(mode === "engineer" ? { engineer: { dimensions, adapter_mean: mean ?? null } } : {})
      } satisfies Embeddings
    })
  }
  return Embedder.of({ get: Effect.as(ready, embedder) })
})

export const layer = Layer.effect(Embedder, make)
