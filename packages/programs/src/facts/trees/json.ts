/** JSON, with comments and trailing commas where somebody left them. */
import { createScanner, type Node, parseTree } from "jsonc-parser"
import { lineAt, spanBetween } from "../positions.ts"
import { checkDepth, type Tree } from "./tree.ts"

/** Throws where the text nests deeper than is read. */
export const checkText = (text: string): void => {
  const scanner = createScanner(text, true)
  let depth = 0
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const sign = text[scanner.getTokenOffset()]
    if (sign === "{" || sign === "[") checkDepth(++depth)
    else if (sign === "}" || sign === "]") depth--
  }
}

/** What can be read of a text; undefined where nothing can. */
export const jsonTree = (path: string, text: string): Tree | undefined => {
  checkText(text)
  const line = lineAt(text)
  const treeOf = ({ children = [], length, offset, type, value }: Node): Tree => {
    const span = spanBetween(path, line, offset, offset + length)
    if (type === "array") return { type: "list", items: children.map(treeOf), span }
    if (type !== "object") return { type: "scalar", text: String(value), isLiteral: type !== "string", span }
    const members = children.flatMap((property) => {
      const [key, value] = property.children ?? []
      if (key === undefined || value === undefined) return []
      return [{ name: String(key.value), value: treeOf(value), span: spanBetween(path, line, key.offset, value.offset + value.length) }]
    })
    return { type: "table", members, span }
  }
  const root = parseTree(text, [], { allowTrailingComma: true })
  return root === undefined ? undefined : treeOf(root)
}
