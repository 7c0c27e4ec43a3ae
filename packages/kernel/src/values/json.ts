/**
 * The one reader of JSON text: of requests, rows, stored answers, webhooks and what providers say.
 *
 * V8 of Node 24 and 26 misreads property names that are written with an escape: `{"a\"":1}` as `{"a\\":1}`, once anybody in the
 * process has used that name (https://github.com/nodejs/node/issues/63785, docs/decisions/0017). So a text with such a name is
 * read by `jsonc-parser`, and every other one by V8, which is several times faster and reads those as they are.
 */
import { visit } from "jsonc-parser"

const QUOTE = 0x22
const ESCAPE = 0x5c

/** Where the string that begins before `from` ends; the length of the text when it does not. */
const endOfString = (text: string, from: number): number => {
  let at = from
  for (let unit = text.charCodeAt(at); at < text.length && unit !== QUOTE; unit = text.charCodeAt(at)) at += unit === ESCAPE ? 2 : 1
  return at
}

/** White space, and what the name of a member ends with. */
const COLON = /[ \t\n\r]*:/y

/**
 * Whether a property name of a JSON text is written with an escape. No character is looked at more than a few times, whatever the text.
 * Of one that is not JSON the answer means nothing.
 */
const escapesName = (text: string): boolean => {
  let escape = text.indexOf("\\")
  for (let open = text.indexOf("\""); escape >= 0 && open >= 0;) {
    let close = text.indexOf("\"", open + 1)
    if (close < 0) return false
    if (escape < close) {
      close = endOfString(text, Math.max(open + 1, escape))
      COLON.lastIndex = close + 1
      if (COLON.test(text)) return true
      escape = text.indexOf("\\", close + 1)
    }
    open = text.indexOf("\"", close + 1)
  }
  return false
}

/** The visitor of `jsonc-parser` calls itself at each level, and has stack for more than twice as many. */
const MAX_DEPTH = 1000

type Members = Record<string, unknown>

const set = (members: Members, name: string, value: unknown): void => {
  // An assignment to this one would set the prototype.
  if (name === "__proto__") Object.defineProperty(members, name, { value, configurable: true, enumerable: true, writable: true })
  else members[name] = value
}

/** What `JSON.parse` should return. Of a name that stands twice the last value counts, as there. */
const readWithoutV8 = (text: string): unknown => {
  let root: unknown
  let name = ""
  const open: Array<Array<unknown> | Members> = []
  const put = (value: unknown): void => {
    const around = open.at(-1)
    if (around === undefined) root = value
    else if (Array.isArray(around)) around.push(value)
    else set(around, name, value)
  }
  const begin = (inner: Array<unknown> | Members): void => {
    if (open.length === MAX_DEPTH) throw new SyntaxError(`JSON text with escaped names is nested more than ${MAX_DEPTH} deep`)
    put(inner)
    open.push(inner)
  }
  const end = (): void => void open.pop()
  visit(text, {
    onObjectBegin: () => begin({}),
    onObjectProperty: (found) => void (name = found),
    onObjectEnd: end,
    onArrayBegin: () => begin([]),
    onArrayEnd: end,
    onLiteralValue: put,
    onError: (_error, offset) => {
      throw new SyntaxError(`Not JSON at position ${offset}`)
    }
  }, { disallowComments: true })
  return root
}

/**
 * The value of a JSON text (RFC 8259). Accepts and refuses what `JSON.parse` does, but for escaped names in a text that is nested
 * more than a thousand deep. Throws `SyntaxError`, whose message may quote the text.
 */
export const parseJson = (text: string): unknown => escapesName(text) ? readWithoutV8(text) : JSON.parse(text)

/** How many members the objects of a JSON text have, as they stand in the text. */
const membersIn = (text: string): number => {
  let members = 0
  for (let open = text.indexOf("\""); open >= 0;) {
    let close = text.indexOf("\"", open + 1)
    // A quote after an odd number of backslashes is a part of the string.
    for (let before = close - 1; close > 0; before = close - 1) {
      while (text.charCodeAt(before) === ESCAPE) before--
      if ((close - before) % 2 === 1) break
      close = text.indexOf("\"", close + 1)
    }
    if (close < 0) return members
    COLON.lastIndex = close + 1
    if (COLON.test(text)) members++
    open = text.indexOf("\"", close + 1)
  }
  return members
}

/** How many members the objects of a value have. */
const membersOf = (value: unknown): number => {
  let members = 0
  const left: Array<unknown> = [value]
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== "object" || one === null) continue
    const inner: ReadonlyArray<unknown> = Array.isArray(one) ? one : Object.values(one)
    if (!Array.isArray(one)) members += inner.length
    for (const each of inner) if (typeof each === "object" && each !== null) left.push(each)
  }
  return members
}

/** A name that stands twice in one object of the JSON text of this value, the nesting of which is bounded; undefined when none does. */
export const doubledName = (text: string, value: unknown): string | undefined => {
  if (membersIn(text) === membersOf(value)) return undefined
  const open: Array<Set<string>> = []
  let doubled: string | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectProperty: (name) => {
      const names = open.at(-1)
      if (names?.has(name) === true) doubled ??= name
      names?.add(name)
    },
    onObjectEnd: () => void open.pop()
  }, { disallowComments: true })
  return doubled
}
