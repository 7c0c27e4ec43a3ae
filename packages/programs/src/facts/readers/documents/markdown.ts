/** Markdown and MDX: headings, what stands first under each, links, code blocks, front matter. */
import MarkdownIt, { type Token } from "markdown-it"
import { type AnyFact, fact, type Span } from "../../model.ts"
import { clip, visible } from "../../text.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { readerOf } from "../reader.ts"
import { settingsOf } from "../settings/setting.ts"

/** A longer document is read up to here. */
const MOST_CHARACTERS = 300_000
const MOST_CODE = 2000
/** Paragraphs and items under one heading that are facts: what stands first says most. */
const MOST_PARAGRAPHS = 12

const parser = new MarkdownIt({ html: true })

/** Lines of the front matter, with its rulers; 0 where there is none. */
const frontMatterLines = (lines: ReadonlyArray<string>): number =>
  lines[0]?.trimEnd() === "---" ? 1 + lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/u.test(line)) : 0

const plainText = (children: ReadonlyArray<Token>): string =>
  children.map(({ content, type }) => type === "softbreak" || type === "hardbreak" ? " " : type === "html_inline" ? "" : content).join("")

/** Links and images of a block, each on its line. */
const linksOf = (children: ReadonlyArray<Token>, whole: Span): ReadonlyArray<AnyFact> => {
  const facts: Array<AnyFact> = []
  let line = whole.start_line
  let openedAt = 0
  for (const [at, { content, type }] of children.entries()) {
    if (type === "softbreak" || type === "hardbreak") line++
    if (type === "link_open") openedAt = at
    if (type !== "image" && type !== "link_close") continue
    const isImage = type === "image"
    const target = children[isImage ? at : openedAt]?.attrGet(isImage ? "src" : "href") ?? ""
    const text = isImage ? content : plainText(children.slice(openedAt + 1, at))
    facts.push(fact("link", clip(text), { target: clip(String(target)), image: isImage }, { ...whole, start_line: line, end_line: line }))
  }
  return facts
}

const hasWords = (children: ReadonlyArray<Token>): boolean =>
  children.some(({ content, type }) => (type === "text" || type === "code_inline") && content.trim() !== "")

const blockFacts = (path: string, tokens: ReadonlyArray<Token>): ReadonlyArray<AnyFact> => {
  const facts: Array<AnyFact> = []
  let under: string | null = null
  let paragraphs = 0
  /** Cells of a table have no lines of their own: theirs are those of their row. */
  let span: Span = { path, start_line: 1, end_line: 1 }
  for (const [at, { children: own, content, info, map, tag, type }] of tokens.entries()) {
    if (map !== null) span = { path, start_line: map[0] + 1, end_line: Math.max(map[0] + 1, map[1]) }
    const children = tokens[at + 1]?.children ?? []
    if (type === "fence" || type === "code_block") {
      const text = visible(content).trimEnd().slice(0, MOST_CODE).toWellFormed()
      facts.push(fact("code-block", clip(info.trim().split(/\s/u)[0] ?? ""), { text }, span))
    } else if (type === "heading_open") {
      under = clip(plainText(children))
      paragraphs = 0
      facts.push(fact("heading", under, { level: Number(tag.slice(1)) }, span))
    } else if (type === "paragraph_open" && hasWords(children)) {
      const text = clip(plainText(children), 500)
      const isCode = path.endsWith("x") && /^(?:import|export)\s/u.test(text)
      if (!isCode && paragraphs++ < MOST_PARAGRAPHS) facts.push(fact("paragraph", under ?? "", { text, under }, span))
    } else if (type === "inline") facts.push(...linksOf(own ?? [], span))
  }
  return facts
}

export const markdown = readerOf(/\.(?:md|mdx|markdown)$/iu, (path, text) => {
  const lines = text.slice(0, MOST_CHARACTERS).split("\n")
  const front = frontMatterLines(lines)
  const head = yamlTree(path, lines.slice(0, front).join("\n"))
  const body = [...lines.slice(0, front).map(() => ""), ...lines.slice(front)].join("\n")
  return [
    ...head === undefined ? [] : settingsOf("front matter", head),
    ...blockFacts(path, parser.parse(body, {}))
  ]
})
