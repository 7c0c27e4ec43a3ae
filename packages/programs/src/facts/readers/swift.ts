/** Swift. */
import type { Language } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(class_declaration name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration name: (user_type) @name body: (_) @body) @definition.scope
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(function_declaration name: (simple_identifier) @name body: (_) @body) @definition.function
(protocol_function_declaration name: (simple_identifier) @name) @definition.function

(call_expression (call_suffix (value_arguments) @arguments)) @call
(import_declaration) @import
(control_transfer_statement (throw_keyword)) @throw
(catch_block) @catch
(comment) @comment
(multiline_comment) @comment
`

const language: Language = {
  name: "Swift",
  takes: /\.swift$/u,
  syntax: () => ({ grammar: "swift", query }),
  imports: ({ text }) => {
    const target = /^(?:@\w+\s+)?import\s+(?:\w+\s+)?([\w.]+)$/u.exec(text)?.[1]
    return target === undefined ? [] : [{ target, names: [], style: "static" }]
  },
  exported: ({ start }, { text }) => /^(?:public|open)\b/u.test(text.slice(start, start + 10))
}

export const swift = codeReader(language)
