/** What the groups know and OpenAPI does not take from them: scopes, and the types of values that travel as text. */
import { RequiredScope } from "@svc/kernel/http/authorization"
import { Context, Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import type { HttpApiGroup } from "effect/http-api"
import type { JsonSchema } from "./document.ts"

export interface Facts {
  /** The scope that a restricted key needs. */
  readonly scope: string | undefined
  /** Path, query and header parameters as values: the number and not its digits. */
  readonly parameters: Readonly<Record<string, JsonSchema>>
}

const isObject = (value: unknown): value is Readonly<Record<string, JsonSchema>> => typeof value === "object" && value !== null

/** The fields of a schema as the values they stand for. */
const valuesOf = (schema: Schema.Top | undefined): Readonly<Record<string, JsonSchema>> => {
  if (schema === undefined) return {}
  const properties = Schema.toJsonSchemaDocument(Schema.toType(schema)).schema["properties"]
  return isObject(properties) ? properties : {}
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
        parameters: valuesOf(endpoint.query)
      })
    }
  })
  return facts
}
