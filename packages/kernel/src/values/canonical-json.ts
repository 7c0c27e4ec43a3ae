/**
 * Canonical JSON as RFC 8785 (JCS) defines it: one text for one value, whoever wrote it. The ledger's
 * hash chain and the fingerprints of idempotent requests are hashes of this text.
 */
import { Data } from "effect"

/**
 * The value has no canonical form. Thrown, a defect: canonicalize only what came out of a JSON parser
 * or a JSON codec. `path` leads to the offending part; the part itself is not repeated, it may be secret.
 */
export class NotCanonical extends Data.TaggedError("NotCanonical")<{
  readonly path: string
  readonly message: string
}> {}

// Far beyond any honest document, and far below the stack; a cycle ends here too.
const MAX_DEPTH = 512

type Path = ReadonlyArray<string | number>
const below = (parent: Path, key: string | number | undefined): Path => key === undefined ? parent : [...parent, key]

const refuse = (path: Path, why: string): never => {
  const at = path.reduce<string>((text, key) => typeof key === "number" ? `${text}[${key}]` : `${text}.${key}`, "$")
  throw new NotCanonical({ path: at, message: `No canonical JSON at ${at}: ${why}` })
}

// What JSON prints as it stands. The engine escapes the rest as RFC 8785 wants, except that it hides lone surrogates.
const plain = /^[ !#-[\]-~]*$/

const text = (value: string, parent: Path, key?: string | number): string => {
  if (plain.test(value)) return `"${value}"`
  if (!value.isWellFormed()) refuse(below(parent, key), "the text holds half of a surrogate pair, which UTF-8 cannot carry")
  return JSON.stringify(value)
}

const array = (value: ReadonlyArray<unknown>, path: Path): string => {
  let out = "["
  for (let i = 0; i < value.length; i++) {
    if (i > 0) out += ","
    out += write(value[i], path, i)
  }
  return out + "]"
}

const object = (value: object, path: Path): string => {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    refuse(path, "not a plain object; encode it to JSON first")
  }
  let out = "{"
  // The default order of sort is by UTF-16 code units, which is the order RFC 8785 asks for.
  for (const key of Object.keys(value).sort()) {
    if (out.length > 1) out += ","
    out += text(key, path) + ":" + write((value as Record<string, unknown>)[key], path, key)
  }
  return out + "}"
}

const write = (value: unknown, parent: Path, key?: string | number): string => {
  switch (typeof value) {
    case "string":
      return text(value, parent, key)
    case "boolean":
      return value ? "true" : "false"
    case "number":
      // String(number) is the ECMAScript form RFC 8785 names, and prints -0 as 0.
      if (Number.isFinite(value)) return String(value)
      break
    case "object": {
      if (value === null) return "null"
      const path = below(parent, key)
      if (path.length > MAX_DEPTH) refuse(path, `nested more than ${MAX_DEPTH} deep, or a cycle`)
      return Array.isArray(value) ? array(value, path) : object(value, path)
    }
  }
  return refuse(
    below(parent, key),
    typeof value === "number" ? `${value} is not a JSON number` : `a value of type ${typeof value} does not exist in JSON`
  )
}

/** The RFC 8785 text of a JSON value. Throws {@link NotCanonical} for what JSON does not know. */
export const canonicalize = (value: unknown): string => write(value, [])
