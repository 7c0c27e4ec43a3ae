/** product-schema.json: what the project sells as JSON Schema, of its own fields, with the terms of schema.org that mean the same. */
import { cited, json, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { pattern } from "../facts/code/pattern.ts"
import type { Fact, Field } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInJson } from "../mcp/none.ts"
import { commerceOf } from "./commerce.ts"

const TYPES: ReadonlyArray<readonly [written: RegExp, type: string]> = [
  [/^(?:z\.|S\.|Schema\.|Type\.|v\.)?(?:string|str|text|varchar|uuid|char|String)\b/u, "string"],
  [
    pattern(
      String.raw`^(?:z\.|v\.)?(?:number|float|double|decimal|numeric|real)\b|^(?:Schema|S)\.(?:Number|Finite)|^Decimal|`,
      String.raw`^f(?:32|64)|^float64|^Type\.Number`
    ),
    "number"
  ],
  [
    pattern(
      String.raw`^(?:int|integer|bigint|smallint|serial|long)\b|^[iu](?:8|16|32|64)|^u?int(?:8|16|32|64)?\b|^(?:Schema|`,
      String.raw`S)\.Int|^Integer|^Type\.Integer`
    ),
    "integer"
  ],
  [/^(?:z\.|v\.)?bool(?:ean)?\b|^(?:Schema|S|Type)\.Boolean/u, "boolean"]
]

/** Terms of schema.org's Product and Offer, by the names that fields have. */
const TERMS: ReadonlyArray<readonly [field: RegExp, term: string]> = [
  [/^(?:sku|product_?id|item_?id)$/iu, "sku"],
  [/^(?:name|title|label)$/iu, "name"],
  [/^description$/iu, "description"],
  [/^(?:unit_?)?price(?:_?\w+)?$|^unit_?amount$/iu, "price"],
  [/^currency$/iu, "priceCurrency"],
  [/^(?:image|image_?url|picture)$/iu, "image"],
  [/^(?:brand|vendor|manufacturer)$/iu, "brand"],
  [/^(?:category|kind)$/iu, "category"],
  [/^(?:stock|quantity|inventory|available)$/iu, "inventoryLevel"],
  [/^(?:gtin|ean|upc|barcode)$/iu, "gtin"],
  [/^(?:url|link)$/iu, "url"],
  [/^colou?r$/iu, "color"],
  [/^size$/iu, "size"],
  [/^weight$/iu, "weight"]
]

const MOST = 12

const nameFrom = (table: ReadonlyArray<readonly [RegExp, string]>, text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1]

const property = ({ name, type }: Field): Value => {
  return { type: nameFrom(TYPES, type.trim()), "x-written": type, "x-schema-org": nameFrom(TERMS, name) }
}

const definition = (schema: Fact<"schema">): Value => {
  const { fields } = schema.value
  return cited({
    type: "object",
    $comment: placesOf([schema]).join(", "),
    properties: Object.fromEntries(fields.map((field) => [field.name, property(field)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name)
  }, schema)
}

/** Two schemas of one name are told apart by their order. */
const named = (schemas: ReadonlyArray<Fact<"schema">>): ReadonlyArray<readonly [string, Value]> => {
  const seen = new Map<string, number>()
  return schemas.map((schema) => {
    const count = (seen.get(schema.subject) ?? 0) + 1
    seen.set(schema.subject, count)
    return [count === 1 ? schema.subject : `${schema.subject}-${count}`, definition(schema)] as const
  })
}

export const productSchema = (project: Project): Artifact => {
  const { products } = commerceOf(project)
  const $schema = "https://json-schema.org/draft/2020-12/schema"
  if (products.length === 0) return nothingInJson(project, "No schema with a name and a price.")
  const definitions = named(products.slice(0, MOST))
  return json({
    $schema,
    title: project.description.project_name,
    anyOf: definitions.map(([name]) => ({ $ref: `#/$defs/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` })),
    $defs: Object.fromEntries(definitions)
  })
}
