/** Refusals in the document: one Error schema, and for each operation the codes that it can answer with. */
import { UNREACHABLE_RETRY_AFTER } from "@svc/kernel/database/unreachable"
import { catalog } from "../catalog.ts"
import type { Components, Example, JsonSchema, Operation, Response } from "./document.ts"
import { mapValues, ref, responsesOf, schemaName } from "./document.ts"

const codes = catalog.errors

const isCode = (text: unknown): text is string => typeof text === "string" && codes.has(text)

export const errorSchema: JsonSchema = {
  type: "object",
  description: "Every refusal has this shape. Switch on `error`; on a 400 `code` names the field, on a 402 `decline_code` says why. The message says what happened, why, and what to do next.",
  properties: {
    error: { type: "string", enum: Array.from(codes.keys()), description: "Stable code; GET /v1/error_codes explains each" },
    message: { type: "string" },
    code: { type: "string", description: "The field that was refused, as a path such as metadata.order" },
    decline_code: { ...ref("schemas", "DeclineCode"), description: "Why the payment was declined" },
    request_id: { type: "string", description: "The id of the request, as in the Request-Id header. A replayed answer carries the id of the first request" },
    details: { type: "object", description: "What a program may want to know, by code" }
  },
  required: ["error", "message", "request_id"]
}

/** Codes of the field that an example is about. */
const fields: Readonly<Record<string, string>> = {
  validation_error: "amount",
  card_number_not_accepted: "metadata.note",
  idempotency_key_reused: "idempotency_key",
  amount_too_large: "amount"
}

const details: Readonly<Record<string, JsonSchema>> = {
  invalid_state: { state: "captured", allowed: ["refund"] },
  rate_limited: { retry_after: 1 },
  idempotency_in_progress: { retry_after: 1 },
  service_unavailable: { retry_after: UNREACHABLE_RETRY_AFTER },
  provider_unavailable: { retry_after: 5 }
}

const exampleName = (code: string) => `error_${code}`

/** One example for each code. */
export const errorExamples: Readonly<Record<string, Example>> = Object.fromEntries(
  Array.from(codes.values()).map(({ error, meaning, next }) => [exampleName(error), {
    summary: meaning,
    value: {
      error,
      message: `${meaning} ${next}`,
      ...(fields[error] === undefined ? {} : { code: fields[error] }),
      ...(error === "card_declined" ? { decline_code: "insufficient_funds" } : {}),
      request_id: "req_01KDVK5D80000000000000000A",
      ...(details[error] === undefined ? {} : { details: details[error] })
    }
  }])
)

/** The code that an error component stands for. */
const codeOf = (schema: JsonSchema | undefined): string | undefined => {
  const properties = schema?.["properties"]
  if (typeof properties !== "object" || properties === null || !("error" in properties)) return undefined
  const { error } = properties
  if (typeof error !== "object" || error === null || !("enum" in error) || !Array.isArray(error.enum) || error.enum.length !== 1) return undefined
  const code: unknown = error.enum[0]
  return isCode(code) ? code : undefined
}

/** Whether the component is the body of an error, which the one Error schema replaces. */
export const isErrorComponent = (schema: JsonSchema): boolean => codeOf(schema) !== undefined

const alternatives = (schema: JsonSchema): ReadonlyArray<JsonSchema> => Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema]

const declared = (operation: Operation, schemas: Components["schemas"]): ReadonlyArray<string> =>
  responsesOf(operation).flatMap(([, { content = {} }]) =>
    Object.values(content).flatMap(({ schema }) =>
      alternatives(schema).flatMap((one) => {
        const name = schemaName(one)
        const code = codeOf(name === undefined ? one : schemas[name])
        return code === undefined ? [] : [code]
      })
    )
  )

/** What stands before every handler can refuse too, and anything can fail. */
const ofTheFramework = (method: string): ReadonlyArray<string> => [
  "validation_error",
  // A body is read, and looked through, even where none is asked for.
  ...(method === "get" ? [] : ["payload_too_large", "unsupported_media_type"] as const),
  "internal",
  "service_unavailable"
]

const headersOf = (status: number, list: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...(status === 401 ? ["WWW-Authenticate"] : []),
  ...(list.some((code) => code === "payment_in_flight" || "retry_after" in (details[code] ?? {})) ? ["Retry-After"] : [])
]

const responseOf = (status: number, list: ReadonlyArray<string>): Response => ({
  description: list.map((code) => `\`${code}\`: ${codes.get(code)?.meaning ?? ""}`).join("\n\n"),
  headers: Object.fromEntries(headersOf(status, list).map((name) => [name, ref("headers", name)])),
  content: {
    "application/json": {
      schema: { ...ref("schemas", "Error") },
      examples: Object.fromEntries(list.map((code) => [code, ref("examples", exampleName(code))]))
    }
  }
})

/** The refusals of an operation by status. */
export const refusals = (method: string, operation: Operation, schemas: Components["schemas"]): Readonly<Record<string, Response>> => {
  // What is looked for in bodies is not found where none is read.
  const own = declared(operation, schemas).filter((code) => method !== "get" || code !== "card_number_not_accepted")
  const all = [...new Set([...ofTheFramework(method), ...own])]
  const byStatus = Object.groupBy(all, (code) => codes.get(code)?.status ?? 500)
  return mapValues(byStatus, (list = [], status) => responseOf(Number(status), list))
}

/** What is answered where no operation is: a path that is not served, a method that a path has not, a request that is none. */
export const outsideOperations: Readonly<Record<string, Response>> = {
  Malformed: responseOf(400, ["validation_error"]),
  RequestTimeout: responseOf(408, ["request_timeout"]),
  ExpectationFailed: responseOf(417, ["expectation_failed"]),
  HeadersTooLarge: responseOf(431, ["headers_too_large"]),
  NoSuchRoute: responseOf(404, ["not_found"]),
  MethodNotAllowed: { ...responseOf(405, ["method_not_allowed"]), headers: { Allow: ref("headers", "Allow") } }
}
