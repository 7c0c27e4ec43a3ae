/**
 * Completes the OpenAPI document that the groups give: what stands before the handlers, what headers
 * travel, examples, and the webhooks. A pure function of the contract.
 */
import { CURRENT_API_VERSION } from "@svc/kernel/api-version"
import { IfMatch } from "@svc/kernel/http/if-match"
import { Schema } from "effect"
import type { Components, Document, Header, JsonSchema, Operation, Parameter, PathItem, Reference, Response } from "./openapi/document.ts"
import { mapSchema, mapValues, ref, responsesOf, schemaName } from "./openapi/document.ts"
import { errorExamples, outsideOperations, refusals } from "./openapi/errors.ts"
import { exampleOf } from "./openapi/examples.ts"
import type { Catalog } from "./catalog.ts"
import type { Facts } from "./openapi/facts.ts"
import { completeSchemas, rewriteOf, withWords } from "./openapi/schemas.ts"
import type { Rewrite } from "./openapi/schemas.ts"
import { shareResponses } from "./openapi/shared-responses.ts"
import { webhooksOf } from "./openapi/webhooks.ts"

const whole = (description: string): Header => ({ description, schema: { type: "integer", minimum: 0 } })
const words = (description: string, example: string): Header => ({ description, schema: { type: "string", examples: [example] } })

const headers: Readonly<Record<string, Header>> = {
  "Request-Id": words("Names this request in logs and in error bodies.", "req_01KDVK5D80000000000000000A"),
  "API-Version": words("The version that answered.", CURRENT_API_VERSION),
  "RateLimit-Limit": whole("Requests that may come at once after a pause."),
  "RateLimit-Remaining": whole("Requests that may come now."),
  "RateLimit-Reset": whole("Seconds until all of them may come again."),
  "Retry-After": whole("Seconds to wait before the same request may be sent again."),
  "Idempotent-Replayed": { description: "`true` when this is the stored answer of an earlier request with the same key.", schema: { type: "string", enum: ["true", "false"] } },
  "Idempotency-Key": words("The key under which the answer is stored.", "3c9ae5ea-980f-4ebd-a027-04529942b95e"),
  "WWW-Authenticate": words("How to authenticate.", "Bearer"),
  Allow: words("The methods that the path has.", "GET, HEAD, POST")
}

const parameters: Readonly<Record<string, Parameter>> = {
  ApiVersion: {
    name: "API-Version",
    in: "header",
    required: false,
    description: "The version to answer in, from GET /v1/api_versions; the current one when left out.",
    schema: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$", examples: [CURRENT_API_VERSION] }
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "May repeat `idempotency_key` of the body, or stand in its place. Two different keys are refused.",
    schema: ref("schemas", "IdempotencyKey")
  },
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: false,
    description: "The version you read, such as \"3\". Refused with 409 `version_conflict` when it is no longer the current one.",
    schema: mapSchema(Schema.toJsonSchemaDocument(Schema.toEncoded(IfMatch)).schema, (schema) => schema)
  }
}

/** Headers that the groups give too, each route by itself. */
const shared: ReadonlySet<string> = new Set(Object.values(parameters).map(({ name }) => name.toLowerCase()))

const isReference = (parameter: Parameter | Reference): parameter is Reference => "$ref" in parameter

/** Whether the body has a field `idempotency_key`. */
const isKeyed = ({ requestBody }: Operation, schemas: Components["schemas"]): boolean =>
  Object.values(requestBody?.content ?? {}).some(({ schema }) => {
    const properties = schemas[schemaName(schema) ?? ""]?.["properties"]
    return typeof properties === "object" && properties !== null && "idempotency_key" in properties
  })

const isTextOf = (value: JsonSchema | undefined): value is JsonSchema =>
  value?.["type"] === "integer" || value?.["type"] === "number" || value?.["type"] === "boolean"

/** A parameter described by the value it stands for, its description beside the schema where readers look for it. */
const completeParameter = (facts: Facts | undefined, rewrite: Rewrite) => (parameter: Parameter): Parameter => {
  const value = parameter.in === "query" ? facts?.query[parameter.name] : undefined
  const { description, ...schema } = isTextOf(value) ? value : mapSchema(parameter.schema, rewrite)
  return { ...parameter, schema, ...(typeof description === "string" ? { description } : {}) }
}

const parametersOf = (operation: Operation, facts: Facts | undefined, rewrite: Rewrite, keyed: boolean): Operation["parameters"] => {
  const own = (operation.parameters ?? []).flatMap((parameter) =>
    isReference(parameter) || shared.has(parameter.name) ? [] : [completeParameter(facts, rewrite)(parameter)])
  const ifMatch = facts?.ifMatch === true ? [ref("parameters", "IfMatch")] : []
  return [...own, ref("parameters", "ApiVersion"), ...ifMatch, ...(keyed ? [ref("parameters", "IdempotencyKey")] : [])]
}

const headersOf = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, ref("headers", name)]))

const withExample = (schema: JsonSchema) => {
  const name = schemaName(schema)
  return { schema, ...(name === undefined ? {} : { examples: { example: ref("examples", name) } }) }
}

const completeOperation = (method: string, operation: Operation, facts: Facts | undefined, schemas: Components["schemas"], rewrite: Rewrite): Operation => {
  const keyed = isKeyed(operation, schemas)
  const secured = operation.security !== undefined && operation.security.length > 0
  const always = ["Request-Id", "API-Version", ...(secured ? ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] : [])]
  const successes = Object.fromEntries(responsesOf(operation).filter(([status]) => Number(status) < 400))
  const content = (of: NonNullable<Response["content"]>) => ({ content: mapValues(of, ({ schema }) => withExample(mapSchema(schema, rewrite))) })
  const complete = (response: Response, also: ReadonlyArray<string>): Response => ({
    description: response.description,
    headers: { ...headersOf([...always, ...also]), ...response.headers }
  })
  const { requestBody, security = [], ...rest } = operation
  return {
    ...rest,
    security: security.map((scheme) => mapValues(scheme, () => facts?.scope === undefined ? [] : [facts.scope])),
    parameters: parametersOf(operation, facts, rewrite, keyed) ?? [],
    ...(requestBody === undefined ? {} : { requestBody: { required: requestBody.required ?? true, ...content(requestBody.content) } }),
    responses: {
      ...mapValues(successes, (response) => ({ ...complete(response, keyed ? ["Idempotent-Replayed", "Idempotency-Key"] : []), ...(response.content === undefined ? {} : content(response.content)) })),
      ...mapValues(refusals(method, operation, schemas), (response, status) => ({
        ...complete(response, []),
        ...(response.content === undefined ? {} : { content: response.content }),
        // An answer that could not even begin has met no limit.
        ...(status === "401" ? { headers: headersOf(["Request-Id", "API-Version", "WWW-Authenticate"]) } : {})
      }))
    }
  }
}

/** The examples of errors that some answer refers to. */
const errorExamplesIn = (...answers: ReadonlyArray<unknown>) => {
  const used = JSON.stringify(answers)
  return Object.fromEntries(Object.entries(errorExamples).filter(([name]) => used.includes(`/${name}"`)))
}

const examplesOf = (paths: Document["paths"], schemas: Components["schemas"]) => {
  const names = new Set<string>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const { content = {} } of [operation.requestBody, ...responsesOf(operation).map(([, response]) => response)].filter((body) => body !== undefined)) {
      for (const { schema } of Object.values(content)) {
        const name = schemaName(schema)
        if (name !== undefined && name !== "Error") names.add(name)
      }
    }
  }
  return Object.fromEntries([...names].sort().map((name) => [name, { value: exampleOf(ref("schemas", name), schemas) }]))
}

const description = "Restricted keys need the scope that an operation names in its security requirement. " +
  "A path that is not served is answered 404 `not_found`, a method that a path has not 405 `method_not_allowed`, headers beyond 16 KiB 431 `headers_too_large`, " +
  "an `Expect` other than `100-continue` 417 `expectation_failed`, and what is not HTTP at all 400, each with the shape of every other refusal. " +
  "What an operation that takes a key does not read is refused with 400: parameters of the query that it does not name, on a write a body other than `{}` where it names none, and an `If-Match` or `Idempotency-Key` where it has no such header. " +
  "Paths have one spelling: capitals, doubled slashes and a slash at the end make another path. " +
  "Bodies are JSON in UTF-8, not compressed; of a name that stands twice in an object the last one counts."

/** The document as it is served, from the one that the groups give. */
export const complete = (generated: Document, facts: ReadonlyMap<string, Facts>, catalog: Catalog): Document => {
  const { components: { schemas, securitySchemes }, info, openapi, tags } = generated
  const rewrite = rewriteOf(schemas)
  const paths = mapValues(generated.paths, (item): PathItem =>
    mapValues(item, (operation, method) => completeOperation(method, operation, facts.get(operation.operationId), schemas, rewrite)))
  const shared = shareResponses(paths)
  const words = { ApiKeyScope: Array.from(catalog.scopes), EventType: Array.from(catalog.events.keys()) }
  const completed = withWords(completeSchemas(schemas, rewrite, paths), words)
  return {
    openapi,
    info: { ...info, description: `${String(info["description"] ?? "")} ${description}`.trim() },
    servers: [
      { url: "/", description: "The installation that serves this document" },
      { url: "http://localhost:4000", description: "npm start on this machine" }
    ],
    tags,
    paths: shared.paths,
    webhooks: webhooksOf(completed, catalog.events),
    components: {
      schemas: completed,
      parameters,
      headers,
      responses: {
        ...mapValues(outsideOperations, (response) => ({ ...response, headers: { ...headersOf(["Request-Id", "API-Version"]), ...response.headers } })),
        ...shared.responses
      },
      examples: { ...examplesOf(paths, completed), ...errorExamplesIn(outsideOperations, paths) },
      securitySchemes: {
        secret_key: { ...securitySchemes["secret_key"], description: "A key of an account: `sk_live_…`, `sk_test_…`, or a restricted `rk_…` with the scope that the operation names." },
        operator_key: { ...securitySchemes["operator_key"], description: "A key of the operator of the installation: `ok_…`." }
      }
    }
  }
}
