/** Components: functions and classes that give markup, and the properties that they take. */
import { type AnyFact, fact, type Field } from "../model.ts"
import { clip } from "../text.ts"
import type { Definition, Source } from "./language.ts"
import { membersOf, partsOf } from "./literals.ts"

/** The types of properties, where the type stands in the same file. */
const declaredFields = (source: Source, type: string): ReadonlyArray<Field> => {
  const declared = source.definitions.find(({ kind, name }) => name === type && (kind === "interface" || kind === "type"))
  const text = declared === undefined ? type : source.text.slice(declared.body, Math.min(declared.end, declared.body + 4000))
  return membersOf(text).map(({ name, optional, value }) => ({ name, type: value, required: !optional }))
}

/** `({ title, size = 2 }: Props)`: from the type, else from the names. */
const propsOf = (source: Source, { body, start }: Definition): ReadonlyArray<Field> => {
  const head = source.text.slice(start, Math.min(body, start + 2000))
  const open = head.indexOf("(")
  if (open === -1) return []
  const [first = ""] = partsOf(head.slice(open + 1))
  const close = first.startsWith("{") ? first.indexOf("}") : -1
  const type = /^\s*:\s*(?:Readonly<)?([\w$]+|\{[^]*\})/u.exec(close === -1 ? first.replace(/^[\w$]+/u, "") : first.slice(close + 1))?.[1]
  const declared = type === undefined ? [] : declaredFields(source, type)
  if (declared.length > 0 || close === -1) return declared
  return partsOf(first.slice(1, close)).flatMap((part) => {
    const name = /^[\w$]+/u.exec(part)?.[0]
    return name === undefined ? [] : [{ name: clip(name), type: "unknown", required: !part.includes("=") }]
  })
}

const FRAMEWORKS: ReadonlyArray<readonly [module: RegExp, framework: string]> = [
  [/^preact/u, "preact"],
  [/^solid-js/u, "solid"],
  [/^(?:react|next)(?:$|\/|-)/u, "react"]
]

/** The innermost definition around an offset whose name begins with a capital. */
export const componentAround = (source: Source, offset: number): Definition | undefined => {
  let found = source.around(offset)
  while (found !== undefined && !/^\p{Lu}/u.test(found.name)) found = found.parent
  return found
}

export const components = (source: Source): ReadonlyArray<AnyFact> => {
  if (source.markup.length === 0) return []
  const framework = FRAMEWORKS.find(([module]) => source.imports.some(({ target }) => module.test(target)))?.[1] ?? "react"
  const outer = new Set(source.markup.map(({ start }) => componentAround(source, start)))
  return source.definitions.filter((one) => outer.has(one)).map((one) =>
    fact("component", clip(one.name), { framework, props: propsOf(source, one) }, source.span(one))
  )
}
