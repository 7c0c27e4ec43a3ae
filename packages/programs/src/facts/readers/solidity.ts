/** Solidity. */
import type { Language } from "../code/language.ts"
import { withoutAlias } from "../code/literals.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(contract_declaration name: (_) @name body: (_) @body) @definition.class
(library_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(struct_declaration name: (_) @name body: (_) @body) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(event_definition name: (_) @name) @definition.event
(error_declaration name: (_) @name) @definition.type
(function_definition name: (_) @name body: (_)? @body) @definition.function
(modifier_definition name: (_) @name body: (_)? @body) @definition.method
(state_variable_declaration name: (_) @name) @definition.variable

(call_expression function: (_) @callee) @call
(import_directive) @import
(revert_statement) @throw
(catch_clause) @catch
(comment) @comment
`

const language: Language = {
  name: "Solidity",
  takes: /\.sol$/u,
  syntax: () => ({ grammar: "solidity", query }),
  imports: ({ text }) => {
    const target = /["']([^"'\n]+)["']/u.exec(text)?.[1]
    const names = /\{([^{}]*)\}/u.exec(text)?.[1]?.split(",").map(withoutAlias) ?? []
    return target === undefined ? [] : [{ target, names, style: "static" }]
  },
  exported: ({ body, kind, start }, { text }) =>
    kind !== "method" && kind !== "variable" || /\b(?:public|external)\b/u.test(text.slice(start, Math.min(body, start + 400)))
}

export const solidity = codeReader(language)
