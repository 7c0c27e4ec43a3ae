/** One file of an agent: its syntax, and which of its names hold text from outside or what a model answered. */
import type { QueryMatch } from "web-tree-sitter"
import type { Call, Language, Range, Source } from "../facts/code/language.ts"
import { type ModelCall, modelCallsOf } from "../facts/code/model-calls.ts"
import { sourceOf } from "../facts/code/source.ts"
import { matchingOne } from "../facts/grammars.ts"
import { language as python } from "../facts/readers/python.ts"
import { language as typescript } from "../facts/readers/typescript.ts"

const JAVASCRIPT = `
(arrow_function parameters: (_) @parameters body: (_) @inside) @scope
(arrow_function parameter: (_) @parameters body: (_) @inside) @scope
(function_expression parameters: (_) @parameters body: (_) @inside) @scope
(function_declaration parameters: (_) @parameters body: (_) @inside) @scope
(method_definition parameters: (_) @parameters body: (_) @inside) @scope
(while_statement condition: (_) @condition body: (_) @inside) @loop
(do_statement body: (_) @inside condition: (_) @condition) @loop
(for_statement condition: (_) @condition body: (_) @inside) @loop
(variable_declarator name: (_) @target value: (_) @value) @assignment
(assignment_expression left: (_) @target right: (_) @value) @assignment
(for_in_statement left: (_) @target right: (_) @value) @assignment
(pair key: (_) @target value: (_) @value) @member
`

const PYTHON = `
(function_definition parameters: (_) @parameters body: (_) @inside) @scope
(lambda parameters: (_) @parameters body: (_) @inside) @scope
(while_statement condition: (_) @condition body: (_) @inside) @loop
(assignment left: (_) @target right: (_) @value) @assignment
(for_statement left: (_) @target right: (_) @value) @assignment
(keyword_argument name: (_) @target value: (_) @value) @member
(pair key: (_) @target value: (_) @value) @member
`

interface Pair extends Range {
  readonly name: string
  readonly value: Range
}

export interface Loop extends Range {
  readonly condition: string
  readonly body: Range
}

interface Scope extends Range {
  readonly parameters: ReadonlyArray<string>
}

export interface AgentFile {
  readonly source: Source
  readonly isPython: boolean
  readonly modelCalls: ReadonlyArray<ModelCall>
  readonly loops: ReadonlyArray<Loop>
  /** `system: "…"` of an object, `system="…"` of a call. */
  readonly members: ReadonlyArray<Pair>
  readonly assignments: ReadonlyArray<Pair>
  readonly textOf: (range: Range) => string
  /** The text of the outermost function around, or of the file. */
  readonly around: (offset: number) => string
  /** Whether an expression names something that came from a caller, the network or a file. */
  readonly isUntrusted: (expression: string, offset: number) => boolean
  /** Whether an expression names something that a model answered. */
  readonly isAnswer: (expression: string, offset: number) => boolean
}

/** Frameworks in which agents and their tools are written. */
const AGENT = new RegExp(
  "^(?:openai|@openai/|anthropic|@anthropic-ai/|ai(?:/|$)|@ai-sdk/|groq|litellm|ollama|cohere|mistralai|@mistralai/|langchain|" +
    "@langchain/|langgraph|llamaindex|llama_index|google\\.(?:genai|generativeai)|@google/gen|effect/ai|@effect/ai|" +
    "@modelcontextprotocol/|mcp(?:\\.|$)|fastmcp|crewai|autogen|pydantic_ai|agents(?:\\.|$)|smolagents|semantic_kernel)",
  "u"
)

export const isOfAgents = ({ source }: Pick<AgentFile, "source">): boolean => source.imports.some(({ target }) => AGENT.test(target))

const NAMES = /[\p{L}_$][\p{L}\p{N}_$]*/gu
/** A name that is no member of another, and no name of a member. */
const namesOf = (expression: string): ReadonlyArray<string> =>
  Array.from(expression.slice(0, 2000).matchAll(/(?<![\p{L}\p{N}_$.]|\?\.)[\p{L}_$][\p{L}\p{N}_$]*(?!\s{0,9}:(?!:))/gu), ([name]) => name)

/** Values that the code itself brings, whatever function takes them. */
const OWN = new RegExp(
  "^(?:self|this|cls|client|model|config|options|opts|settings|logger|log|signal|ctx|context|server|db|env|deps|next|res|response|" +
    "resolve|reject|_.*)$",
  "u"
)
const INPUTS = new RegExp(
  "\\b(?:req|request|event|ctx|c)\\.(?:body|query|params|json|text|form|args|data)\\b|\\bprocess\\.argv\\b|\\bsys\\.argv\\b|" +
    "(?<![\\w.])input\\(|\\bfetch\\(|\\breadFile(?:Sync)?\\(|\\brequests\\.(?:get|post)\\(",
  "u"
)

const parametersOf = (written: string): ReadonlyArray<string> =>
  // Types and defaults are no names: what stands before the colon or the sign is.
  Array.from(written.replaceAll(/[=:][^,(){}[\]]{1,200}/gu, "").matchAll(NAMES), ([name]) => name).filter((name) => !OWN.test(name))

const within = (outer: Range, offset: number): boolean => outer.start <= offset && offset < outer.end

const structureOf = (matches: ReadonlyArray<QueryMatch>, text: string) => {
  const scopes: Array<Scope> = []
  const loops: Array<Loop> = []
  const members: Array<Pair> = []
  const assignments: Array<Pair> = []
  for (const { captures } of matches) {
    const first = captures[0]
    if (first === undefined) continue
    const rangeOf = (name: string): Range => {
      const node = captures.find((capture) => capture.name === name)?.node ?? first.node
      return { start: node.startIndex, end: node.endIndex }
    }
    const written = (name: string) => text.slice(rangeOf(name).start, rangeOf(name).end)
    const whole = rangeOf(first.name)
    if (first.name === "scope") scopes.push({ ...whole, parameters: parametersOf(written("parameters")) })
    else if (first.name === "loop") loops.push({ ...whole, condition: written("condition"), body: rangeOf("inside") })
    else if (first.name === "member") members.push({ ...whole, name: written("target").replaceAll(/["']/gu, ""), value: rangeOf("value") })
    else if (first.name === "assignment") assignments.push({ ...whole, name: written("target"), value: rangeOf("value") })
  }
  return { scopes, loops, members, assignments }
}

/** Rounds in which names hand on what they hold. */
const HOPS = 4

/** The names that hold what `isFirst` says of an assigned value, by assignment from one to the next. */
const holders = (assignments: ReadonlyArray<Pair>, textOf: (range: Range) => string, isFirst: (pair: Pair) => boolean) => {
  const held = new Set<string>()
  for (let hop = 0; hop < HOPS; hop++) {
    for (const pair of assignments) {
      if (isFirst(pair) || namesOf(textOf(pair.value)).some((name) => held.has(name))) {
        for (const [name] of pair.name.matchAll(NAMES)) if (!OWN.test(name) || isFirst(pair)) held.add(name)
      }
    }
  }
  return held
}

/** Of a client that another file makes. */
const ELSEWHERE = /\.chat\.completions\.(?:create|parse|stream)$/u

const agentFileOf = (source: Source, matches: ReadonlyArray<QueryMatch>): AgentFile => {
  const { text } = source
  const { assignments, loops, members, scopes } = structureOf(matches, text)
  const textOf = ({ end, start }: Range) => text.slice(start, end)
  const own = modelCallsOf(source)
  const modelCalls = own.length > 0
    ? own
    : source.calls.filter(({ callee }) => ELSEWHERE.test(callee)).map((call): ModelCall => ({ provider: "openai", call }))
  /** Functions of this file that ask a model. */
  const askers = new Set(modelCalls.flatMap(({ call }) => call.within ?? []))
  const asks = ({ value }: Pair) =>
    modelCalls.some(({ call }) => within(value, call.start)) ||
    source.calls.some(({ name, start }) => askers.has(name) && within(value, start))
  const scopesAt = (offset: number) => scopes.filter((scope) => within(scope, offset))
  const outermost = (offset: number): Range =>
    scopesAt(offset).toSorted((one, other) => one.start - other.start)[0] ?? { start: 0, end: text.length }
  const inScope = (offset: number) => {
    const scope = outermost(offset)
    return assignments.filter(({ start }) => within(scope, start) || scopesAt(start).length === 0)
  }
  return {
    source,
    isPython: source.language === "Python",
    modelCalls,
    loops,
    members,
    assignments,
    textOf,
    around: (offset) => textOf(outermost(offset)),
    isUntrusted: (expression, offset) => {
      if (INPUTS.test(expression)) return true
      const parameters = new Set(scopesAt(offset).flatMap(({ parameters }) => parameters))
      const isFirst = ({ value }: Pair) => INPUTS.test(textOf(value)) || namesOf(textOf(value)).some((name) => parameters.has(name))
      const held = holders(inScope(offset), textOf, isFirst)
      return namesOf(expression).some((name) => parameters.has(name) || held.has(name))
    },
    isAnswer: (expression, offset) => {
      const held = holders(inScope(offset), textOf, asks)
      const at = { start: offset, end: offset + expression.length, name: "", value: { start: offset, end: offset + expression.length } }
      return asks(at) || namesOf(expression).some((name) => held.has(name))
    }
  }
}

const LANGUAGES: ReadonlyArray<readonly [language: Language, query: string]> = [[typescript, JAVASCRIPT], [python, PYTHON]]

/** What `use` makes of a file; undefined for other languages than JavaScript, TypeScript and Python. */
export const readAgentFile = async <A>(path: string, text: string, use: (file: AgentFile) => A): Promise<A | undefined> => {
  const [language, own] = LANGUAGES.find(([{ takes }]) => takes.test(path)) ?? []
  if (language === undefined) return undefined
  const { grammar, query } = language.syntax(path)
  return matchingOne(
    { grammar, text, query: `${query}\n${own}` },
    (matches) => use(agentFileOf(sourceOf(path, text, language, matches), matches))
  )
}

export const riskAt = ({ source }: AgentFile, offset: number) => ({ path: source.path, line: source.line(offset) })
export type { Call }
