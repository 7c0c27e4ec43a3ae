/**
 * Completes the OpenAPI document that Effect generates from the groups with what it has no place for: refusals in one shape, headers,
 * scopes, examples as components, webhooks. A pure function of the contract, which names no resource.
 */
import { isRecord } from "@svc/kernel/values/record"
import type * as OpenApi from "effect/http-api/OpenApi"
import { type Catalog, scopes } from "./catalog.ts"
import type { Generated, Json, Schemas } from "./openapi/document.ts"
import { described, exampleIn, mapObjects, mapValues, nameIn, reachable, ref } from "./openapi/document.ts"
import { type DocumentedRefusals, errorExamples, errorSchema, refusalsOf, refusalsOutside } from "./openapi/errors.ts"
import type { OperationFacts } from "./openapi/facts.ts"
import { read, readComponents, sent, sentComponents } from "./openapi/headers.ts"
import { componentsOf, type Rewrite, rewriteOf } from "./openapi/schemas.ts"
import { webhooksOf } from "./openapi/webhooks.ts"

/** A parameter of the query by the value that it stands for: to Effect it is text, as in the URL. */
const completeParameter = (query: Json, rewrite: Rewrite) => ({ schema, ...parameter }: OpenApi.OpenAPISpecParameter): Json => {
  const value = parameter.in === "query" ? query[parameter.name] : undefined
  const isText = !isRecord(value) || value["type"] === "string" || value["type"] === undefined
  return { ...parameter, ...described(mapObjects(isText ? { ...schema } : value, rewrite)) }
}

/** The bodies with their examples beside the schemas, where tools look for them; a reference where it is that of the schema. */
const completeContent = (content: OpenApi.OpenApiSpecContent, schemas: Schemas, rewrite: Rewrite) => ({
  content: mapValues(content, ({ schema: written }) => {
    const { examples, ...schema } = mapObjects(written, rewrite)
    const name = nameIn("schemas", schema) ?? ""
    const example = examples !== undefined
      ? { value: exampleIn({ examples }) }
      : schemas[name]?.["examples"] !== undefined
      ? ref("examples", name)
      : undefined
    return { schema, ...(example === undefined ? {} : { examples: { example } }) }
  })
})

const completeOperation = (
  operation: OpenApi.OpenAPISpecOperation,
  { activity, besides, query, reads, scope, sends }: OperationFacts,
  refusals: DocumentedRefusals,
  schemas: Schemas,
  rewrite: Rewrite
) => {
  const { parameters, requestBody, responses, security, ...rest } = operation
  const shared = new Set(reads.map(({ name }) => name.toLowerCase()))
  const successes = Object.fromEntries(Object.entries(responses).filter(([status]) => Number(status) < 400))
  return {
    ...rest,
    ...(activity === undefined ? {} : { "x-activity": activity }),
    security: [
      ...security.map((scheme) => mapValues(scheme, () => scope === undefined ? [] : [scope])),
      ...besides.map((scheme) => ({ [scheme]: [] }))
    ],
    parameters: [...parameters.filter(({ name }) => !shared.has(name)).map(completeParameter(query, rewrite)), ...read(reads)],
    ...(requestBody === undefined ? {} : { requestBody: { required: true, ...completeContent(requestBody.content, schemas, rewrite) } }),
    responses: {
      ...mapValues(
        successes,
        ({ content, description }) => ({
          description,
          headers: sent(sends.succeeding),
          ...(content === undefined ? {} : completeContent(content, schemas, rewrite))
        })
      ),
      ...mapValues(refusals, ({ name }) => ref("responses", name))
    }
  }
}

/** The document as it is served, from the one that the groups give. */
export const complete = (
  { components, paths: generated, ...rest }: Generated,
  facts: ReadonlyMap<string, OperationFacts>,
  catalog: Catalog
): Json => {
  const rewrite = rewriteOf(components.schemas)
  const schemas: Schemas = { ...mapValues(components.schemas, (schema) => mapObjects(schema, rewrite)), Error: errorSchema(catalog.errors) }
  const operations = Object.entries(generated).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (operation === undefined || !("operationId" in operation)) return []
      const known = facts.get(operation.operationId)
      if (known === undefined) return []
      const refusals = refusalsOf(catalog.errors, method, known)
      return [{ path, method, known, refusals, completed: completeOperation(operation, known, refusals, schemas, rewrite) }]
    })
  )
  const paths = mapValues(
    Object.groupBy(operations, ({ path }) => path),
    (list = []) => Object.fromEntries(list.map(({ completed, method }) => [method, completed]))
  )
  const webhooks = webhooksOf(schemas, catalog)
  const refusals = [
    ...refusalsOutside(catalog.errors, operations[0]?.known.sends.always ?? []),
    ...operations.flatMap((one) => Object.values(one.refusals))
  ]
  const responses = Object.fromEntries(refusals.map(({ name, response }) => [name, response]))
  const requests = { bodies: operations.map(({ completed }) => ({ ...completed.requestBody })) }
  return {
    ...rest,
    paths,
    webhooks,
    components: {
      schemas: componentsOf(schemas, { paths, webhooks, responses }, requests, {
        ApiKeyScope: scopes,
        EventType: catalog.events.keys()
      }),
      parameters: readComponents(operations.flatMap(({ known }) => known.reads)),
      headers: sentComponents([
        ...operations.flatMap(({ known }) => known.sends.succeeding),
        ...refusals.flatMap(({ codes }) => codes).flatMap(({ headers = [] }) => headers)
      ]),
      responses,
      examples: {
        ...Object.fromEntries(reachable("examples", paths, {}).map((name) => [name, { value: exampleIn(schemas[name]) }])),
        ...errorExamples(refusals)
      },
      securitySchemes: components.securitySchemes
    }
  }
}
