/**
 * Refusals in one shape, and each answer with the codes that it can carry written once. Effect would document a schema for each code,
 * and knows nothing of what is refused before an endpoint is found.
 */
import type { ErrorCode } from "@svc/kernel/resource/errors"
import { exampleId } from "@svc/kernel/resource/examples"
import type { Catalog } from "../catalog.ts"
import type { Json } from "./document.ts"
import { mapValues, ref } from "./document.ts"
import type { OperationFacts } from "./facts.ts"
import { sent } from "./headers.ts"

export const errorSchema = (codes: Catalog["errors"]): Json => ({
  type: "object",
  description:
    "Every refusal has this shape. Switch on `error`; on a 400 `code` names the field, on a 402 `decline_code` says why. The message says what happened, why, and what to do next.",
  properties: {
    error: { type: "string", enum: Array.from(codes.keys()), description: "Stable code; GET /v1/error_codes explains each" },
    message: { type: "string" },
    code: { type: "string", description: "The field that was refused, as a path such as metadata.order" },
    decline_code: { ...ref("schemas", "DeclineCode"), description: "Why the payment was declined" },
    request_id: {
      type: "string",
      description: "The id of the request, as in the Request-Id header. A replayed answer carries the id of the first request"
    },
    details: { type: "object", description: "What a program may want to know, by code" }
  },
  required: ["error", "message", "request_id"]
})

/** An answer that refuses, by the name of its component. */
export interface DocumentedRefusal {
  readonly name: string
  readonly codes: ReadonlyArray<ErrorCode>
  readonly response: Json
}

/** By status. */
export type DocumentedRefusals = Readonly<Record<string, DocumentedRefusal>>

const refusalOf = (name: string, codes: ReadonlyArray<ErrorCode>, sends: OperationFacts["sends"]["always"]): DocumentedRefusal => ({
  name,
  codes,
  response: {
    description: codes.map(({ error, meaning }) => `\`${error}\`: ${meaning}`).join("\n\n"),
    headers: sent([...sends, ...codes.flatMap(({ headers = [] }) => headers)]),
    content: {
      "application/json": {
        schema: ref("schemas", "Error"),
        examples: Object.fromEntries(codes.map(({ error }) => [error, ref("examples", `error_${error}`)]))
      }
    }
  }
})

/** The examples that those answers refer to. */
export const errorExamples = (refusals: ReadonlyArray<DocumentedRefusal>) =>
  Object.fromEntries(
    refusals.flatMap(({ codes }) => codes).map(({ error, example, meaning, next }) => [
      `error_${error}`,
      { summary: meaning, value: { error, message: `${meaning} ${next}`, request_id: exampleId("req"), ...example } }
    ])
  )

const known = (codes: Catalog["errors"], names: Iterable<string>): ReadonlyArray<ErrorCode> =>
  Array.from(new Set(names)).flatMap((name) => codes.get(name) ?? [])

const pascal = (code: string): string => code.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")

/** The refusals of an operation: its own, and those of what stands before every handler. */
export const refusalsOf = (codes: Catalog["errors"], method: string, { refusals, sends }: OperationFacts): DocumentedRefusals => {
  // A body is read, and looked through, even where none is asked for; what is looked for in bodies is not found where none is read.
  const names = method === "get"
    ? ["validation_error", "internal", "service_unavailable", ...refusals.filter((code) => code !== "card_number_not_accepted")]
    : ["validation_error", "payload_too_large", "unsupported_media_type", "internal", "service_unavailable", ...refusals]
  return mapValues(Object.groupBy(known(codes, names), ({ status }) => status), (list = [], status) => {
    // An unauthorized caller is told nothing of a limit.
    const limited = status !== "401" && sends.letIn.length > sends.always.length
    return refusalOf(
      list.map(({ error }) => pascal(error)).join("Or") + (limited || status === "401" ? "" : "WithoutKey"),
      list,
      limited ? sends.letIn : sends.always
    )
  })
}

/** Where there is no operation: a path that is not served, a method that a path has not, a request that is none. */
export const refusalsOutside = (codes: Catalog["errors"], always: OperationFacts["sends"]["always"]): ReadonlyArray<DocumentedRefusal> =>
  Object.entries({
    Malformed: "validation_error",
    RequestTimeout: "request_timeout",
    ExpectationFailed: "expectation_failed",
    HeadersTooLarge: "headers_too_large",
    NoSuchRoute: "not_found",
    MethodNotAllowed: "method_not_allowed"
  }).map(([name, code]) => refusalOf(name, known(codes, [code]), always))
