/** The parts of an OpenAPI 3.1 document that this service writes. */

export type JsonSchema = Readonly<Record<string, unknown>>

/** A type and not an interface, so that a reference is a schema too. */
export type Reference = { readonly $ref: string }

export interface Parameter {
  readonly name: string
  readonly in: "query" | "header" | "path" | "cookie"
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface Header {
  readonly description: string
  readonly schema: JsonSchema
}

export interface Example {
  readonly summary?: string
  readonly value: unknown
}

export interface MediaType {
  readonly schema: JsonSchema
  readonly examples?: Readonly<Record<string, Example | Reference>>
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface RequestBody {
  readonly required?: boolean
  readonly content: Readonly<Record<string, MediaType>>
}

export interface Operation {
  readonly operationId: string
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters?: ReadonlyArray<Parameter | Reference>
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, Response | Reference>>
}

/** The responses that are written out and not referred to. */
export const responsesOf = ({ responses }: Operation): ReadonlyArray<readonly [status: string, response: Response]> =>
  Object.entries(responses).flatMap(([status, response]) => "$ref" in response ? [] : [[status, response] as const])

export type PathItem = Readonly<Record<string, Operation>>

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly parameters?: Readonly<Record<string, Parameter>>
  readonly headers?: Readonly<Record<string, Header>>
  readonly responses?: Readonly<Record<string, Response>>
  readonly examples?: Readonly<Record<string, Example>>
  readonly securitySchemes: Readonly<Record<string, JsonSchema>>
}

export interface Document {
  readonly openapi: string
  readonly info: JsonSchema
  readonly servers?: ReadonlyArray<{ readonly url: string; readonly description: string }>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly security?: ReadonlyArray<unknown>
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks?: Readonly<Record<string, PathItem>>
  readonly components: Components
}

/** A reference to a component, such as `ref("schemas", "Error")`. */
export const ref = (kind: keyof Components, name: string): Reference => ({ $ref: `#/components/${kind}/${name}` })

/** The name of the schema component that a schema refers to; undefined for any other schema. */
export const schemaName = (schema: JsonSchema): string | undefined =>
  typeof schema["$ref"] === "string" ? /^#\/components\/schemas\/(.+)$/.exec(schema["$ref"])?.[1] : undefined

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The value with `change` applied to every object in it, the innermost first. */
export const mapObjects = (value: unknown, change: (object: JsonSchema) => JsonSchema): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  return isRecord(value) ? change(mapValues(value, (item) => mapObjects(item, change))) : value
}

export const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** A schema with `change` applied to every schema in it. */
export const mapSchema = (schema: JsonSchema, change: (object: JsonSchema) => JsonSchema): JsonSchema => {
  const mapped = mapObjects(schema, change)
  return isRecord(mapped) ? mapped : schema
}

/** Every name of a schema component that the value refers to, directly or by way of another component. */
export const reachable = (value: unknown, schemas: Components["schemas"]): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (item: unknown): void => {
    mapObjects(item, (object) => {
      const name = schemaName(object)
      if (name !== undefined && !found.has(name)) {
        found.add(name)
        visit(schemas[name])
      }
      return object
    })
  }
  visit(value)
  return found
}
