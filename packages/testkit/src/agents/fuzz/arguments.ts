/** Arguments of tools, good and spoilt. Good ones come from the examples of a tool and from what its schema generates. */
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { all } from "@svc/tools/catalog/index"
import { Effect, Result } from "effect"
import { edgesOf, propertyOf, shorten } from "../../contract/cases.ts"
import type { JsonSchema, Schemas } from "../../contract/document.ts"
import { type Node, nodeOf, print, raw, slotsOf } from "../../contract/json-text.ts"
import * as nasty from "../../contract/nasty.ts"
import type { Chance } from "../../simulation/chance.ts"

/** A tool as the fuzz sees it. */
export interface Target {
  readonly name: string
  readonly schema: JsonSchema
  readonly schemas: Schemas
  readonly good: ReadonlyArray<unknown>
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null && !Array.isArray(value)
const isSchemas = (value: unknown): value is Readonly<Record<string, JsonSchema>> => isSchema(value) && Object.values(value).every(isSchema)

/** What is generated may hold half characters, which no arguments may. */
const isUnicode = (value: unknown): boolean => Result.isSuccess(Result.try(() => canonicalize(value)))

/** Every tool of the catalog, under each of its names. */
export const targets: Effect.Effect<ReadonlyArray<Target>> = Effect.map(
  Effect.forEach(
    all,
    ({ examples, listed: { inputSchema }, meta, name, seeds }) =>
      Effect.map(Effect.orDie(seeds), (generated) =>
        [name, ...(meta.also ?? [])].map((one): Target => {
          const definitions: unknown = inputSchema["$defs"]
          return {
            name: one,
            schema: inputSchema,
            schemas: { components: { schemas: isSchemas(definitions) ? definitions : {} } },
            good: [...examples, ...generated.filter(isUnicode)]
          }
        }))
  ),
  (found) => found.flat()
)

export interface Arguments {
  readonly node: Node
  /** What is wrong with them; nothing when they are good. */
  readonly wrong: ReadonlyArray<string>
  /** Of the fields at the root, the only one that something is wrong with. */
  readonly field: string | undefined
}

/** Numbers and texts that are too long for most fields, and as deep as a body may be, and deeper. */
const heavy = (chance: Chance): string => {
  const depth = chance.pick([10, 50, 58, 70, 500])
  return chance.pick([
    () => `"${"a".repeat(chance.pick([1_000, 65_537, 300_000]))}"`,
    () => `"${"\\u0041".repeat(2_000)}"`,
    () => `"${"é😀".repeat(5_000)}"`,
    () => `[${"0,".repeat(chance.pick([100, 5_000]))}0]`,
    () => `${"[".repeat(depth)}${"]".repeat(depth)}`,
    () => `${"{\"a\":".repeat(depth)}1${"}".repeat(depth)}`,
    () => `{${Array.from({ length: 1_000 }, (_, n) => `"k${n}":${n}`).join(",")}}`
  ])()
}

const otherValue = (chance: Chance, { schema, schemas }: Target, name: string): string => {
  const edges = edgesOf(schemas, propertyOf(schema, name))
  if (edges.length > 0 && chance.happens(0.4)) return chance.pick(edges)
  return chance.happens(0.1) ? heavy(chance) : chance.pick(nasty.rawValues)
}

type Members = Extract<Node, { readonly kind: "object" }>["members"]
type Fault = readonly [words: string, field: string | undefined]

/** Puts something else where a value of a field stands, or deep within it. */
const spoilValue = (chance: Chance, target: Target, members: Members): Fault | undefined => {
  if (members.length === 0) return undefined
  const member = chance.pick(members)
  const name = member.key.slice(1, -1)
  const inner = slotsOf(member.value)
  const value = otherValue(chance, target, name)
  if (inner.length > 0 && chance.happens(0.5)) chance.pick(inner).put(raw(value))
  else member.value = raw(value)
  return [`${name} = ${shorten(value)}`, name]
}

/** A field that the schema has and these arguments have not. */
const addField = (chance: Chance, target: Target, members: Members): Fault | undefined => {
  const names = isSchema(target.schema["properties"]) ? Object.keys(target.schema["properties"]) : []
  if (names.length === 0) return undefined
  const name = chance.pick(names)
  const value = otherValue(chance, target, name)
  members.push({ key: JSON.stringify(name), value: raw(value) })
  return [`also ${name} = ${shorten(value)}`, name]
}

const spoilNames = (chance: Chance, members: Members): Fault => {
  const at = chance.between(0, members.length - 1)
  const member = members[at]
  const value = raw(chance.pick(nasty.rawValues))
  if (member === undefined || chance.happens(0.4)) {
    const name = chance.pick(nasty.unknownKeys)
    members.push({ key: JSON.stringify(name), value })
    // Names that print as they are can be looked for in the refusal.
    return [`unknown field ${shorten(name)}`, /^[A-Za-z]\w{0,40}$/.test(name) ? name : undefined]
  }
  if (chance.happens(0.5)) {
    members.splice(at, 1)
    return [`without ${member.key}`, undefined]
  }
  members.push({ key: member.key, value })
  return [`${member.key} twice`, member.key.slice(1, -1)]
}

/** Arguments of the tool with as many faults as were asked for. */
export const argumentsOf = (chance: Chance, target: Target, faults: number): Arguments => {
  const good = nodeOf(chance.pick(target.good))
  if (faults === 0) return { node: good, wrong: [], field: undefined }
  if (good.kind !== "object" || chance.happens(0.04)) {
    const whole = chance.pick(nasty.rawValues)
    return { node: raw(whole), wrong: [`arguments = ${shorten(whole)}`], field: undefined }
  }
  const found: Array<Fault> = []
  while (found.length < faults) {
    const kind = chance.next()
    const fault = kind < 0.55
      ? spoilValue(chance, target, good.members)
      : kind < 0.8
      ? addField(chance, target, good.members)
      : spoilNames(chance, good.members)
    found.push(fault ?? spoilNames(chance, good.members))
  }
  const [first] = found
  return { node: good, wrong: found.map(([words]) => words), field: found.length === 1 ? first?.[1] : undefined }
}

/** The text of arguments. */
export const textOf = ({ node }: Arguments): string => print(node)
