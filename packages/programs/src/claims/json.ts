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

export const json = (value: Value): Artifact => {
  const { citations, plain } = unmarked(value)
  return { text: `${JSON.stringify(plain, null, 2)}\n`, evidence: citations.length === 0 ? "none" : "cited", citations }
}

const lineOf = (plain: Plain): string => JSON.stringify(plain)

const memberOf = ([name, value]: readonly [string, Plain]): string => {
  if (typeof value !== "object" || value === null || !Array.isArray(value)) return `${JSON.stringify(name)}: ${lineOf(value)}`
  return value.length === 0 ? `${JSON.stringify(name)}: []` : `${JSON.stringify(name)}: [\n${value.map(lineOf).join(",\n")}\n]`
}

/** As JSON in which each element of a list, one level down, is a line: whoever searches the text sees an item whole. */
export const jsonLines = (value: { readonly [name: string]: Value | undefined }): Artifact => {
  const { citations, plain } = unmarked(value)
  const members = Object.entries(plain ?? {}).map(memberOf)
  return { text: `{\n${members.join(",\n")}\n}\n`, evidence: citations.length === 0 ? "none" : "cited", citations }
}
