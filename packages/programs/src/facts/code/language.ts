/** What is read of a file of code, and what tells its language from others. */
import type { Node } from "web-tree-sitter"
import type { Grammar } from "../grammars.ts"
import type { FactValues, Span, SymbolKind } from "../model.ts"

export interface Import {
  /** What stands between the quotes. */
  readonly target: string
  readonly names: ReadonlyArray<string>
  readonly style: FactValues["import"]["style"]
}

/** From one offset of the text to another. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface Definition extends Range {
  readonly name: string
  readonly kind: SymbolKind | "scope"
  /** Where its body begins, or what is no part of its signature. */
  readonly body: number
  /** What it is declared in: the name, and the definition if it is in this file. */
  readonly container: string | null
  readonly parent: Definition | undefined
}

export interface Call extends Range {
  /** As written: `app.get`. */
  readonly callee: string
  /** What stands before the last dot: `app`. */
  readonly object: string
  /** What stands after it: `get`. */
  readonly name: string
  readonly arguments: ReadonlyArray<string>
  /** The function or method that calls. */
  readonly within: string | null
  /** Whether it is written as a decorator or an annotation. */
  readonly decorates: boolean
}

/** A text of a call by which calls are found. */
export type CallPart = "callee" | "object" | "name"

/** A statement that throws or catches: its text, without the block of a `catch`. */
export interface Statement extends Range {
  readonly text: string
  readonly within: string | null
}

/** One file of code, as the query of its language saw it. */
export interface Source {
  readonly path: string
  readonly text: string
  /** The text in small letters, in which a word is found faster than by a pattern that ignores the case. */
  readonly small: string
  readonly language: string
  readonly definitions: ReadonlyArray<Definition>
  readonly calls: ReadonlyArray<Call>
  /** Those of the calls whose part matches, in the same order. */
  readonly callsWith: (part: CallPart, pattern: RegExp) => ReadonlyArray<Call>
  readonly imports: ReadonlyArray<Import & Range>
  readonly throws: ReadonlyArray<Statement>
  readonly catches: ReadonlyArray<Statement>
  readonly comments: ReadonlyArray<Range>
  /** Whether an offset stands in a comment. */
  readonly commented: (offset: number) => boolean
  /** Names of definitions that are exported. */
  readonly exported: ReadonlySet<Definition>
  /** Elements of JSX, the outermost first. */
  readonly markup: ReadonlyArray<Range>
  readonly span: (range: Range) => Span
  readonly line: (offset: number) => number
  /** The innermost definition around an offset. */
  readonly around: (offset: number) => Definition | undefined
  /** What a decorator or an annotation is written for. */
  readonly decorated: (call: Call) => Definition | undefined
}

export interface Syntax {
  readonly grammar: Grammar
  readonly query: string
}

/**
 * The captures of a query are those of tree-sitter's own `tags.scm`, and a few more:
 * - `@definition.<kind>` with `@name`, and where they are `@body` and `@container`; `@definition.scope` contains others and is no symbol;
 * - `@call` with `@callee` and `@arguments`; `@decorator`;
 * - `@import`, `@throw`, `@catch`, `@comment`;
 * - `@exported`, a name that is exported apart from its definition; `@markup`, an element of JSX.
 */
/** A query of tree-sitter says which nodes mean what; the rest is what syntax does not say. */
export interface Language {
  readonly name: string
  readonly takes: RegExp
  readonly syntax: (path: string) => Syntax
  /** Functions whose call imports. */
  readonly importing?: ReadonlySet<string>
  /** Whether code outside of definitions has blocks, such as callbacks: values in them are no symbols. */
  readonly hasBlocks?: boolean
  readonly imports: (node: Node, source: Source) => ReadonlyArray<Import>
  readonly exported: (definition: Definition, source: Source) => boolean
}
