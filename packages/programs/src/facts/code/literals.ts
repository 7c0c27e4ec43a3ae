/** Texts of arguments: strings, and members of an object. */
import { clip, ending } from "../text.ts"

const QUOTED = /^(?:@|\$|[a-zA-Z]{0,2}#{0,2})?("""|'''|["'`])/u

/** What stands between the quotes of a string of any language; undefined for anything else. */
export const literal = (text: string | undefined): string | undefined => {
  const quote = QUOTED.exec(text ?? "")
  const [head = "", mark = ""] = quote ?? []
  if (text === undefined || quote === null) return undefined
  const end = text.lastIndexOf(mark)
  return end < head.length ? undefined : clip(text.slice(head.length, end))
}

const NAME = /^[\w$.:]+$/u

/** An argument that names something, such as a handler. */
export const nameOf = (text: string | undefined): string | null => text !== undefined && NAME.test(text) ? clip(text) : null

/** The string that a member of an object or a named argument is given: `model: "x"`, `model="x"`. */
export const stringMember = (text: string, member: string): string | null => {
  const found = new RegExp(`(?<![\\w$])["']?${member}["']?\\s{0,9}[:=]\\s{0,9}(?:\\w{1,40}\\()?(["'\`])([^"'\`\\n]{1,200})\\1`, "u").exec(
    text
  )
  return found?.[2] === undefined ? null : clip(found[2])
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** Parts of a text between commas (or the signs given) that no bracket and no quote holds. */
export const partsOf = (text: string, separators = ","): ReadonlyArray<string> => {
  const parts: Array<string> = []
  const open: Array<string> = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    const quote = open.at(-1)
    if (quote === "\"" || quote === "'" || quote === "`") {
      if (sign === "\\") at++
      else if (sign === quote) open.pop()
    } else if (sign === "\"" || sign === "'" || sign === "`") open.push(sign)
    else if (CLOSING[sign] !== undefined) open.push(CLOSING[sign])
    else if (sign === quote) open.pop()
    else if (open.length === 0 && separators.includes(sign)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)].map((part) => part.trim()).filter((part) => part !== "")
}

const COMMENTS = /\/\*[^]*?(?:\*\/|$)|(?<![:"'`])\/\/[^\n]*/gu
const MEMBER = /^(?:readonly\s+)?["']?([\w$-]+)["']?(\?)?\s*:\s*([^]+)$/u

export interface Member {
  readonly name: string
  readonly optional: boolean
  readonly value: string
}

/** Members of an object or of a type, from its opening brace on. */
export const membersOf = (text: string): ReadonlyArray<Member> => {
  const open = text.indexOf("{")
  if (open === -1) return []
  const inner = text.slice(open + 1, text.lastIndexOf("}")).replaceAll(COMMENTS, "")
  return partsOf(inner, ",;\n").flatMap((part) => {
    const [, name, mark, value] = MEMBER.exec(part) ?? []
    return name === undefined || value === undefined ? [] : [{ name: clip(name), optional: mark === "?", value: clip(value) }]
  })
}

/** A name without what it is called here: `a as b`. */
export const withoutAlias = (name: string): string => (name.split(/\sas\s/u, 1)[0] ?? "").trim()

/** The name that what begins at an offset is assigned to: `name = `, `name := `, `name: Type = `. */
export const assignedTo = (text: string, start: number): string | undefined => {
  const before = text.slice(Math.max(0, start - 160), start).trimEnd().replace(/(?:\bawait|\bnew|&)$/u, "").trimEnd()
  const left = before.replace(/:?=$/u, "").trimEnd()
  if (!before.endsWith("=")) return undefined
  const type = ending(left, /[\w$.<>[\]]/u)
  const typed = left.slice(0, left.length - type.length).trimEnd()
  return ending(typed.endsWith(":") ? typed.slice(0, -1).trimEnd() : left, /[\w$]/u) || undefined
}
