/** Rust. */
import type { Import, Language } from "../code/language.ts"
import { partsOf, withoutAlias } from "../code/literals.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(function_item name: (_) @name body: (_) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(struct_item name: (_) @name body: (_)? @body) @definition.class
(enum_item name: (_) @name body: (_) @body) @definition.enum
(trait_item name: (_) @name body: (_) @body) @definition.interface
(type_item name: (_) @name) @definition.type
(const_item name: (_) @name) @definition.constant
(static_item name: (_) @name) @definition.variable
(mod_item name: (_) @name body: (_) @body) @definition.module
(macro_definition name: (_) @name) @definition.macro
(impl_item type: (_) @name body: (_) @body) @definition.scope

(call_expression function: (_) @callee arguments: (_) @arguments) @call
(macro_invocation macro: (_) @callee (token_tree) @arguments) @call
(attribute_item (attribute (_) @callee arguments: (token_tree)? @arguments) @call @decorator)

(use_declaration) @import
(mod_item !body) @import
(line_comment) @comment
(block_comment) @comment
`

const MOST_DEPTH = 5

/** `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`. */
const expanded = (tree: string, depth = 0): ReadonlyArray<string> => {
  const open = tree.indexOf("{")
  if (open === -1 || depth > MOST_DEPTH) return [withoutAlias(tree)]
  const prefix = tree.slice(0, open)
  return partsOf(tree.slice(open + 1, tree.lastIndexOf("}"))).flatMap((part) => expanded(`${prefix}${part}`, depth + 1))
}

const imports = ({ text }: { readonly text: string }): ReadonlyArray<Import> => {
  const module = /^(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)/u.exec(text)?.[1]
  if (module !== undefined) return [{ target: `self::${module}`, names: [], style: "static" }]
  const [, reexported, tree] = /^(pub(?:\([^)]*\))?\s+)?use\s+([^;]{1,4000})/u.exec(text) ?? []
  return tree === undefined ? [] : expanded(tree).map((target) => ({
    target: target.replace(/::(?:\*|self)$/u, ""),
    names: [target.split("::").at(-1) ?? target],
    style: reexported === undefined ? "static" : "reexport"
  }))
}

const language: Language = {
  name: "Rust",
  takes: /\.rs$/u,
  syntax: () => ({ grammar: "rust", query }),
  imports,
  exported: ({ start }, { text }) => text.startsWith("pub", start)
}

export const rust = codeReader(language)
