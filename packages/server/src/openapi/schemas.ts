/** The schema components: one name for each thing, and no promise that is not kept. */
import { SchemaAST } from "effect"
import { Timestamp } from "@svc/kernel/time"
import type { Components, JsonSchema, PathItem } from "./document.ts"
import { mapSchema, mapValues, reachable, ref, schemaName } from "./document.ts"
import { errorSchema, isErrorComponent } from "./errors.ts"

type Schemas = Components["schemas"]

/** Text on the wire, which loses what is annotated on the moment it stands for. */
const timestamp: JsonSchema = {
  type: "string",
  format: "date-time",
  description: SchemaAST.resolveDescription(Timestamp.ast),
  examples: ["2026-01-01T12:00:00.000Z"]
}

const withoutDescription = ({ description: _, ...rest }: JsonSchema): string => JSON.stringify(rest)

/** `Event_1` is an `Event` that is described otherwise where it is used: a reference with a description. */
const aliasesOf = (schemas: Schemas): ReadonlyMap<string, JsonSchema> => {
  const aliases = new Map<string, JsonSchema>()
  for (const [name, schema] of Object.entries(schemas)) {
    const original = /^(.+)_\d+$/.exec(name)?.[1]
    const known = original === undefined ? undefined : schemas[original]
    if (original === undefined || known === undefined || withoutDescription(known) !== withoutDescription(schema)) continue
    const description = schema["description"]
    aliases.set(name, { ...ref("schemas", original), ...(description === undefined || description === known["description"] ? {} : { description }) })
  }
  return aliases
}

/** `TimestampEncoded` is called `Timestamp`: outside there is only the encoded form. */
const plainName = (name: string, schemas: Schemas): string => {
  const plain = name.replace(/Encoded$/, "")
  return Object.hasOwn(schemas, plain) ? name : plain
}

/** How references to components change. */
export type Rewrite = (schema: JsonSchema) => JsonSchema

export const rewriteOf = (schemas: Schemas): Rewrite => {
  const aliases = aliasesOf(schemas)
  return (schema) => {
    const name = schemaName(schema)
    if (name === undefined) return schema
    const alias = aliases.get(name)
    const target = alias === undefined ? name : schemaName(alias) ?? name
    const { $ref: _, ...siblings } = schema
    const { $ref: __, ...described } = alias ?? {}
    return { ...ref("schemas", plainName(target, schemas)), ...described, ...siblings }
  }
}

/** Fields may join an answer at any time, so its schema does not say that there are no others. */
const open: Rewrite = (schema) => {
  if (schema["additionalProperties"] !== false) return schema
  const { additionalProperties: _, ...rest } = schema
  return rest
}

const sorted = <A>(record: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0))

const requestBodies = (paths: Readonly<Record<string, PathItem>>) =>
  Object.values(paths).flatMap((item) => Object.values(item).map(({ requestBody }) => requestBody ?? null))

/**
 * The components of a document whose paths are already rewritten. Bodies of requests stay closed, since
 * an unknown field in them is refused; what only answers use is open.
 */
export const completeSchemas = (schemas: Schemas, rewrite: Rewrite, paths: Readonly<Record<string, PathItem>>): Schemas => {
  const kept = Object.entries(schemas).filter(([name, schema]) => !isErrorComponent(schema) && !aliasesOf(schemas).has(name))
  const renamed = Object.fromEntries(kept.map(([name, schema]) => [plainName(name, schemas), mapSchema(schema, rewrite)]))
  const all: Schemas = { ...renamed, Error: errorSchema, ...(renamed["Timestamp"] === undefined ? {} : { Timestamp: timestamp }) }
  const closed = reachable(requestBodies(paths), all)
  const used = reachable([paths, ref("schemas", "Error")], all)
  return sorted(mapValues(
    Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name))),
    (schema, name) => closed.has(name) ? schema : mapSchema(schema, open)
  ))
}

/** Schemas of text whose words other packages bring, with those words. */
export const withWords = (schemas: Schemas, words: Readonly<Record<string, ReadonlyArray<string>>>): Schemas =>
  mapValues(schemas, (schema, name) => {
    const known = words[name]
    if (known === undefined) return schema
    const { description } = schema
    return { type: "string", enum: known, ...(description === undefined ? {} : { description }) }
  })
