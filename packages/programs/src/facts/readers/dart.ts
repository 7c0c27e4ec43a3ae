/** Dart. */
import type { Language } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

/** The signature of a function and its body are neighbours. */
const query = `
(class_definition name: (_) @name body: (_) @body) @definition.class
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(program (function_signature name: (_) @name) @definition.function . (function_body) @body)
(class_body (method_signature (function_signature name: (_) @name)) @definition.method . (function_body) @body)

(selector (argument_part (arguments) @arguments)) @call
(import_or_export) @import
(throw_expression) @throw
(catch_clause) @catch
(comment) @comment
`

const language: Language = {
  name: "Dart",
  takes: /\.dart$/u,
  syntax: () => ({ grammar: "dart", query }),
  imports: ({ text }) => {
    const [, verb, target] = /^(import|export|part)\s+(?:of\s+)?["']([^"'\n]+)["']/u.exec(text) ?? []
    return target === undefined ? [] : [{ target, names: [], style: verb === "export" ? "reexport" : "static" }]
  },
  exported: ({ name }) => !name.startsWith("_")
}

export const dart = codeReader(language)
