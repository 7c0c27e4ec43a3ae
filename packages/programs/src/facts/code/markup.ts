/** Elements and components of JSX. */
import { attributeOf, classNamesOf, type Element, elementFact, isTold, isWithText, propsOf, UNKNOWN } from "../markup.ts"
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import { componentAround } from "./components.ts"
import type { Range, Source } from "./language.ts"
import { literal, membersOf } from "./literals.ts"

/** Elements of one file that are looked at. */
const MOST = 2000
const MOST_TEXT = 4000
const MOST_CLASSES = 80

interface Tag extends Omit<Element, "text"> {
  /** Names of attributes as written. */
  readonly props: ReadonlyArray<string>
  /** Where the content begins. */
  readonly content: number
}

const NAME = /<([A-Za-z][\w$.:-]*)/uy
const ATTRIBUTE = /\s*(?:\/\*[^]*?\*\/\s*)?([A-Za-z_@:][\w:.-]*)(\s*=\s*)?/uy
const QUOTED = /"[^"]*"|'[^']*'/uy
const OPENING = /\s*\{/uy
const END = /\s*(\/?)>/uy

const match = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Where the bracket that opens at an offset closes; strings in it are left out. */
const closing = (text: string, open: number, end: number): number => {
  let depth = 0
  for (let at = open; at < end; at++) {
    const sign = text.charAt(at)
    if (sign === "{") depth++
    else if (sign === "}" && --depth === 0) return at
    else if (sign === "\"" || sign === "'" || sign === "`") {
      const close = text.indexOf(sign, at + 1)
      if (close !== -1 && close < end) at = close
    }
  }
  return end
}

/** `"text"` and `{"text"}` are the text, any other expression is `{…}`. */
const valueOf = (written: string): string => {
  if (!written.startsWith("{")) return written.slice(1, -1)
  const inner = written.slice(1, -1).trim()
  const text = /^(?:"[^"]*"|'[^']*'|`[^`$]*`)$/u.test(inner) ? literal(inner) : undefined
  return text ?? `{${inner}}`
}

const tagOf = (text: string, { end, start }: Range): Tag | undefined => {
  const name = match(NAME, text, start)
  if (name === null) return undefined
  const attributes: Array<readonly [string, string]> = []
  const props: Array<string> = []
  let at = NAME.lastIndex
  while (at < end && match(END, text, at) === null) {
    const attribute = match(ATTRIBUTE, text, at)
    const spread = attribute === null ? match(OPENING, text, at) : null
    if (attribute === null && spread === null) break
    if (attribute === null) {
      attributes.push([UNKNOWN, ""])
      props.push("{...")
      at = closing(text, OPENING.lastIndex - 1, end) + 1
      continue
    }
    at = ATTRIBUTE.lastIndex
    props.push(attribute[1] ?? "")
    if (attribute[2] === undefined) {
      attributes.push(attributeOf(attribute[1] ?? "", ""))
      continue
    }
    const close = text.charAt(at) === "{" ? closing(text, at, end) + 1 : match(QUOTED, text, at) === null ? end : QUOTED.lastIndex
    attributes.push(attributeOf(attribute[1] ?? "", valueOf(text.slice(at, Math.min(close, at + MOST_TEXT)))))
    at = close
  }
  END.lastIndex = at
  return { name: name[1] ?? "", attributes: Object.fromEntries(attributes), props, content: END.exec(text) === null ? end : END.lastIndex }
}

/** What stands between the tags; of the tags within, those of components and the texts of pictures. */
const textOf = (text: string, { content }: Tag, end: number): string =>
  text.slice(content, Math.max(content, end)).slice(0, MOST_TEXT)
    .replaceAll(/<\/[^<>]*>/gu, " ")
    .replaceAll(/<([A-Z][\w.]*)(?:[^\w.<>][^<>]*)?>/gu, " <$1> ")
    .replaceAll(/<[a-z][^<>]*>|<>/gu, (tag) => ` ${/\salt="([^"]*)"/u.exec(tag)?.[1] ?? ""} `)

/** `next/image` is a picture, and `next/link` a link. */
const elementName = (source: Source, name: string): string => {
  const isOf = (module: string) => source.imports.some(({ names, target }) => target === module && names.includes(name))
  return isOf("next/image") ? "img" : isOf("next/link") ? "a" : name
}

const isComponent = (name: string): boolean => /^[A-Z]|\./u.test(name)

/** `export const metadata = { title: "…" }` of a page or layout of Next.js. */
const metadata = (source: Source): ReadonlyArray<AnyFact> => {
  if (!/(?:^|\/)app\//u.test(source.path) || !/(?:^|\/)(?:page|layout)\.[jt]sx?$/u.test(source.path)) return []
  const found = source.definitions.find(({ name, parent }) => name === "metadata" && parent === undefined)
  if (found === undefined) return []
  const span = source.span(found)
  const members = membersOf(source.text.slice(found.start, Math.min(found.end, found.start + MOST_TEXT)))
  return members.flatMap(({ name, value }) => {
    const text = literal(value) ?? `{${value}}`
    if (name === "title") return [elementFact({ name: "title", attributes: {}, text }, span)]
    const isMeta = /^(?:description|keywords|robots)$/u.test(name)
    return isMeta ? [elementFact({ name: "meta", attributes: { name, content: text }, text: "" }, span)] : []
  })
}

const classes = (source: Source, tags: ReadonlyArray<Tag & { readonly range: Range }>): ReadonlyArray<AnyFact> =>
  Array.from(Map.groupBy(tags, ({ range }) => componentAround(source, range.start)?.name), ([name, group]) => {
    const names = new Set(group.flatMap(({ attributes }) => classNamesOf(attributes["class"] ?? "")))
    const first = group.find(({ attributes }) => classNamesOf(attributes["class"] ?? "").length > 0)
    return name === undefined || first === undefined
      ? []
      : [
        fact(
          "classes",
          clip(name),
          { names: [...names].slice(0, MOST_CLASSES) },
          source.span({ start: first.range.start, end: first.content })
        )
      ]
  }).flat()

export const markup = (source: Source): ReadonlyArray<AnyFact> => {
  const tags = source.markup.slice(0, MOST).flatMap((range) => {
    const tag = tagOf(source.text, range)
    return tag === undefined ? [] : [{ ...tag, range }]
  })
  const facts = tags.flatMap((tag): ReadonlyArray<AnyFact> => {
    const { attributes, name, range } = tag
    const opening = { start: range.start, end: tag.content }
    const element = { name: elementName(source, name), attributes }
    const within = componentAround(source, range.start)?.name ?? null
    const render = isComponent(name) ? [fact("render", clip(name), { within, props: propsOf(tag.props) }, source.span(opening))] : []
    if (!isTold(element)) return render
    const hasText = isWithText(element)
    const text = hasText ? textOf(source.text, tag, range.end) : ""
    return [...render, elementFact({ ...element, text }, source.span(hasText ? range : opening))]
  })
  return [...facts, ...classes(source, tags), ...metadata(source)]
}
