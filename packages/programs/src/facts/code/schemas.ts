/** Schemas: the fields that data must have, as a validator or an exported type writes them. */
import { type AnyFact, fact, type Field } from "../model.ts"
import { clip } from "../text.ts"
import type { Definition, Source } from "./language.ts"
import { assignedTo, membersOf, partsOf } from "./literals.ts"

interface Validator {
  readonly style: string
  readonly callee: RegExp
  /** What makes a field one that may be missing. */
  readonly optional: RegExp
}

const VALIDATORS: ReadonlyArray<Validator> = [
  {
    style: "zod",
    callee: /^(?:z|zod)\.(?:object|strictObject|looseObject|interface)$/u,
    optional: /\.(?:optional|nullish|default|catch)\(|^z\.optional\(/u
  },
  { style: "effect", callee: /^(?:S|Schema)\.Struct$/u, optional: /(?:^|\.)optional\w*\(|withDecodingDefault|withConstructorDefault/u },
  { style: "typebox", callee: /^(?:Type|t)\.Object$/u, optional: /^(?:Type|t)\.Optional\(/u },
  { style: "valibot", callee: /^v\.(?:object|strictObject|looseObject)$/u, optional: /^v\.(?:optional|nullish)\(/u },
  { style: "yup", callee: /^(?:yup\.)?object(?:\.shape)?$/u, optional: /^(?!.*\.required\()/u },
  { style: "joi", callee: /^Joi\.object(?:\.keys)?$/u, optional: /^(?!.*\.required\()/u }
]

const VALIDATING = /^(?:object|Object|Struct|strictObject|looseObject|interface|shape|keys)$/u
const MOST_FIELDS = 60

const fieldsOf = (members: string, optional: RegExp): ReadonlyArray<Field> =>
  membersOf(members).slice(0, MOST_FIELDS).map(({ name, optional: marked, value }) => ({
    name,
    type: value,
    required: !marked && !optional.test(value)
  }))

/** A schema that is given a name: `const Order = z.object({…})`. */
const ofValidators = (source: Source): ReadonlyArray<AnyFact> =>
  source.callsWith("name", VALIDATING).flatMap((call) => {
    const validator = VALIDATORS.find(({ callee }) => callee.test(call.callee))
    const name = validator === undefined ? undefined : assignedTo(source.text, call.start)
    if (validator === undefined || name === undefined || call.arguments[0]?.startsWith("{") !== true) return []
    const { optional, style } = validator
    return [
      fact(
        "schema",
        clip(name),
        { style, fields: fieldsOf(source.text.slice(call.start, call.end).slice(0, 8000), optional) },
        source.span(call)
      )
    ]
  })

/** `class Order extends Schema.Class<Order>("Order")({…})` of Effect. */
const EFFECT_CLASS = /^class\s+([\w$]+)\s+extends\s+(?:Schema|S)\.(?:Class|TaggedClass|TaggedErrorClass|TaggedError|ErrorClass|Opaque)</u
const effectOptional = VALIDATORS[1]?.optional ?? /^$/u

const ofClass = (source: Source, definition: Definition): ReadonlyArray<AnyFact> => {
  const text = source.text.slice(definition.start, Math.min(definition.end, definition.start + 8000))
  const name = EFFECT_CLASS.exec(text)?.[1]
  if (name === undefined) return []
  const head = source.text.slice(definition.start, Math.min(definition.body, definition.start + 8000))
  return [fact("schema", clip(name), { style: "effect", fields: fieldsOf(head, effectOptional) }, source.span(definition))]
}

const ofTypeScript = (source: Source, definition: Definition): ReadonlyArray<AnyFact> => {
  if (!source.exported.has(definition)) return []
  const text = source.text.slice(definition.body, Math.min(definition.end, definition.body + 8000))
  const fields = fieldsOf(text, /^$/u)
  return fields.length === 0 ? [] : [fact("schema", clip(definition.name), { style: definition.kind, fields }, source.span(definition))]
}

const PYTHON_BASES = /^class\s+\w+\s*\(\s*(?:[\w.]+\s*,\s*)*(?:pydantic\.)?(BaseModel|BaseSettings|SQLModel|TypedDict|NamedTuple|Struct)\b/u
const PYTHON_FIELD = /^[ \t]+(\w+)\s*:\s*([^=\n#]+)(=[^\n]*)?/gmu

/** Models of pydantic, typed dictionaries and data classes. */
const ofPython = (source: Source, definition: Definition): ReadonlyArray<AnyFact> => {
  const text = source.text.slice(definition.start, Math.min(definition.end, definition.start + 8000))
  const isDataClass = /@(?:dataclasses\.)?dataclass[^\n@]{0,200}\n\s{0,40}$/u.test(
    source.text.slice(Math.max(0, definition.start - 240), definition.start)
  )
  const style = PYTHON_BASES.exec(text)?.[1] ?? (isDataClass ? "dataclass" : undefined)
  if (style === undefined) return []
  const own = text.slice(Math.max(0, definition.body - definition.start)).split(/\n[ \t]{1,80}(?:async[ \t]{1,9}def|def|class|@)/u, 1)[0] ??
    ""
  const fields = Array.from(` \n    ${own}`.matchAll(PYTHON_FIELD), ([, name = "", type = "", fallback]) => ({
    name: clip(name),
    type: clip(type),
    required: fallback === undefined && !/\bNone\b|^Optional\[/u.test(type)
  })).slice(0, MOST_FIELDS)
  return [fact("schema", clip(definition.name), { style: style === "BaseModel" ? "pydantic" : style, fields }, source.span(definition))]
}

const GO_FIELD = /^[ \t]+([A-Z]\w*)[ \t]+([^\s`/]+(?:[ \t][^\s`/]+)*)[ \t]*(`[^`\n]*`)?/gmu

const ofGo = (source: Source, definition: Definition): ReadonlyArray<AnyFact> => {
  const text = source.text.slice(definition.start, Math.min(definition.end, definition.start + 8000))
  if (!/\bstruct\s*\{/u.test(text.slice(0, 200)) || !source.exported.has(definition)) return []
  const fields = Array.from(text.matchAll(GO_FIELD), ([, name = "", type = "", tag = ""]) => ({
    name: clip(/json:"([^",]+)/u.exec(tag)?.[1] ?? name),
    type: clip(type),
    required: !type.startsWith("*") && !tag.includes("omitempty")
  })).slice(0, MOST_FIELDS)
  return fields.length === 0 ? [] : [fact("schema", clip(definition.name), { style: "struct", fields }, source.span(definition))]
}

const RUST_FIELD = /^(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:\s*([^]+)$/u

const ofRust = (source: Source, definition: Definition): ReadonlyArray<AnyFact> => {
  const text = source.text.slice(definition.start, Math.min(definition.end, definition.start + 8000))
  const open = text.indexOf("{")
  if (!/\bstruct\b[^;]{0,200}$/u.test(text.slice(0, Math.max(0, open))) || !source.exported.has(definition)) return []
  const body = text.slice(open + 1, text.lastIndexOf("}"))
  const fields = partsOf(body.replaceAll(/\/\/[^\n]*/gu, "")).flatMap((part): ReadonlyArray<Field> => {
    const [, name, type] = RUST_FIELD.exec(part) ?? []
    return name === undefined || type === undefined ? [] : [{ name: clip(name), type: clip(type), required: !type.startsWith("Option<") }]
  }).slice(0, MOST_FIELDS)
  return fields.length === 0 ? [] : [fact("schema", clip(definition.name), { style: "struct", fields }, source.span(definition))]
}

const ofJava = (source: Source, definition: Definition): ReadonlyArray<AnyFact> => {
  const [head = ""] = source.text.slice(definition.start, Math.min(definition.end, definition.start + 4000)).split("{", 1)
  const record = head.search(/\brecord\s/u)
  const [open, close] = [head.indexOf("(", record), head.lastIndexOf(")")]
  if (record === -1 || open === -1 || close < open) return []
  const body = head.slice(open + 1, close)
  const fields = partsOf(body).flatMap((part): ReadonlyArray<Field> => {
    const [, type, name] = /^(?:@\w+(?:\([^)]*\))?\s+)*([\w.<>[\]?]+)\s+(\w+)$/u.exec(part) ?? []
    return name === undefined || type === undefined ? [] : [{ name: clip(name), type: clip(type), required: !type.startsWith("Optional<") }]
  })
  return [fact("schema", clip(definition.name), { style: "record", fields }, source.span(definition))]
}

type OfDefinition = (source: Source, definition: Definition) => ReadonlyArray<AnyFact>

const BY_LANGUAGE: Readonly<Record<string, ReadonlyArray<readonly [kinds: ReadonlyArray<Definition["kind"]>, find: OfDefinition]>>> = {
  TypeScript: [[["interface", "type"], ofTypeScript], [["class"], ofClass]],
  Python: [[["class"], ofPython]],
  Go: [[["type", "class"], ofGo]],
  Rust: [[["class"], ofRust]],
  Java: [[["class"], ofJava]]
}

export const schemas = (source: Source): ReadonlyArray<AnyFact> => [
  ...ofValidators(source),
  ...(BY_LANGUAGE[source.language] ?? []).flatMap(([kinds, find]) =>
    source.definitions.filter(({ kind }) => kinds.includes(kind)).flatMap((one) => find(source, one))
  )
]
