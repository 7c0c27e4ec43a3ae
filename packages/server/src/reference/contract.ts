/** What the reference reads of the OpenAPI document. */
import { Effect, Schema } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../documented.ts"

/** A JSON Schema, or a reference to one. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Shape
  readonly anyOf?: ReadonlyArray<Shape>
  readonly allOf?: ReadonlyArray<Shape>
  readonly enum?: ReadonlyArray<unknown>
  readonly default?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const { optionalKey } = Schema
const texts = Schema.Array(Schema.String)

const Shape: Schema.Codec<Shape> = Schema.suspend((): Schema.Codec<Shape> =>
  Schema.Struct({
    $ref: optionalKey(Schema.String),
    type: optionalKey(Schema.Union([Schema.String, texts])),
    description: optionalKey(Schema.String),
    properties: optionalKey(Schema.Record(Schema.String, Shape)),
    required: optionalKey(texts),
    items: optionalKey(Shape),
    anyOf: optionalKey(Schema.Array(Shape)),
    allOf: optionalKey(Schema.Array(Shape)),
    enum: optionalKey(Schema.Array(Schema.Unknown)),
    default: optionalKey(Schema.Unknown),
    pattern: optionalKey(Schema.String),
    minimum: optionalKey(Schema.Number),
    maximum: optionalKey(Schema.Number),
    exclusiveMinimum: optionalKey(Schema.Number),
    minLength: optionalKey(Schema.Natural),
    maxLength: optionalKey(Schema.Natural),
    minItems: optionalKey(Schema.Natural),
    maxItems: optionalKey(Schema.Natural)
  })
)

const Reference = Schema.Struct({ $ref: Schema.String })

const Example = Schema.Struct({ value: Schema.Unknown })

const Content = Schema.Record(
  Schema.String,
  Schema.Struct({ schema: optionalKey(Shape), examples: optionalKey(Schema.Record(Schema.String, Schema.Union([Reference, Example]))) })
)
export type Content = typeof Content.Type

const Parameter = Schema.Struct({
  name: Schema.String,
  in: Schema.Literals(["path", "query", "header"]),
  required: optionalKey(Schema.Boolean),
  description: optionalKey(Schema.String),
  schema: Shape
})
export type Parameter = typeof Parameter.Type

const Answer = Schema.Struct({ description: Schema.String, content: optionalKey(Content) })
export type Answer = typeof Answer.Type

const Operation = Schema.Struct({
  operationId: Schema.String,
  tags: Schema.NonEmptyArray(Schema.String),
  summary: Schema.String,
  description: Schema.String,
  security: Schema.Array(Schema.Record(Schema.String, texts)),
  parameters: Schema.Array(Schema.Union([Reference, Parameter])),
  requestBody: optionalKey(Schema.Struct({ content: Content })),
  responses: Schema.Record(Schema.String, Schema.Union([Reference, Answer]))
})
export type Operation = typeof Operation.Type

const Contract = Schema.Struct({
  info: Schema.Struct({ title: Schema.String, version: Schema.String, description: Schema.String }),
  tags: Schema.Array(Schema.Struct({ name: Schema.String, description: optionalKey(Schema.String) })),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  webhooks: Schema.Record(Schema.String, Schema.Unknown),
  components: Schema.Struct({
    schemas: Schema.Record(Schema.String, Shape),
    parameters: Schema.Record(Schema.String, Parameter),
    responses: Schema.Record(Schema.String, Answer),
    examples: Schema.Record(Schema.String, Example)
  })
})
export type Contract = typeof Contract.Type

export const contract: Effect.Effect<Contract> = Effect.sync(() => Schema.decodeUnknownSync(Contract)(OpenApi.fromApi(Api)))

type Components = Contract["components"]

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1)

type Reference = typeof Reference.Type

/** What a reference names among these components, or what stands in its place. */
export const resolved = <A extends object>(components: Readonly<Record<string, A>>, written: Reference | A): A | undefined =>
  Schema.is(Reference)(written) ? components[nameOf(written.$ref)] : written

/** A schema without its reference, and the name that the reference had. What stands beside a reference, such as a description, is kept. */
export const shapeOf = ({ schemas }: Components, { $ref, ...beside }: Shape): { readonly name?: string; readonly shape: Shape } => {
  const name = $ref === undefined ? undefined : nameOf($ref)
  return name === undefined ? { shape: beside } : { name, shape: { ...schemas[name], ...beside } }
}
