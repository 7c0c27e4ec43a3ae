/** Ruby. */
import type { Language } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(class name: (_) @name body: (_)? @body) @definition.class
(module name: (_) @name body: (_)? @body) @definition.module
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(assignment left: (constant) @name) @definition.constant

(call arguments: (_) @arguments) @call
(call method: (_) @callee !arguments) @call

(rescue) @catch
(comment) @comment
`

const language: Language = {
  name: "Ruby",
  takes: /\.(?:rb|rake)$/u,
  syntax: () => ({ grammar: "ruby", query }),
  hasBlocks: true,
  importing: new Set(["require", "require_relative", "load"]),
  imports: ({ text }) => {
    const target = /^\w+[\s(]+["']([^"'\n]+)["']/u.exec(text)?.[1]
    return target === undefined ? [] : [{ target, names: [], style: "static" }]
  },
  exported: () => true
}

export const ruby = codeReader(language)
