/** What the groups know and OpenAPI does not take from them: scopes, and the types of values that travel as text. */
import { RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { Context, Predicate, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import type { JsonSchema } from "./document.ts"
import { mapObjects, mapValues } from "./document.ts"

export interface Facts {
  /** The scope that a restricted key needs. */
  readonly scope: string | undefined
  /** Query parameters as values: the number and not its digits. */
  readonly query: Readonly<Record<string, JsonSchema>>
  /** Whether `If-Match` is compared with a version. */
  readonly ifMatch: boolean
}

const isSchema = (value: unknown): value is JsonSchema => Predicate.isObject(value)

/** The fields of a query as the values they stand for. */
const valuesOf = (query: Schema.Top | undefined): Facts["query"] => {
  if (query === undefined) return {}
  const { definitions, schema } = Schema.toJsonSchemaDocument(Schema.toType(query))
  const inlined = (object: JsonSchema): JsonSchema => {
    const name = typeof object["$ref"] === "string" ? object["$ref"].slice("#/$defs/".length) : undefined
    return name === undefined ? object : { ...definitions[name] }
  }
  const properties = mapObjects(schema["properties"], inlined)
  return isSchema(properties) ? mapValues(properties, (field) => isSchema(field) ? field : {}) : {}
}

/** By operation id. */
export const factsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>): ReadonlyMap<string, Facts> => {
  const facts = new Map<string, Facts>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const operationId = Context.getOrElse(endpoint.annotations, OpenApi.Identifier, () => `${group.identifier}.${endpoint.identifier}`)
      facts.set(operationId, {
        scope: Context.getOrUndefined(endpoint.annotations, RequiredScope),
        query: valuesOf(endpoint.query),
        ifMatch: Context.getOrUndefined(endpoint.annotations, ReadsIfMatch) === true
      })
    }
  })
  return facts
}
