/** Vectors by a model server. */
import { Effect, Schema } from "effect"
import { makeModelClient, type ModelServer, ModelUnavailable } from "./client.ts"

const Answer = Schema.Struct({
  model: Schema.optionalKey(Schema.String),
  data: Schema.Array(Schema.Struct({ index: Schema.Natural, embedding: Schema.Array(Schema.Finite) }))
})

/** 2048 vectors of 2048 numbers, as text. */
const MAX_RESPONSE_BYTES = 96 * 1024 ** 2

export const makeRemoteEmbedder = Effect.fnUntraced(function*(server: ModelServer) {
  const ask = yield* makeModelClient(server)
  /** A vector for each text, in their order. */
  return Effect.fnUntraced(function*(texts: ReadonlyArray<string>, dimensions: number | undefined) {
    const body = { model: server.model, input: texts, encoding_format: "float", ...(dimensions === undefined ? {} : { dimensions }) }
    const { data, model = server.model } = yield* ask({ path: "/embeddings", body, answer: Answer, maxResponseBytes: MAX_RESPONSE_BYTES })
    const byIndex = new Map(data.map(({ embedding, index }) => [index, embedding]))
    const vectors = texts.flatMap((_, index) => [byIndex.get(index)].filter((vector) => vector !== undefined))
    const length = vectors[0]?.length ?? 0
    if (vectors.length !== texts.length || length === 0 || vectors.some((vector) => vector.length !== length)) {
      return yield* new ModelUnavailable({ message: "The model server did not answer with one vector for each text.", retryable: true })
    }
    return { vectors, model }
  })
})
