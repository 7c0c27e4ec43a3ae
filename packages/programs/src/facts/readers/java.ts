/** Java. */
import type { Language } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(class_declaration name: (_) @name body: (_) @body) @definition.class
(record_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(constructor_declaration name: (_) @name body: (_) @body) @definition.method
(field_declaration declarator: (variable_declarator name: (_) @name)) @definition.variable

(method_invocation arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_) @arguments) @call
(annotation name: (_) @callee arguments: (_) @arguments) @call @decorator
(marker_annotation name: (_) @callee) @call @decorator

(import_declaration) @import
(throw_statement) @throw
(catch_clause) @catch
(line_comment) @comment
(block_comment) @comment
`

const language: Language = {
  name: "Java",
  takes: /\.java$/u,
  syntax: () => ({ grammar: "java", query }),
  imports: ({ text }) => {
    const target = /^import\s+(?:static\s+)?([\w.*]+)/u.exec(text)?.[1]
    return target === undefined ? [] : [{ target, names: [target.split(".").at(-1) ?? target], style: "static" }]
  },
  exported: ({ body, start }, { text }) => /\bpublic\b/u.test(text.slice(start, Math.min(body, start + 400)))
}

export const java = codeReader(language)
