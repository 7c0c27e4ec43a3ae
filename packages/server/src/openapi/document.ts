/** The OpenAPI 3.1 document as Effect generates it, and what walks through JSON. */
import { isRecord } from "@svc/kernel/values/record"
import type * as OpenApi from "effect/http-api/OpenApi"

export type Json = Readonly<Record<string, unknown>>
export type Schemas = Readonly<Record<string, Json>>
export type Generated = Pick<OpenApi.OpenAPISpec, "openapi" | "info" | "servers" | "tags" | "paths" | "components">

type Kind = "schemas" | "parameters" | "headers" | "responses" | "examples"

/** A reference to a component, such as `ref("schemas", "Error")`. */
export const ref = (kind: Kind, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** The name of the component of this kind that an object refers to; undefined for any other object. */
export const nameIn = (kind: Kind, { $ref }: Json): string | undefined =>
  typeof $ref === "string" && $ref.startsWith(ref(kind, "").$ref) ? $ref.slice(ref(kind, "").$ref.length) : undefined

/** A schema with its description beside it, where readers of parameters and headers look for it. */
export const described = ({ description, ...schema }: Json) => ({ ...(description === undefined ? {} : { description }), schema })

/** The example that stands on a schema; empty where there is none. */
export const exampleIn = ({ examples }: Json = {}): Json => Array.isArray(examples) && isRecord(examples[0]) ? examples[0] : {}

export const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** The object with `change` applied to every object in it, the innermost first, and to itself. */
export const mapObjects = (object: Json, change: (object: Json) => Json): Json => {
  const inside = (value: unknown): unknown => Array.isArray(value) ? value.map(inside) : isRecord(value) ? mapObjects(value, change) : value
  return change(mapValues(object, inside))
}

/** The names of components that the JSON refers to, and those that they refer to in turn, in alphabetical order. */
export const reachable = (kind: Kind, json: Json, components: Readonly<Record<string, Json>>): ReadonlyArray<string> => {
  const names = new Set<string>()
  const visit = (from: Json): void =>
    void mapObjects(from, (object) => {
      const name = nameIn(kind, object)
      if (name !== undefined && !names.has(name)) {
        names.add(name)
        visit(components[name] ?? {})
      }
      return object
    })
  visit(json)
  return Array.from(names).sort()
}
