/** What the contract says of the endpoints that a view names: where they are, whom they let in, what they read. */
import { OperatorAuthorization, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import type { View } from "@svc/kernel/resource/view"
import { isRecord } from "@svc/kernel/values/record"
import { Context, Schema } from "effect"
import type { HttpMethod } from "effect/http"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { choicesIn, type JsonSchema, propertiesOf } from "./schemas.ts"

export interface EndpointFacts {
  readonly method: HttpMethod.HttpMethod
  readonly path: string
  /** Undefined where only owners may. */
  readonly scope: string | undefined
  /** Whose people it lets in. */
  readonly realm: "account" | "installation"
  /** Whether it compares a version that the person saw with the current one. */
  readonly readsVersion: boolean
  /** Whether its answer holds a secret that is shown once. */
  readonly answersSecret: boolean
  /** The parameters of its query, and the fields of its body. */
  readonly query: Readonly<Record<string, JsonSchema>>
  readonly body: Readonly<Record<string, JsonSchema>>
  /** Of the body: what cannot be left out. */
  readonly required: ReadonlyArray<string>
}

const inlined = (schema: Schema.Constraint): JsonSchema => Schema.toJsonSchemaDocument(schema, { referencePolicy: () => undefined }).schema

const requiredIn = (body: JsonSchema | undefined): ReadonlyArray<string> => {
  const names = body?.["required"]
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : []
}

export const factsOf = ({ annotations, method, middlewares, path, payload, query }: HttpApiEndpoint.Top): EndpointFacts => {
  const json = payload.get("application/json")
  const bodies = json === undefined || json.encoding._tag === "Stream" ? [] : json.schemas.map(inlined)
  return {
    method,
    path,
    scope: Context.getOrUndefined(annotations, RequiredScope),
    realm: Array.from(middlewares).some(({ key }) => key === OperatorAuthorization.key) ? "installation" : "account",
    readsVersion: Context.getOrUndefined(annotations, ReadsIfMatch) === true,
    answersSecret: Context.getOrUndefined(annotations, AnswersSecret) === true,
    query: query === undefined ? {} : propertiesOf(inlined(query)),
    body: Object.assign({}, ...bodies.map(propertiesOf)),
    required: bodies.length === 1 ? requiredIn(bodies[0]) : []
  }
}

const known = new WeakMap<object, EndpointFacts>()

/** Throws a RangeError, a defect, for a name that the view's group has not. */
export const endpointOf = ({ also, group, name }: Pick<View, "also" | "group" | "name">, endpoint: string): EndpointFacts => {
  const one = [group, ...also].flatMap(({ endpoints }) => Object.entries(endpoints)).find(([identifier]) => identifier === endpoint)?.[1]
  if (!HttpApiEndpoint.isHttpApiEndpoint(one)) throw new RangeError(`the view ${name} names an endpoint that there is not: ${endpoint}`)
  const facts = known.get(one) ?? factsOf(one as HttpApiEndpoint.Top)
  known.set(one, facts)
  return facts
}

/** The path of an endpoint for one resource, whatever its parameter is called. What else the path names is taken from what was sent. */
export const pathFor = (path: string, id: string, sent: Readonly<Record<string, string>> = {}): string => {
  let isFirst = id !== ""
  return path.replaceAll(/:(\w+)/gu, (_, name: string) => {
    const value = isFirst ? id : sent[name] ?? ""
    isFirst = false
    return encodeURIComponent(value)
  })
}

/** Whether a form gives this field for the path. */
export const isInPath = (path: string, field: string): boolean => path.split("/").includes(`:${field}`)

/** The field by which a resource of the view is addressed. */
export const keyOf = ({ key = "id" }: Pick<View, "key">): string => key

/** What begins the ids of a view's resources, such as `po`; undefined for a list without cursors. */
export const prefixOf = (view: View): string | undefined => {
  const pattern = endpointOf(view, view.list).query["after"]?.["pattern"]
  return typeof pattern === "string" ? /^\^([a-z0-9_]+)_\[/u.exec(pattern)?.[1] : undefined
}

/** The schema of a field of the resource; a dot leads into an object. */
export const fieldSchema = ({ resource }: Pick<View, "resource">, field: string): JsonSchema | undefined =>
  field.split(".").reduce<JsonSchema | undefined>(
    (schema, name) => schema === undefined ? undefined : propertiesOf(schema)[name],
    resourceSchema(resource)
  )

const resources = new WeakMap<object, JsonSchema>()

const resourceSchema = (resource: Schema.Constraint): JsonSchema => {
  const schema = resources.get(resource) ?? inlined(resource)
  resources.set(resource, schema)
  return schema
}

/** The words that a field of the resource can hold; none where it is free. */
export const statesOf = (view: Pick<View, "resource">, field: string): ReadonlyArray<string> => {
  const schema = fieldSchema(view, field)
  return schema === undefined ? [] : choicesIn(schema)
}

/** The fields that every reader of the resource sees. */
export const fieldsOf = ({ resource }: Pick<View, "resource">): ReadonlySet<string> =>
  new Set(Object.keys(propertiesOf(resourceSchema(resource))))

/** What may be given for a field of an action's body or query: a dot leads into an object. */
export const choicesFor = ({ body, query }: EndpointFacts, field: string): ReadonlyArray<string> => {
  const [first = "", ...rest] = field.split(".")
  const schema = rest.reduce<JsonSchema | undefined>(
    (outer, name) => outer === undefined ? undefined : propertiesOf(outer)[name],
    body[first] ?? query[first]
  )
  const items = schema?.["items"]
  return schema === undefined ? [] : choicesIn(isRecord(items) ? items : schema)
}
