/** What tree-sitter tells of a file of code: what is no code in it, and whether two texts are the same program. */
import { type Grammar, isAbort, matchingOne, walkingOne } from "@svc/programs/facts/grammars"
import type { Tree } from "web-tree-sitter"

const COMMENTS = "(comment) @comment"

/** What holds text of any kind, per grammar. */
const QUERIES: Readonly<Partial<Record<Grammar, string>>> = {
  typescript: `${COMMENTS} [(string) (template_string) (regex)] @text`,
  tsx: `${COMMENTS} [(string) (template_string) (regex) (jsx_text)] @text`,
  python: `${COMMENTS} (string) @text`,
  go: `${COMMENTS} [(interpreted_string_literal) (raw_string_literal)] @text`,
  rust: "[(line_comment) (block_comment)] @comment [(string_literal) (raw_string_literal)] @text",
  java: "[(line_comment) (block_comment)] @comment (string_literal) @text"
}

const GRAMMARS: Readonly<Record<string, Grammar>> = {
  ".ts": "typescript",
  ".mts": "typescript",
  ".cts": "typescript",
  ".tsx": "tsx",
  ".js": "tsx",
  ".mjs": "tsx",
  ".cjs": "tsx",
  ".jsx": "tsx",
  ".py": "python",
  ".go": "go",
  ".rs": "rust",
  ".java": "java"
}

/** After a trap no parser of this process is to be trusted. */
let aborted = false

const unlessAborted = async <A>(use: () => Promise<A>, otherwise: A): Promise<A> => {
  if (aborted) return otherwise
  try {
    return await use()
  } catch (error) {
    aborted = isAbort(error)
    return otherwise
  }
}

export interface Syntax {
  /** The text, with `·` for each letter of comments and strings. */
  readonly code: string
  /** Lines, the first of them 0, whose end stands within a string. */
  readonly guarded: ReadonlySet<number>
}

/** The text itself for languages without a grammar here. */
export const syntaxOf = ({ extension, text }: { readonly extension: string; readonly text: string }): Promise<Syntax> => {
  const grammar = GRAMMARS[extension]
  const query = grammar === undefined ? undefined : QUERIES[grammar]
  const plain = { code: text, guarded: new Set<number>() }
  if (grammar === undefined || query === undefined) return Promise.resolve(plain)
  return unlessAborted(() =>
    matchingOne({ grammar, query, text }, (matches) => {
      const guarded = new Set<number>()
      const ranges = matches.flatMap(({ captures }) => captures).map(({ name, node }) => {
        const { endIndex, endPosition, startIndex, startPosition } = node
        if (name === "text") { for (let row = startPosition.row; row < endPosition.row; row++) guarded.add(row) }
        return { start: startIndex, end: endIndex }
      }).toSorted((one, other) => one.start - other.start)
      let code = ""
      let at = 0
      for (const { end, start } of ranges) {
        if (start < at) continue
        code += text.slice(at, start) + text.slice(start, end).replaceAll(/[^\n]/gu, "·")
        at = end
      }
      return { code: code + text.slice(at), guarded }
    }), plain)
}

const TEXT = /string|template|char|regex|jsx_text/u

/** Tokens without comments; a string is one token. Undefined for what does not parse. */
const tokensOf = ({ rootNode }: Tree, text: string): string | undefined => {
  if (rootNode.hasError) return undefined
  const tokens: Array<string> = []
  const cursor = rootNode.walk()
  const visit = (): boolean => {
    const type = cursor.nodeType
    if (type.includes("comment")) return false
    const isText = TEXT.test(type)
    if (isText || cursor.currentNode.childCount === 0) {
      // Go has ends of statements without letters, which the tree says anyway.
      if (type.trim() !== "" && cursor.endIndex > cursor.startIndex) {
        tokens.push(cursor.nodeIsNamed ? `${type} ${text.slice(cursor.startIndex, cursor.endIndex)}` : type)
      }
      return false
    }
    tokens.push(`(${type}`)
    return true
  }
  let isDone = false
  while (!isDone) {
    if (visit() && cursor.gotoFirstChild()) continue
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        isDone = true
        break
      }
      tokens.push(")")
    }
  }
  cursor.delete()
  return tokens.join("\n")
}

/** Whether both texts are the same program, but for comments and the room between tokens. */
export const isSameProgram = (extension: string, before: string, after: string): Promise<boolean> => {
  const grammar = GRAMMARS[extension]
  if (grammar === undefined) return Promise.resolve(false)
  return unlessAborted(async () => {
    const tokens = await walkingOne(grammar, before, (tree) => tokensOf(tree, before))
    return tokens !== undefined && tokens === await walkingOne(grammar, after, (tree) => tokensOf(tree, after))
  }, false)
}
