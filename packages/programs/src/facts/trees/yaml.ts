/** YAML: each document of a text. */
import { type Alias, Composer, type CST, type Document, isAlias, isMap, isScalar, isSeq, type Node, Parser, Scalar } from "yaml"
import type { Span } from "../model.ts"
import { lineAt, spanBetween } from "../positions.ts"
import { checkDepth, type Member, type Tree } from "./tree.ts"

/** The parser needs four seconds for a text of 1 MiB. */
const MOST_CHARACTERS = 400_000
/** Values that aliases may repeat in a document. */
const MOST_REPEATED = 10_000

/** Composing is recursive, and V8 does not survive a regular expression that is compiled where the stack ends. Parsing is not. */
const checkTokens = (tokens: ReadonlyArray<CST.Token>): void => {
  const open = tokens.map((token) => ({ token, depth: 1 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { depth, token } = next
    checkDepth(depth)
    const inner = token.type === "document"
      ? [token.value]
      : "items" in token
      ? (token.items as ReadonlyArray<CST.CollectionItem>).flatMap(({ key, value }) => [key, value])
      : []
    for (const child of inner) if (child != null) open.push({ token: child, depth: depth + 1 })
  }
}

interface Sized {
  readonly tree: Tree
  /** Values in it, with those that aliases repeat. */
  readonly size: number
}

/** A table with what it merges by `<<`; its own members come first. */
const merged = (own: ReadonlyArray<Member>, span: Span): Tree => {
  const tables = own.filter(({ name }) => name === "<<").flatMap(({ value }) => value.type === "list" ? value.items : [value])
  const members = own.filter(({ name }) => name !== "<<")
  const names = new Set(members.map(({ name }) => name))
  for (const member of tables.flatMap((table) => table.type === "table" ? table.members : [])) {
    if (!names.has(member.name)) members.push(member)
    names.add(member.name)
  }
  return { type: "table", members, span }
}

const documentTree = (document: Document.Parsed, path: string, line: (offset: number) => number): Tree | undefined => {
  const anchored = new Map<string, Sized>()
  let repeatable = MOST_REPEATED
  const spanOf = ({ range }: Pick<Node, "range">): Span => spanBetween(path, line, range?.[0] ?? 0, range?.[1] ?? 0)
  const scalar = (text: string, node: Pick<Node, "range">): Sized => ({ tree: { type: "scalar", text, span: spanOf(node) }, size: 1 })
  /** What an alias stands for; its name where it would repeat too much, which bounds a file that is made to explode. */
  const aliased = (alias: Alias): Sized => {
    const target = anchored.get(alias.source)
    if (target === undefined || target.size > repeatable) return scalar(`*${alias.source}`, alias)
    repeatable -= target.size
    return target
  }
  const nameOf = (key: unknown): string => isScalar(key) ? String(key.value) : isAlias(key) ? `*${key.source}` : "?"
  const plain = (node: unknown): Sized => {
    if (isSeq(node)) {
      const items = node.items.map(sized)
      return { tree: { type: "list", items: items.map(({ tree }) => tree), span: spanOf(node) }, size: sizeOf(items) }
    }
    if (isMap(node)) {
      const values = node.items.map(({ value }) => sized(value))
      const members = node.items.map(({ key }, at): Member => {
        const value = values[at]?.tree ?? scalar("", node).tree
        const span = isScalar(key) || isAlias(key) ? spanOf(key) : value.span
        const whole = value.span.end_line >= span.start_line ? { ...span, end_line: value.span.end_line } : span
        return { name: nameOf(key), value, span: isAlias(node.items[at]?.value) ? span : whole }
      })
      return { tree: merged(members, spanOf(node)), size: sizeOf(values) }
    }
    if (isScalar(node)) return scalar(node.type === Scalar.PLAIN ? node.source ?? "" : String(node.value ?? ""), node)
    return scalar("", {})
  }
  const sized = (node: unknown): Sized => {
    if (isAlias(node)) return aliased(node)
    const found = plain(node)
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined
    if (anchor !== undefined) anchored.set(anchor, found)
    return found
  }
  return document.contents === null ? undefined : sized(document.contents).tree
}

const sizeOf = (values: ReadonlyArray<Sized>): number => values.reduce((sum, { size }) => sum + size, 1)

/** What can be read of each document of a text. */
export const yamlTrees = (path: string, text: string): ReadonlyArray<Tree> => {
  if (text.length > MOST_CHARACTERS) throw new Error(`it has more than ${MOST_CHARACTERS} characters of YAML`)
  const tokens = Array.from(new Parser().parse(text))
  checkTokens(tokens)
  const documents = Array.from(new Composer({ logLevel: "silent", prettyErrors: false, uniqueKeys: false }).compose(tokens))
  const line = lineAt(text)
  return documents.flatMap((document) => documentTree(document, path, line) ?? [])
}

/** The first document of a text. */
export const yamlTree = (path: string, text: string): Tree | undefined => yamlTrees(path, text)[0]
