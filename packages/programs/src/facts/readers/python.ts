/** Python. */
import type { Node } from "web-tree-sitter"
import type { Import, Language, Source } from "../code/language.ts"
import { withoutAlias } from "../code/literals.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(function_definition name: (_) @name body: (_) @body) @definition.function
(class_definition name: (_) @name body: (_) @body) @definition.class
(assignment left: (identifier) @name) @definition.constant

(call function: (_) @callee arguments: (_) @arguments) @call
(decorator (call) @decorator)
(decorator [(identifier) (attribute)] @callee) @call @decorator

(import_statement) @import
(import_from_statement) @import
(raise_statement) @throw
(except_clause) @catch
(comment) @comment
`

const FROM = /^from\s+([\w.]+)\s+import\s([^]*)$/u

const imports = (node: Node, { text }: Source): ReadonlyArray<Import> => {
  const written = text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 8000))
  const [, module, listed = ""] = FROM.exec(written) ?? []
  const parts = (names: string) =>
    names.replaceAll(/[()]|#[^\n]*/gu, "").split(",").map((part) => part.trim()).filter((part) => part !== "")
  if (module !== undefined) {
    return [{ target: module, names: parts(listed).map(withoutAlias), style: "static" }]
  }
  return parts(written.replace(/^import\s+/u, "")).map((part) => {
    const [target = "", alias] = part.split(/\sas\s/u, 2).map((name) => name.trim())
    return { target, names: alias === undefined ? [] : [`* as ${alias}`], style: "static" }
  })
}

export const language: Language = {
  name: "Python",
  takes: /\.pyi?$/u,
  syntax: () => ({ grammar: "python", query }),
  hasBlocks: true,
  imports,
  exported: ({ name, parent }) => !name.startsWith("_") && (parent === undefined || parent.kind === "class")
}

export const python = codeReader(language)
