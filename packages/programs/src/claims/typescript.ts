/** What strangers call their types and fields, as TypeScript. */
import { clip } from "../facts/text.ts"

const PLAIN: Readonly<Record<string, string>> = {
  string: "string",
  str: "string",
  text: "string",
  varchar: "string",
  uuid: "string",
  String: "string",
  "&str": "string",
  email: "string",
  number: "number",
  int: "number",
  integer: "number",
  float: "number",
  double: "number",
  i32: "number",
  i64: "number",
  u32: "number",
  u64: "number",
  f64: "number",
  Int: "number",
  Finite: "number",
  Number: "number",
  bigint: "number",
  long: "number",
  int64: "number",
  boolean: "boolean",
  bool: "boolean",
  Boolean: "boolean"
}

const plainType = (type: string): string => Object.hasOwn(PLAIN, type) ? PLAIN[type] ?? "unknown" : "unknown"

/** Types of one word are known; of others only that there is a value. */
export const typeOf = (type: string): string => {
  const [, array] = /^(\w+)\[\]$/u.exec(type) ?? []
  return array === undefined ? plainType(type) : `ReadonlyArray<${plainType(array)}>`
}

export const typeName = (name: string): string => {
  const pascal = name.split(/[^A-Za-z0-9]+/u).filter((part) => part !== "").map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("")
  return /^[A-Za-z]/u.test(pascal) ? pascal : `T${pascal}`
}

/** Signs that end a line, or that nobody sees, as escapes. */
const escaped = (json: string): string =>
  json.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)

export const member = (name: string): string => /^[A-Za-z_$][\w$]*$/u.test(name) ? name : escaped(JSON.stringify(name))

/** `mailId` of `mail_id`: a name that starts small. It may be a word of the language, so that users of it add another. */
export const camelName = (name: string): string => {
  const pascal = typeName(name)
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1)
}

/** A member of an object: `row.id`, `row["kebab-name"]`. */
export const memberOf = (object: string, name: string): string => {
  const written = member(name)
  return written === name ? `${object}.${name}` : `${object}[${written}]`
}

/** A text between quotes, clipped, on one line. */
export const quoted = (text: string, most = 200): string => JSON.stringify(clip(text, most))
