/** C and C++. */
import type { Language, Syntax } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(function_definition declarator: (function_declarator declarator: (_) @name) body: (_) @body) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)) body: (_) @body)
  @definition.function
(struct_specifier name: (_) @name body: (_) @body) @definition.class
(union_specifier name: (_) @name body: (_) @body) @definition.class
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro

(call_expression function: (_) @callee arguments: (_) @arguments) @call
(preproc_include) @import
(comment) @comment
`

const ofCpp = `
(class_specifier name: (_) @name body: (_) @body) @definition.class
(namespace_definition name: (_) @name body: (_) @body) @definition.module
(alias_declaration name: (_) @name) @definition.type
(new_expression type: (_) @callee arguments: (_)? @arguments) @call
(throw_statement) @throw
(catch_clause) @catch
`

const c: Syntax = { grammar: "c", query }
const cpp: Syntax = { grammar: "cpp", query: query + ofCpp }

const language: Language = {
  name: "C",
  takes: /\.(?:c|h|cc|cpp|cxx|hpp|hh)$/u,
  syntax: (path) => /\.[ch]$/u.test(path) ? c : cpp,
  imports: ({ text }) => {
    const target = /["<]([^"<>\n]+)[">]/u.exec(text)?.[1]
    return target === undefined ? [] : [{ target, names: [], style: "static" }]
  },
  exported: ({ start }, { text }) => !text.startsWith("static", start)
}

export const cAndCpp = codeReader(language)
