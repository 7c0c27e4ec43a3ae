/** Go. */
import type { Language } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(function_declaration name: (_) @name body: (_) @body) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @container)) name: (_) @name body: (_) @body)
  @definition.method
(type_spec name: (_) @name type: (interface_type) @body) @definition.interface
(type_spec name: (_) @name type: (struct_type) @body) @definition.class
(type_spec name: (_) @name type: [(type_identifier) (function_type) (map_type) (slice_type) (qualified_type)]) @definition.type
(const_spec name: (_) @name) @definition.constant
(var_spec name: (_) @name) @definition.variable

(call_expression function: (_) @callee arguments: (_) @arguments) @call
(import_spec) @import
(comment) @comment
`

const language: Language = {
  name: "Go",
  takes: /\.go$/u,
  syntax: () => ({ grammar: "go", query }),
  imports: ({ text }) => {
    const [, alias, target] = /^([\w.]+)?\s*["`]([^"`]+)["`]/u.exec(text) ?? []
    return target === undefined ? [] : [{ target, names: alias === undefined ? [] : [`* as ${alias}`], style: "static" }]
  },
  exported: ({ name }) => /^\p{Lu}/u.test(name)
}

export const go = codeReader(language)
