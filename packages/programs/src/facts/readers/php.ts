/** PHP. */
import type { Import, Language } from "../code/language.ts"
import { withoutAlias } from "../code/literals.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(class_declaration name: (_) @name body: (_) @body) @definition.class
(trait_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(function_definition name: (_) @name body: (_) @body) @definition.function
(const_element (name) @name) @definition.constant

(function_call_expression arguments: (_) @arguments) @call
(member_call_expression arguments: (_) @arguments) @call
(scoped_call_expression arguments: (_) @arguments) @call
(object_creation_expression (arguments) @arguments) @call
(attribute (name) @callee) @call @decorator

(namespace_use_declaration) @import
(require_expression) @import
(require_once_expression) @import
(include_expression) @import
(include_once_expression) @import
(throw_expression) @throw
(catch_clause) @catch
(comment) @comment
`

const imports = ({ text }: { readonly text: string }): ReadonlyArray<Import> => {
  const file = /^(?:require|include)(?:_once)?\b[^"']{0,200}["']\/?([^"']{1,400})["']/u.exec(text)?.[1]
  if (file !== undefined) return [{ target: file, names: [], style: "static" }]
  const [, prefix, group] = /^use\s+(?:function\s+|const\s+)?([\w\\]+)\\\{([^}]{1,2000})\}/u.exec(text) ?? []
  const listed = group === undefined ? text.replace(/^use\s+(?:function\s+|const\s+)?|;$/gu, "") : group
  return listed.slice(0, 4000).split(",").flatMap((part) => {
    const name = withoutAlias(part)
    const target = prefix === undefined ? name : `${prefix}\\${name}`
    return /^[\w\\]+$/u.test(target) ? [{ target, names: [target.split("\\").at(-1) ?? target], style: "static" as const }] : []
  })
}

const language: Language = {
  name: "PHP",
  takes: /\.php$/u,
  syntax: () => ({ grammar: "php", query }),
  hasBlocks: true,
  imports,
  exported: ({ body, start }, { text }) => !/\b(?:private|protected)\b/u.test(text.slice(start, Math.min(body, start + 200)))
}

export const php = codeReader(language)
