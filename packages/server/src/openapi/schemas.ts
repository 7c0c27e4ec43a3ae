/**
 * The schema components: one name for each thing, and no promise that is not kept. Effect closes every object, and repeats what is
 * annotated.
 */
import { isRecord } from "@svc/kernel/values/record"
import type { Json, Schemas } from "./document.ts"
import { mapObjects, nameIn, reachable, ref } from "./document.ts"

export type Rewrite = (schema: Json) => Json

/** What is said of a schema where it is used, and does not change what fits it. */
const annotationsOf = ({ description, examples }: Json): Json => ({
  ...(description === undefined ? {} : { description }),
  ...(examples === undefined ? {} : { examples })
})

const withoutAnnotations = ({ description: _, examples: __, ...rest }: Json): string => JSON.stringify(rest)

/** A choice of one, which a union of one literal becomes, is that one. */
const withoutChoice = (schema: Json): Json => {
  const { anyOf, ...siblings } = schema
  const only: unknown = Array.isArray(anyOf) && anyOf.length === 1 ? anyOf[0] : undefined
  return isRecord(only) ? { ...only, ...siblings } : schema
}

/**
 * Effect writes a schema that is annotated where it is used, or used within another, a second time, as `Event_1`. Here it is a reference to
 * `Event` with what it says otherwise.
 */
export const rewriteOf = (schemas: Schemas): Rewrite => {
  const aliases = new Map<string, Json>()
  const rewrite: Rewrite = (written) => {
    const schema = withoutChoice(written)
    const { $ref: _, ...siblings } = schema
    const alias = aliases.get(nameIn("schemas", schema) ?? "")
    return alias === undefined ? schema : { ...alias, ...siblings }
  }
  const alike = (one: Json, other: Json) => withoutAnnotations(mapObjects(one, rewrite)) === withoutAnnotations(mapObjects(other, rewrite))
  const repeated = Object.entries(schemas).flatMap(([name, schema]) => {
    const original = /^(.+)_\d+$/.exec(name)?.[1] ?? ""
    const known = schemas[original]
    return known === undefined ? [] : [{ name, schema, original, known }]
  })
  // The second of a schema may refer to the seconds of others: each round knows more of them.
  for (let before = -1; before < aliases.size;) {
    before = aliases.size
    for (const { known, name, original, schema } of repeated.filter((one) => !aliases.has(one.name) && alike(one.known, one.schema))) {
      const said = annotationsOf(schema)
      aliases.set(name, { ...ref("schemas", original), ...(JSON.stringify(said) === JSON.stringify(annotationsOf(known)) ? {} : said) })
    }
  }
  return rewrite
}

/** Fields may join an answer at any time, so its schema does not say that there are no others. */
const open: Rewrite = ({ additionalProperties, ...rest }) =>
  additionalProperties === undefined || additionalProperties === false ? rest : { ...rest, additionalProperties }

/**
 * The components that the document refers to. Bodies of requests stay closed, since an unknown field in them is refused; what only
 * answers use is open. `words` are those of schemas of text whose words other packages bring.
 */
export const componentsOf = (schemas: Schemas, used: Json, requests: Json, words: Readonly<Record<string, Iterable<string>>>): Schemas => {
  const closed = new Set(reachable("schemas", requests, schemas))
  return Object.fromEntries(
    reachable("schemas", used, schemas).map((name) => {
      const { [name]: schema = {} } = schemas
      const known = words[name]
      if (known !== undefined) return [name, { type: "string", enum: Array.from(known), ...annotationsOf(schema) }]
      return [name, closed.has(name) ? schema : mapObjects(schema, open)]
    })
  )
}
