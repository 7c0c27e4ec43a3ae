/** Text by a language model on a model server. */
import { Effect, Schema } from "effect"
import { makeModelClient, type ModelServer, ModelUnavailable } from "./client.ts"

export interface ChatRequest {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  readonly max_tokens: number
  readonly temperature: number
  readonly top_p: number
  readonly seed?: number
  readonly stop?: ReadonlyArray<string>
  readonly json_schema?: object
}

const Answer = Schema.Struct({
  model: Schema.optionalKey(Schema.String),
  choices: Schema.NonEmptyArray(Schema.Struct({
    message: Schema.Struct({
      content: Schema.optionalKey(Schema.NullOr(Schema.String)),
      refusal: Schema.optionalKey(Schema.NullOr(Schema.String))
    }),
    finish_reason: Schema.optionalKey(Schema.NullOr(Schema.String))
  })),
  usage: Schema.optionalKey(Schema.NullOr(Schema.Struct({ prompt_tokens: Schema.Natural, completion_tokens: Schema.Natural })))
})

const MAX_RESPONSE_BYTES = 4 * 1024 ** 2

export const makeChat = Effect.fnUntraced(function*(server: ModelServer) {
  const ask = yield* makeModelClient(server)
  return Effect.fnUntraced(function*({ json_schema, ...request }: ChatRequest) {
    const format = json_schema === undefined
      ? {}
      : { response_format: { type: "json_schema", json_schema: { name: "answer", schema: json_schema } } }
    const { choices: [{ finish_reason, message }], model = server.model, usage } = yield* ask({
      path: "/chat/completions",
      body: { model: server.model, ...request, ...format, stream: false },
      answer: Answer,
      maxResponseBytes: MAX_RESPONSE_BYTES
    })
    const refusal = message.refusal ?? ""
    const text = message.content ?? ""
    const isRefused = finish_reason === "content_filter" || refusal !== ""
    if (text === "" && !isRefused) return yield* new ModelUnavailable({ message: "The model answered without a text.", retryable: true })
    const reason = isRefused ? "refused" as const : finish_reason === "length" ? "length" as const : "stop" as const
    return {
      text: text === "" ? refusal : text,
      model_used: model,
      finish_reason: reason,
      usage: usage == null ? null : { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens }
    }
  })
})
