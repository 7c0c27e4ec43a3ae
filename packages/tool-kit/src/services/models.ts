/** What needs a model: vectors of text, and text of a prompt. */
import { Context, type Effect, Schema } from "effect"
import type { Backend, NotConfigured } from "../backend.ts"
import type { Call } from "../call.ts"
import { may } from "../fields.ts"
import type { FetchFailed, InvalidRequest } from "./errors.ts"

export const Embeddings = Schema.Struct({
  vectors: Schema.Array(Schema.Array(Schema.Finite)),
  dimensions: Schema.Natural,
  model_used: Schema.String,
  /** False where texts are compared by their words alone. */
  semantic: Schema.Boolean,
  engineer: may(Schema.Struct({ dimensions: Schema.Natural, adapter_mean: Schema.NullOr(Schema.Array(Schema.Finite)) }))
})
export type Embeddings = typeof Embeddings.Type

export interface EmbedRequest {
  readonly input: ReadonlyArray<string>
  readonly dimensions?: number
  /** Texts whose mean is taken out of the vectors, or the `adapter_mean` of an earlier answer. */
  readonly corpus_adapter?: ReadonlyArray<string> | ReadonlyArray<number>
}

export class Embedder extends Context.Service<
  Embedder,
  Backend<{
    /** One vector a text, in their order. */
    readonly embed: (request: EmbedRequest, call: Call) => Effect.Effect<Embeddings, FetchFailed | InvalidRequest | NotConfigured>
  }>
>()("@svc/tool-kit/Embedder") {}

export const Message = Schema.Struct({ role: Schema.Literals(["system", "user", "assistant"]), content: Schema.String })

export const Inference = Schema.Struct({
  text: Schema.String,
  model_used: Schema.String,
  finish_reason: Schema.Literals(["stop", "length", "refused"]),
  /** Null where the model server does not count. */
  usage: Schema.NullOr(Schema.Struct({ input_tokens: Schema.Natural, output_tokens: Schema.Natural })),
  /** Parameters that the model server cannot take. */
  ignored_params: Schema.Array(Schema.String),
  structured: may(Schema.Struct({ valid: Schema.Boolean, parsed: Schema.Json, schema_errors: Schema.Array(Schema.String) }))
})
export type Inference = typeof Inference.Type

export interface InferenceRequest {
  readonly messages: ReadonlyArray<typeof Message.Type>
  readonly max_tokens: number
  readonly temperature: number
  readonly top_k?: number
  readonly top_p: number
  readonly seed?: number
  readonly stop?: ReadonlyArray<string>
  readonly json_schema?: { readonly [key: string]: Schema.Json }
}

export class InferenceModel extends Context.Service<
  InferenceModel,
  Backend<{
    readonly infer: (request: InferenceRequest, call: Call) => Effect.Effect<Inference, FetchFailed | InvalidRequest>
  }>
>()("@svc/tool-kit/InferenceModel") {}
