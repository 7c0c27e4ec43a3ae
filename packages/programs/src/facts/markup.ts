/** What pages and JSX have in common: which elements and attributes are facts, whatever a framework calls them. */
import { type Fact, fact, type Span } from "./model.ts"
import { byText } from "./order.ts"
import { clip } from "./text.ts"

/** Elements that say something of their page. */
const ELEMENTS: ReadonlySet<string> = new Set(
  ("a aside base button footer form h1 h2 h3 h4 h5 h6 header html iframe img input label link main meta nav script select textarea title " +
    "video").split(" ")
)
/** Elements whose text counts. */
const WITH_TEXT: ReadonlySet<string> = new Set("a button h1 h2 h3 h4 h5 h6 label title".split(" "))

const ATTRIBUTES: ReadonlySet<string> = new Set(
  ("action alt aria-hidden aria-label aria-labelledby charset content for href id lang method name onclick onkeydown onkeyup placeholder " +
    "property rel required role src tabindex target title type").split(" ")
)

/** Elements that a keyboard does not reach by themselves. */
export const isPassive = (name: string): boolean =>
  /^(?:article|aside|div|footer|header|img|li|main|nav|p|section|span|td|tr|ul)$/u.test(name)

export type Attributes = Readonly<Record<string, string>>

/** Attributes that only a run shows. */
export const UNKNOWN = "..."

const EVENT = /^(?:@|v-on:|on:|\(|on)(click|keydown|keyup)\b/u
const NAMES: Readonly<Record<string, string>> = { classname: "class", htmlfor: "for", tabindex: "tabindex" }

/**
 * The attribute as HTML calls it, and its value: `:alt="x"` of Vue is `alt` and `{x}`. Spread objects and the signs of templates are
 * `...`.
 */
export const attributeOf = (written: string, value: string): readonly [name: string, value: string] => {
  if (/^\{\.\.\.|\{\{|<%|^\{%|^v-bind$/u.test(written)) return [UNKNOWN, ""]
  const lower = written.toLowerCase()
  const short = /^\{([\w$]+)\}$/u.exec(lower)?.[1]
  if (short !== undefined) return [short, `{${short}}`]
  const event = EVENT.exec(lower)?.[1]
  if (event !== undefined) return [`on${event}`, value]
  const bound = /^(?::|v-bind:|\[)([\w-]+)\]?$/u.exec(lower)?.[1]
  return bound === undefined ? [NAMES[lower] ?? lower, value] : [NAMES[bound] ?? bound, `{${value}}`]
}

export interface Element {
  readonly name: string
  readonly attributes: Attributes
  readonly text: string
}

export const isWithText = ({ attributes, name }: Omit<Element, "text">): boolean =>
  WITH_TEXT.has(name) || name === "script" && /ld\+json/u.test(attributes["type"] ?? "")

/** Whether it is a fact. */
export const isTold = ({ attributes, name }: Omit<Element, "text">): boolean =>
  ELEMENTS.has(name) || isPassive(name) && "onclick" in attributes

const subjectOf = (name: string, attributes: Attributes): string => {
  const kind = name === "meta" ? attributes["name"] ?? attributes["property"] : name === "link" ? attributes["rel"] : undefined
  return clip(kind === undefined ? name : `${name}:${kind}`)
}

const TYPE = /"@type"\s{0,9}:\s{0,9}"(\w{1,60})"/gu

/** The types of JSON-LD stand for its text. */
const textOf = ({ name, text }: Element): string =>
  name === "script" ? Array.from(text.matchAll(TYPE), ([, type = ""]) => type).join(" ") : text

export const elementFact = (element: Element, span: Span): Fact<"element"> => {
  const known = Object.entries(element.attributes).filter(([name]) => ATTRIBUTES.has(name) || name === UNKNOWN)
    .toSorted(([one], [other]) => byText(one, other))
  // Pairs, so that no name is one of every object's own.
  const attributes = Object.fromEntries(known.map(([name, value]) => [name, clip(value)]))
  return fact("element", subjectOf(element.name, attributes), { text: clip(textOf(element)), attributes }, span)
}

/** Names of properties as they are written, without directives; `...` where a run may add others. */
export const propsOf = (written: ReadonlyArray<string>): ReadonlyArray<string> =>
  written.slice(0, 30).flatMap((name) => {
    if (attributeOf(name, "")[0] === UNKNOWN) return [UNKNOWN]
    return /^(?:@|v-(?!bind:)|#|on:|class:|use:|key$|ref$|slot$)/u.test(name)
      ? []
      : [clip(name.replace(/^(?:v-bind:|bind:|:)|^\{|\}$/gu, ""), 60)]
  })

/** Class names without those that a template or an expression makes. */
export const classNamesOf = (value: string): ReadonlyArray<string> =>
  value.split(/\s+/u).filter((name) => /^[\w:/.[\]%-]{1,60}$/u.test(name))
