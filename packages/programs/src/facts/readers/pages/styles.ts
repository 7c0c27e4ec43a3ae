/** Tokens of CSS and SCSS: custom properties, variables, and colours, sizes and fonts that are written plainly; and who uses them. */
import type { ChildNode, Declaration } from "postcss"
import { parse } from "postcss-scss"
import { colourOf } from "../../colour.ts"
import { type AnyFact, fact } from "../../model.ts"
import { lineAt } from "../../positions.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

/** More of one file are those of a framework. */
const MOST = 1000

const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(/iu
const PLAIN =
  /^(?:font-family|font-size|font-weight|line-height|letter-spacing|border-radius|box-shadow|gap|max-width|transition-duration)$/u

/** A value that names no other token, and is a colour, size or font. */
const isPlain = ({ prop, value }: Declaration): boolean =>
  !/var\(|\$|^(?:inherit|initial|unset|none|auto|normal)$/u.test(value) &&
  (PLAIN.test(prop) || COLOUR.test(value) || colourOf(value) !== undefined)

const isToken = (node: Declaration): boolean => node.prop.startsWith("--") || node.prop.startsWith("$") || isPlain(node)

const USE = /var\(\s{0,9}(--[\w-]{1,80})|(\$[a-zA-Z][\w-]{0,80})/gu

/** What the declarations of a rule hold for, such as `@media (min-width: 1px) .card`. */
const scopeOf = (node: ChildNode, outer: string): string =>
  clip(`${outer} ${node.type === "rule" ? node.selector : node.type === "atrule" ? `@${node.name} ${node.params}` : ""}`)

/** `above`: how many lines of the file stand before the text. */
const tokensOf = (path: string, text: string, above: number): ReadonlyArray<AnyFact> => {
  const facts: Array<AnyFact> = []
  const open: Array<{ readonly node: ChildNode; readonly outer: string }> = []
  const push = (nodes: ReadonlyArray<ChildNode> | undefined, outer: string) => {
    for (const node of nodes?.toReversed() ?? []) open.push({ node, outer })
  }
  push(parse(text).nodes, "")
  for (let next = open.pop(); next !== undefined && facts.length < MOST; next = open.pop()) {
    const { node, outer } = next
    if (node.type === "decl") {
      const { end, start } = node.source ?? {}
      const first = above + (start?.line ?? 1)
      const span = { path, start_line: first, end_line: above + (end?.line ?? start?.line ?? 1) }
      const property = clip(node.prop)
      const colour = colourOf(node.value)
      if (isToken(node)) {
        facts.push(fact("token", property, { value: clip(node.value), scope: outer, ...colour === undefined ? {} : { colour } }, span))
      }
      const used = new Set(Array.from(node.value.matchAll(USE), ([, custom, variable]) => custom ?? variable ?? ""))
      for (const name of used) facts.push(fact("token-use", name, { property, scope: outer }, span))
    } else if (node.type !== "comment") push(node.nodes, scopeOf(node, outer))
  }
  return facts
}

export const styles = readerOf(/(?<!\.min)\.(?:css|scss)$/u, (path, text) => tokensOf(path, text, 0))

/** Styles within pages. */
export const pageStyles = readerOf(/\.(?:html?|vue|svelte|astro)$/iu, (path, text) => {
  const line = lineAt(text)
  const facts: Array<AnyFact> = []
  let after = 0
  for (const { 0: tag, index } of text.matchAll(/<style\b[^<>]*>/giu)) {
    const start = index + tag.length
    const end = text.indexOf("</style", start)
    if (end === -1) break
    if (index < after) continue
    after = end
    facts.push(...tokensOf(path, text.slice(start, end), line(start) - 1))
  }
  return facts
})
