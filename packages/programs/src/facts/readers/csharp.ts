/** C#. */
import type { Language } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(class_declaration name: (_) @name body: (_) @body) @definition.class
(struct_declaration name: (_) @name) @definition.class
(record_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(namespace_declaration name: (_) @name body: (_) @body) @definition.module
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(constructor_declaration name: (_) @name body: (_) @body) @definition.method
(property_declaration name: (_) @name) @definition.variable

(invocation_expression function: (_) @callee arguments: (_) @arguments) @call
(object_creation_expression type: (_) @callee arguments: (_)? @arguments) @call
(attribute name: (_) @callee (attribute_argument_list)? @arguments) @call @decorator

(using_directive) @import
(throw_statement) @throw
(throw_expression) @throw
(catch_clause) @catch
(comment) @comment
`

const language: Language = {
  name: "C#",
  takes: /\.cs$/u,
  syntax: () => ({ grammar: "csharp", query }),
  imports: ({ text }) => {
    const target = /^(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;/u.exec(text)?.[1]
    return target === undefined ? [] : [{ target, names: [], style: "static" }]
  },
  exported: ({ body, start }, { text }) => /\bpublic\b/u.test(text.slice(start, Math.min(body, start + 400)))
}

export const csharp = codeReader(language)
