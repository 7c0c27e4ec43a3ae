/** What is called: the text before the arguments of a call, its object and its name. */
import { ending } from "../text.ts"
import type { Call } from "./language.ts"

/** Characters of a name that are looked at. */
export const MOST_NAME = 120

const NAME_PART = /[\p{L}\p{N}_$#@]/u
const SEPARATOR = /(?:\?\.|\.|::|->|!)$/u
/** Characters of the longest separator. */
const MOST_SEPARATOR = 2
/** What may stand between a callee and its arguments. */
const TYPES = /(?:\?\.|(?:\.|::)?<[^<>]{0,200}>)$/u
/** The callee without the arguments of a function that gives a function: `make(1)(2)` calls `make`. */
const withoutArguments = (callee: string): string =>
  callee.endsWith(")") || callee.endsWith("`") ? callee.slice(0, callee.search(/[(`]/u)) : callee

/** Most callees: names with dots between them. */
const DOTTED = /^[\w$]+(?:\.[\w$]+)*$/u

/** The object and the name of a callee; undefined where it has no name. */
export const partsOfCallee = (callee: string): Pick<Call, "name" | "object"> | undefined => {
  if (callee.length <= MOST_NAME && DOTTED.test(callee)) {
    const dot = callee.lastIndexOf(".")
    return { name: callee.slice(dot + 1), object: callee.slice(0, Math.max(0, dot)) }
  }
  const plain = withoutArguments(callee)
  const mark = plain.endsWith("?") || plain.endsWith("!") ? plain.slice(-1) : ""
  const word = ending(plain.slice(-MOST_NAME, plain.length - mark.length), NAME_PART)
  if (word === "") return undefined
  const name = word + mark
  // A callee may be a long chain: only its end is looked at.
  const before = plain.slice(0, plain.length - name.length).slice(-MOST_NAME - MOST_SEPARATOR)
  return { name, object: before.replace(SEPARATOR, "").slice(-MOST_NAME) }
}

const withoutTypes = (callee: string): string => callee.endsWith(">") || callee.endsWith("?.") ? callee.replace(TYPES, "") : callee

/** The callee as it is written, but for types between it and its arguments, and for `new`. */
export const writtenCallee = (callee: string): string =>
  DOTTED.test(callee) ? callee : withoutTypes(callee).replace(/^new\s+(?=[^\s()][^()]*$)/u, "")
