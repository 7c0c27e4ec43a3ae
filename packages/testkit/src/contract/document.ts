/** The served OpenAPI document, read as far as the tests of the contract need it. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Schema } from "effect"
import { send } from "./service.ts"

const Json = Schema.Record(Schema.String, Schema.Unknown)
const Reference = Schema.Struct({ $ref: Schema.String })
const MediaType = Schema.Struct({ schema: Json, examples: Schema.optionalKey(Json) })
const Content = Schema.Record(Schema.String, MediaType)

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["query", "header", "path", "cookie"]),
  required: Schema.optionalKey(Schema.Boolean),
  description: Schema.optionalKey(Schema.String),
  schema: Json
})
export type Parameter = typeof Parameter.Type

const Response = Schema.Struct({
  description: Schema.String,
  headers: Schema.optionalKey(Schema.Record(Schema.String, Json)),
  content: Schema.optionalKey(Content)
})

const Operation = Schema.Struct({
  operationId: Schema.String,
  "x-activity": Schema.optionalKey(Schema.String),
  summary: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  tags: Schema.optionalKey(Schema.Array(Schema.String)),
  security: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Array(Schema.String)))),
  parameters: Schema.optionalKey(Schema.Array(Schema.Union([Reference, Parameter]))),
  requestBody: Schema.optionalKey(Schema.Struct({ required: Schema.Boolean, content: Content })),
  responses: Schema.Record(Schema.String, Schema.Union([Reference, Response]))
})
/** An operation whose responses are all written out. */
export interface Operation extends Omit<typeof Operation.Type, "responses"> {
  readonly responses: Readonly<Record<string, typeof Response.Type>>
}
type Written = Readonly<Record<string, Readonly<Record<string, typeof Operation.Type>>>>
export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const WrittenPaths = Schema.Record(Schema.String, Schema.Record(Schema.String, Operation))

const WrittenDocument = Schema.Struct({
  openapi: Schema.String,
  info: Json,
  servers: Schema.Array(Schema.Struct({ url: Schema.String, description: Schema.String })),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.optionalKey(Schema.String) })),
  paths: WrittenPaths,
  webhooks: WrittenPaths,
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Json),
    parameters: Schema.Record(Schema.String, Parameter),
    headers: Schema.Record(Schema.String, Json),
    responses: Schema.Record(Schema.String, Response),
    examples: Schema.Record(Schema.String, Schema.Struct({ summary: Schema.optionalKey(Schema.String), value: Schema.Unknown })),
    securitySchemes: Schema.Record(Schema.String, Json)
  })
})
/** The document with every response in its place. */
export interface Document extends Omit<typeof WrittenDocument.Type, "paths" | "webhooks"> {
  readonly paths: Paths
  readonly webhooks: Paths
}

const decode = Schema.decodeEffect(fromJsonText(WrittenDocument))

const last = (pointer: string) => pointer.slice(pointer.lastIndexOf("/") + 1)

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value)]))

const writeOut = (document: typeof WrittenDocument.Type): Document => {
  const { responses } = document.components
  const everywhere = (paths: Written): Paths =>
    mapValues(paths, (item) =>
      mapValues(item, (operation) => ({
        ...operation,
        responses: mapValues(
          operation.responses,
          (response) => "$ref" in response ? responses[last(response.$ref)] ?? { description: "" } : response
        )
      })))
  return { ...document, paths: everywhere(document.paths), webhooks: everywhere(document.webhooks) }
}

/** The document as the service serves it. */
export const served = Effect.flatMap(send("GET", "/openapi.json"), ({ text }) => Effect.map(Effect.orDie(decode(text)), writeOut))

export type KeyKind = "secret_key" | "operator_key"

/** One operation with everything about it in reach. */
export interface Route {
  /** In capitals. */
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
  readonly operation: Operation
  readonly parameters: ReadonlyArray<Parameter>
  /** Whether its body is an upload: bytes and no JSON. */
  readonly upload: boolean
  /** The schema of the JSON body, and an example of one. */
  readonly body: { readonly schema: JsonSchema; readonly example: unknown } | undefined
  /** The kinds of key that it takes. */
  readonly keys: ReadonlyArray<KeyKind>
  /** The one that it is for: that of an account where it takes both. Undefined when it takes none. */
  readonly key: KeyKind | undefined
  /** The scope that a restricted key needs. */
  readonly scope: string | undefined
}

export type JsonSchema = Readonly<Record<string, unknown>>

/** Where the schemas stand that others refer to by name. */
export interface Schemas {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The schema behind a reference, or the schema itself. */
export const resolve = ({ components }: Schemas, schema: JsonSchema): JsonSchema =>
  typeof schema["$ref"] === "string" ? components.schemas[last(schema["$ref"])] ?? {} : schema

const isExample = Schema.is(Schema.Struct({ value: Schema.Unknown }))
const isReference = Schema.is(Reference)

const exampleIn = ({ components }: Document, examples: Readonly<Record<string, unknown>> = {}): unknown => {
  const [first] = Object.values(examples)
  if (isReference(first)) return components.examples[last(first.$ref)]?.value
  return isExample(first) ? first.value : undefined
}

const bodyOf = (document: Document, { requestBody }: Operation): Route["body"] => {
  const media = requestBody?.content["application/json"]
  return media === undefined ? undefined : { schema: resolve(document, media.schema), example: exampleIn(document, media.examples) }
}

const keysOf = ({ security = [] }: Operation): Route["keys"] =>
  (["secret_key", "operator_key"] as const).filter((kind) => security.some((scheme) => kind in scheme))

/** Every operation of the document. */
export const routesOf = (document: Document): ReadonlyArray<Route> =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Route => ({
      method: method.toUpperCase(),
      path,
      operation,
      parameters: (operation.parameters ?? []).flatMap((parameter) =>
        "$ref" in parameter ? document.components.parameters[last(parameter.$ref)] ?? [] : parameter
      ),
      upload: operation.requestBody !== undefined && bodyOf(document, operation) === undefined,
      body: bodyOf(document, operation),
      keys: keysOf(operation),
      key: keysOf(operation)[0],
      scope: operation.security?.find((scheme) => "secret_key" in scheme)?.["secret_key"]?.[0]
    }))
  )
