/** Values as JSON: what comes of facts says so, and is cited by its pointer, for formats that have no room for it. */
import type { AnyFact } from "../facts/model.ts"
import { type Artifact, type Citation, type Evidence, evidenceOf } from "./model.ts"
import { citationsAt } from "./places.ts"

export class Cited {
  readonly value: Value
  readonly evidence: Evidence
  constructor(value: Value, evidence: Evidence) {
    this.value = value
    this.evidence = evidence
  }
  /** What is written of it as JSON. */
  toJSON(): Value {
    return this.value
  }
}

export type Value = string | number | boolean | null | Cited | ReadonlyArray<Value> | { readonly [name: string]: Value | undefined }

/** The value, and the facts that it is made of. */
export const cited = (value: Value, ...evidence: Evidence): Cited => new Cited(value, evidence)

/** The value, where there are facts that it is made of. */
export const citedOf = (value: Value, facts: ReadonlyArray<AnyFact>): ReadonlyArray<Value> => {
  const evidence = evidenceOf(facts)
  return evidence === undefined ? [] : [cited(value, ...evidence)]
}

type Plain = string | number | boolean | null | ReadonlyArray<Plain> | { readonly [name: string]: Plain }

const isArray: (value: Value) => value is ReadonlyArray<Value> = Array.isArray

const isPlain = (value: Value): value is string | number | boolean | null => typeof value !== "object" || value === null

/** A step of a JSON pointer (RFC 6901). */
const step = (name: string): string => /[~/]/u.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name

/** The value without its marks, and where they were. */
export const unmarked = (value: Value): { readonly plain: Plain; readonly citations: ReadonlyArray<Citation> } => {
  const citations: Array<Citation> = []
  const strip = (value: Value, pointer: string): Plain => {
    if (isPlain(value)) return value
    if (value instanceof Cited) {
      citations.push(...citationsAt(pointer, value.evidence))
      return strip(value.value, pointer)
    }
    if (isArray(value)) return value.map((item, at) => isPlain(item) ? item : strip(item, `${pointer}/${at}`))
    const members: Array<readonly [string, Plain]> = []
    for (const [name, member] of Object.entries(value)) {
      if (member !== undefined) members.push([name, isPlain(member) ? member : strip(member, `${pointer}/${step(name)}`)])
    }
    return Object.fromEntries(members)
  }
  return { plain: strip(value, ""), citations }
}

/** Where the marks of a value are, without a copy of the value. */
const citationsIn = (value: Value): ReadonlyArray<Citation> => {
  const citations: Array<Citation> = []
  const walk = (value: Value, pointer: string): void => {
    if (isPlain(value)) return
    if (value instanceof Cited) {
      for (const citation of citationsAt(pointer, value.evidence)) citations.push(citation)
      walk(value.value, pointer)
    } else if (isArray(value)) {
      value.forEach((item, at) => {
        if (!isPlain(item)) walk(item, `${pointer}/${at}`)
      })
    } else {
      for (const [name, member] of Object.entries(value)) {
        if (member !== undefined && !isPlain(member)) walk(member, `${pointer}/${step(name)}`)
      }
    }
  }
  walk(value, "")
  return citations
}

const artifactOf = (text: string, citations: ReadonlyArray<Citation>): Artifact => ({
  text,
  evidence: citations.length === 0 ? "none" : "cited",
  citations
})

export const json = (value: Value): Artifact => artifactOf(`${JSON.stringify(value, null, 2)}\n`, citationsIn(value))

const lineOf = (value: Value): string => JSON.stringify(value)

const memberOf = (name: string, value: Value): string => {
  if (value instanceof Cited) return memberOf(name, value.value)
  if (isPlain(value) || !isArray(value)) return `${JSON.stringify(name)}: ${lineOf(value)}`
  return value.length === 0 ? `${JSON.stringify(name)}: []` : `${JSON.stringify(name)}: [\n${value.map(lineOf).join(",\n")}\n]`
}

/** As JSON in which each element of a list, one level down, is a line: whoever searches the text sees an item whole. */
export const jsonLines = (value: { readonly [name: string]: Value | undefined }): Artifact => {
  const members = Object.entries(value).flatMap(([name, member]) => member === undefined ? [] : [memberOf(name, member)])
  return artifactOf(`{\n${members.join(",\n")}\n}\n`, citationsIn(value))
}
