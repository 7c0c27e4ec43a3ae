/** JSON-RPC 2.0 as it travels: what a request is, and the shapes of its answers. */
import { parseJson } from "@svc/kernel/json"
import { Option, Schema } from "effect"

/** `null` is an id that a caller may send; a notification has none at all. */
const Id = Schema.Union([Schema.String, Schema.Finite, Schema.Null])
export type Id = typeof Id.Type

const Message = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  method: Schema.String,
  id: Schema.optionalKey(Id),
  params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type Message = typeof Message.Type

const decodeMessage = Schema.decodeUnknownOption(Message)
const decodeId = Schema.decodeUnknownOption(Schema.Struct({ id: Id }))

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export const errors = {
  parse: (why: string): RpcError => ({ code: -32700, message: `The body is not JSON: ${why}. Send one JSON-RPC 2.0 request.` }),
  invalid: (why: string): RpcError => ({ code: -32600, message: `Not a JSON-RPC 2.0 request: ${why}.` }),
  method: (method: string, known: ReadonlyArray<string>): RpcError => ({ code: -32601, message: `There is no method ${method}. This server knows ${known.join(", ")}.` }),
  params: (why: string): RpcError => ({ code: -32602, message: why }),
  internal: { code: -32603, message: "Something failed on our side. Call again." }
} as const

export const reply = (id: Id, result: unknown) => ({ jsonrpc: "2.0", id, result }) as const
export const refusal = (id: Id, error: RpcError) => ({ jsonrpc: "2.0", id, error }) as const

/** What one part of a body is: a message, or the answer that refuses it. */
export type Read = { readonly _tag: "Message"; readonly message: Message } | { readonly _tag: "Invalid"; readonly answer: ReturnType<typeof refusal> }

export const read = (value: unknown): Read => {
  const message = Option.getOrUndefined(decodeMessage(value))
  if (message !== undefined) return { _tag: "Message", message }
  const id = Option.match(decodeId(value), { onNone: () => null, onSome: (found) => found.id })
  return { _tag: "Invalid", answer: refusal(id, errors.invalid("jsonrpc must be \"2.0\", method a string, id a string, number or null, and params an object")) }
}

/** Throws a SyntaxError for what is not JSON. */
export const parse = (body: string): unknown => parseJson(body)
