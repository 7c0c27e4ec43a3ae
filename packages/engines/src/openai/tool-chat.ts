/** A conversation with a language model that may ask for functions. It only asks: whoever holds the conversation decides what is run. */
import { Effect, Schema } from "effect"
import { makeModelClient, type ModelServer } from "./client.ts"

export interface ChatFunction {
  readonly name: string
  readonly description: string
  /** The JSON Schema of its arguments. */
  readonly parameters: object
}

const Call = Schema.Struct({ id: Schema.String, function: Schema.Struct({ name: Schema.String, arguments: Schema.String }) })
export type FunctionCall = typeof Call.Type

export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
    readonly role: "assistant"
    readonly content: string | null
    readonly tool_calls?: ReadonlyArray<FunctionCall & { type: "function" }>
  }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }

const Answer = Schema.Struct({
  choices: Schema.NonEmptyArray(Schema.Struct({
    message: Schema.Struct({
      content: Schema.optionalKey(Schema.NullOr(Schema.String)),
      tool_calls: Schema.optionalKey(Schema.NullOr(Schema.Array(Call)))
    })
  }))
})

const MAX_RESPONSE_BYTES = 256 * 1024

export interface Turn {
  readonly messages: ReadonlyArray<ChatMessage>
  readonly functions: ReadonlyArray<ChatFunction>
  readonly max_tokens: number
}

/** One turn: what the model says, and which functions it asks for. */
export const makeToolChat = Effect.fnUntraced(function*(server: ModelServer) {
  const ask = yield* makeModelClient(server)
  return Effect.fnUntraced(function*({ functions, max_tokens, messages }: Turn) {
    const { choices: [{ message: { content, tool_calls } }] } = yield* ask({
      path: "/chat/completions",
      body: {
        model: server.model,
        messages,
        tools: functions.map((one) => ({ type: "function", function: one })),
        max_tokens,
        temperature: 0,
        stream: false
      },
      answer: Answer,
      maxResponseBytes: MAX_RESPONSE_BYTES
    })
    return { text: content ?? "", calls: tool_calls ?? [] }
  })
})
