/** JSON-RPC 2.0 as it travels: what a message is, and the shapes of its answers. */
import { doubledName, parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { beginningOf } from "@svc/kernel/values/text"
import { Option, Record, Schema } from "effect"

/** A number beyond these is read as another one, and would come back as that. */
const Exact = Schema.Finite.check(Schema.isBetween({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }))

/** Half of a surrogate pair would come back as another character. */
const Unicode = Schema.String.check(Schema.makeFilter((text) => text.isWellFormed()))

/** `null` is an id that a caller may send; a notification has none at all. */
const Id = Schema.Union([Unicode, Exact, Schema.Null])
export type Id = typeof Id.Type

const Params = Schema.Record(Schema.String, Schema.Unknown)
export type Params = typeof Params.Type

const Message = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  method: Schema.String,
  id: Schema.optionalKey(Id),
  params: Schema.optionalKey(Params)
})
export type Message = typeof Message.Type

const RpcErrorSchema = Schema.Struct({ code: Schema.Finite, message: Schema.String, data: Schema.optionalKey(Schema.Unknown) })
/** The refusal of a request. */
export type RpcError = typeof RpcErrorSchema.Type

/** A client's answer to something that the server asked. */
const Response = Schema.Struct({
  jsonrpc: Schema.Literal("2.0"),
  id: Id,
  result: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(RpcErrorSchema)
})
export type Response = typeof Response.Type

const decodeMessage = Schema.decodeUnknownOption(Message)
const decodeResponse = Schema.decodeUnknownOption(Response)
const decodeId = Schema.decodeUnknownOption(Schema.Struct({ id: Id }))

export const errors = {
  parse: (why: string): RpcError => ({ code: -32700, message: `The body is not JSON: ${why}. Send one JSON-RPC 2.0 request.` }),
  invalid: (why: string): RpcError => ({ code: -32600, message: `Not a request that this server reads: ${why}.` }),
  method: (method: string, known: ReadonlyArray<string>): RpcError => ({
    code: -32601,
    message: `There is no method ${beginningOf(method, 80)}. This server knows ${known.join(", ")}.`
  }),
  params: (why: string): RpcError => ({ code: -32602, message: why }),
  internal: { code: -32603, message: "Something failed on our side. Call again." }
} as const

/**
 * JSON-RPC and MCP keep these numbers for what is wrong with the message, which HTTP delivered well. Ours are refusals that have a status
 * of HTTP, too.
 */
export const isProtocols = (code: number): boolean => code >= -32768 && code <= -32000

export const reply = (id: Id, result: unknown) => ({ jsonrpc: "2.0", id, result }) as const
export const refusal = (id: Id, error: RpcError) => ({ jsonrpc: "2.0", id, error }) as const
export const notification = (method: string, params: Params) => ({ jsonrpc: "2.0", method, params }) as const
export const question = (id: string, method: string, params: Params) => ({ jsonrpc: "2.0", id, method, params }) as const

/** What one part of a body is: a message, an answer to us, or the refusal of what is neither. */
export type ParsedMessage =
  | { readonly _tag: "Message"; readonly message: Message }
  | { readonly _tag: "Response"; readonly response: Response }
  | { readonly _tag: "Invalid"; readonly answer: ReturnType<typeof refusal> }

/** The id of what was sent, whatever else it is; null when it has none that can be echoed. */
export const idOf = (value: unknown): Id => Option.match(decodeId(value), { onNone: () => null, onSome: ({ id }) => id })

const isAnswer = ({ error, result }: Response): boolean => (error === undefined) !== (result === undefined)

/** Some clients send `null`, and those of PHP `[]`, where they have nothing to say. */
const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** The members of an object but for those of these names that are empty. */
const withoutEmpty = (value: Params, ...names: ReadonlyArray<string>): Params =>
  names.some((name) => isEmpty(value[name])) ? Record.filter(value, (member, name) => !(names.includes(name) && isEmpty(member))) : value

/** Empty parameters of a message are none, and so are empty arguments of a tool. */
const withoutEmptyParams = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const message = withoutEmpty(value, "params")
  const { params } = message
  return isRecord(params) ? { ...message, params: withoutEmpty(params, "arguments", "_meta") } : message
}

export const read = (value: unknown): ParsedMessage => {
  const message = Option.getOrUndefined(decodeMessage(withoutEmptyParams(value)))
  if (message !== undefined) return { _tag: "Message", message }
  const response = Option.getOrUndefined(decodeResponse(value))
  const hasMethod = typeof value === "object" && value !== null && "method" in value
  if (response !== undefined && !hasMethod && isAnswer(response)) return { _tag: "Response", response }
  return {
    _tag: "Invalid",
    answer: refusal(
      idOf(value),
      errors.invalid(
        "jsonrpc must be \"2.0\", method a string, id a string of whole characters, null or a number that is exact (none beyond 2^53 - 1: send it as a string), and params an object"
      )
    )
  }
}

/** Levels of nesting: arguments of tools need a handful, and readers of the result call themselves at each. */
const DEEPEST = 64

const isTooDeep = (value: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((one) => typeof one === "object" && one !== null ? Object.values(one) : [])
  }
  return false
}

/** The value of a body, or why there is none. */
export const parse = (body: string): { readonly value: unknown } | { readonly error: RpcError; readonly id?: Id } => {
  try {
    const value = parseJson(body)
    if (isTooDeep(value)) return { error: errors.invalid(`it is nested more than ${DEEPEST} deep`) }
    const name = doubledName(body, value)
    if (name === undefined) return { value }
    return {
      error: errors.invalid(
        `the name ${
          JSON.stringify(beginningOf(name, 80))
        } stands twice in one object, and readers of JSON differ on which value counts. Send it once`
      ),
      id: idOf(value)
    }
  } catch {
    return { error: errors.parse("it ends or goes on where it may not") }
  }
}
