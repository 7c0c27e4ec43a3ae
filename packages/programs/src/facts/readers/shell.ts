/** Bash and other shells. */
import type { Language } from "../code/language.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(function_definition name: (_) @name body: (_) @body) @definition.function
(variable_assignment name: (variable_name) @name) @definition.variable
(command name: (_) @callee) @call
(comment) @comment
`

const language: Language = {
  name: "Shell",
  takes: /\.(?:sh|bash)$/u,
  syntax: () => ({ grammar: "bash", query }),
  hasBlocks: true,
  importing: new Set(["source", "."]),
  imports: ({ text }) => {
    const target = /^(?:source|\.)\s+["']?(?:\$\{?\w+\}?\/|\$\([^)]{0,200}\)\/)?([^\s"';]+)/u.exec(text)?.[1]
    return target === undefined ? [] : [{ target, names: [], style: "static" }]
  },
  exported: () => false
}

export const shell = codeReader(language)
