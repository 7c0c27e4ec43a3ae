/** TypeScript and JavaScript, with JSX. */
import type { Node } from "web-tree-sitter"
import type { Definition, Import, Language, Source, Syntax } from "../code/language.ts"
import { withoutAlias } from "../code/literals.ts"
import { codeReader } from "../code/reader.ts"

const query = `
(function_declaration name: (_) @name body: (_) @body) @definition.function
(generator_function_declaration name: (_) @name body: (_) @body) @definition.function
(function_signature name: (_) @name) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name value: (_) @body) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(internal_module name: (_) @name body: (_) @body) @definition.module
(module name: (_) @name body: (_) @body) @definition.module
(method_definition name: (_) @name body: (_) @body) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @definition.method
(pair key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(lexical_declaration "const" (variable_declarator name: (identifier) @name) @definition.constant)
(lexical_declaration "let" (variable_declarator name: (identifier) @name) @definition.variable)
(variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
(assignment_expression left: (member_expression object: (_) @container property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function

(call_expression function: (_) arguments: (_) @arguments) @call
(new_expression constructor: (_) @callee arguments: (_)? @arguments) @call
(decorator (call_expression) @decorator)

(import_statement) @import
(export_statement source: (_)) @import

(export_specifier name: (_) @exported)
(export_statement value: (identifier) @exported)
(assignment_expression left: (member_expression) @target right: (identifier) @exported (#match? @target "^(module\\.)?exports"))
(assignment_expression left: (member_expression) @target right: (object (shorthand_property_identifier) @exported)
  (#eq? @target "module.exports"))

(throw_statement) @throw
(catch_clause) @catch
(comment) @comment
`

const markup = `
(jsx_element) @markup
(jsx_self_closing_element) @markup
`

const plain: Syntax = { grammar: "typescript", query }
const withMarkup: Syntax = { grammar: "tsx", query: query + markup }

const QUOTED = /(["'`])([^"'`\n]{1,500})\1/u
const CLAUSE = /\{([^{}]*)\}/u

/** Names of a clause: `{ a, b as c }`, `x`, `* as x`. */
const namesOf = (head: string): ReadonlyArray<string> => {
  const listed = CLAUSE.exec(head)?.[1]?.split(",") ?? []
  const before = head.replace(CLAUSE, "").replace(/^\s*(?:import|export)\s+(?:type\s+)?/u, "").replace(/(?<![^\s])from\s*$/u, "").split(",")
  return [...before, ...listed]
    .map((name) => name.trim().replace(/^type\s+/u, ""))
    .map((name) => name.startsWith("*") ? name : withoutAlias(name))
    .filter((name) => /^(?:[\w$]+|\*(?: as [\w$]+)?)$/u.test(name))
}

const imports = (node: Node, { text }: Source): ReadonlyArray<Import> => {
  const written = text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + 8000))
  const source = node.childForFieldName("source")
  if (node.type === "call_expression") {
    const target = QUOTED.exec(/^[\w$]+\s*\(\s*(["'`][^"'`\n]*["'`])/u.exec(written)?.[1] ?? "")?.[2]
    if (target === undefined || target.includes("${")) return []
    const before = text.slice(Math.max(0, node.startIndex - 300), node.startIndex)
    const bound = /(?:const|let|var)\s+(\{[^{}]*\}|[\w$]+)\s*=\s*(?:await\s+)?$/u.exec(before)?.[1] ?? ""
    return [{ target, names: namesOf(bound.replaceAll(/:\s*[\w$]+/gu, "")), style: written.startsWith("import") ? "dynamic" : "static" }]
  }
  if (source === null) {
    // import x = require("x")
    const target = /\brequire\s*\(\s*["']([^"'\n]+)["']/u.exec(written)?.[1]
    return target === undefined ? [] : [{ target, names: [], style: "static" }]
  }
  const head = text.slice(node.startIndex, source.startIndex).slice(0, 8000)
  const style = head.startsWith("export") ? "reexport" : /^import\s+type\b/u.test(head) ? "type" : "static"
  return [{ target: text.slice(source.startIndex + 1, source.endIndex - 1), names: namesOf(head), style }]
}

/** `export` stands right before the definition, or before the `const` that it begins. */
const EXPORT = /\bexport\s+(?:default\s+)?(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:const\s+|let\s+|var\s+)?$/u
const EXPORTS = /^(?:module\.)?exports$/u

const exported = ({ container, parent, start }: Definition, { text }: Source): boolean =>
  EXPORT.test(text.slice(Math.max(0, start - 60), start)) ||
  parent === undefined && container !== null && EXPORTS.test(container)

export const language: Language = {
  name: "TypeScript",
  takes: /\.[cm]?[jt]sx?$/u,
  syntax: (path) => /\.[cm]?ts$/u.test(path) ? plain : withMarkup,
  hasBlocks: true,
  importing: new Set(["import", "require"]),
  imports,
  exported
}

export const typescript = codeReader(language)
