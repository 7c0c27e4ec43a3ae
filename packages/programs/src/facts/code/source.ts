/** Makes a `Source` of what a query matched: definitions within each other, calls within definitions. */
import type { Node, QueryMatch } from "web-tree-sitter"
import { lineAt, spanBetween } from "../positions.ts"
import { ending } from "../text.ts"
import { MOST_NAME, partsOfCallee, writtenCallee } from "./callees.ts"
import type { Call, CallPart, Definition, Language, Range, Source, Statement } from "./language.ts"

/** Characters of a callee or an argument that are looked at. */
const MOST_CALLED = 4000
const MOST_ARGUMENT = 2000
const MOST_ARGUMENTS = 12

/** Captures that belong to the first of their match. */
const PARTS: ReadonlySet<string> = new Set(["name", "body", "container", "callee", "arguments", "call"])

const partOf = (captures: QueryMatch["captures"], name: string): Node | undefined => {
  for (const capture of captures) if (capture.name === name) return capture.node
  return undefined
}

const rangeOf = ({ endIndex, startIndex }: Node): Range => ({ start: startIndex, end: endIndex })

const outermostFirst = (one: Range, other: Range): number => one.start - other.start || other.end - one.end

const isValue = ({ kind }: Raw): boolean => kind === "constant" || kind === "variable"

interface Raw extends Range {
  readonly kind: Definition["kind"]
  readonly name: string
  readonly body: number
  readonly container: string | null
}

/** Whether one of the ranges, which are in order and do not overlap, holds the offset. */
const holds = (ranges: ReadonlyArray<Range>) => (offset: number): boolean => {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return (ranges[low - 1]?.end ?? 0) > offset
}

const HOLDERS: ReadonlySet<Definition["kind"]> = new Set(["class", "interface", "module", "enum", "scope"])

/** Whether a value is one of a block, such as a function's or a callback's: those are no symbols. */
const isLocal = (one: Raw, parent: Definition | undefined, text: string): boolean =>
  isValue(one) && (parent === undefined ? /\s/u.test(text.charAt(text.lastIndexOf("\n", one.start) + 1)) : !HOLDERS.has(parent.kind))

/** Each with the one that it stands in. A constant that is a function matches twice, and counts as the function. */
const nested = (raw: ReadonlyArray<Raw>, text: string, language: Language): ReadonlyArray<Definition> => {
  const definitions: Array<Definition> = []
  const open: Array<Definition> = []
  const inOrder = (one: Raw, other: Raw) => outermostFirst(one, other) || Number(isValue(one)) - Number(isValue(other))
  for (const one of raw.toSorted(inOrder)) {
    while ((open.at(-1)?.end ?? Infinity) <= one.start) open.pop()
    const parent = open.at(-1)
    if (parent?.start === one.start && parent.end === one.end || isLocal(one, parent, language.hasBlocks === true ? text : "")) continue
    const kind = one.kind === "function" && parent !== undefined && HOLDERS.has(parent.kind) && parent.kind !== "module"
      ? "method"
      : one.kind
    const definition = { ...one, kind, parent, container: one.container ?? parent?.name ?? null }
    definitions.push(definition)
    open.push(definition)
  }
  return definitions
}

/** Finds the innermost definition around an offset: the last that begins before it, or one that this stands in. */
const finder = (definitions: ReadonlyArray<Definition>) => (offset: number): Definition | undefined => {
  let [low, high] = [0, definitions.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((definitions[middle]?.start ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  let found = definitions[low - 1]
  while (found !== undefined && found.end <= offset) found = found.parent
  return found
}

/** Parameters of a type, which are no part of its name. */
const GENERIC = /[<[(][^]*$/u

/** A callee before its arguments, in a grammar (of Dart) that has no node for both. */
const chainBefore = (text: string, end: number): string => ending(text.slice(Math.max(0, end - MOST_NAME), end), /[\w$.?!]/u)

const nameOf = (text: string, { endIndex, startIndex }: Node): string => text.slice(startIndex, Math.min(endIndex, startIndex + MOST_NAME))

const containerOf = (text: string, node: Node | undefined): string | null =>
  node === undefined ? null : nameOf(text, node).replace(GENERIC, "").replace(/^[*&\s]+/u, "")

/** Most calls are only counted: their arguments are read when somebody asks, which is before the tree is gone. */
class CallInTree implements Call {
  readonly start: number
  readonly end: number
  readonly callee: string
  readonly object: string
  readonly name: string
  readonly within: string | null
  readonly decorates: boolean
  readonly #text: string
  readonly #args: Node | undefined
  readonly #node: Node
  #arguments: ReadonlyArray<string> | undefined

  constructor(call: Omit<Call, "arguments">, text: string, args: Node | undefined, node: Node) {
    this.start = call.start
    this.end = call.end
    this.callee = call.callee
    this.object = call.object
    this.name = call.name
    this.within = call.within
    this.decorates = call.decorates
    this.#text = text
    this.#args = args
    this.#node = node
  }

  get arguments(): ReadonlyArray<string> {
    return this.#arguments ??= (this.#args?.namedChildren ?? this.#node.namedChildren.filter(({ type }) => type === "call_argument"))
      .slice(0, MOST_ARGUMENTS)
      .map((one) => this.#text.slice(one.startIndex, Math.min(one.endIndex, one.startIndex + MOST_ARGUMENT)))
  }
}

/** Finds calls by a pattern. Names repeat within a file, so that each is matched once. */
const callFinder = (calls: ReadonlyArray<Call>): Source["callsWith"] => {
  const texts = new Map<CallPart, ReadonlyArray<string>>()
  return (part, pattern) => {
    const known = texts.get(part) ?? [...new Set(calls.map((call) => call[part]))]
    texts.set(part, known)
    const matching = new Set(known.filter((text) => pattern.test(text)))
    return matching.size === 0 ? [] : calls.filter((call) => matching.has(call[part]))
  }
}

const FUNCTIONS: ReadonlySet<Definition["kind"]> = new Set(["function", "method", "constant", "variable", "macro"])

export const sourceOf = (path: string, text: string, language: Language, matches: ReadonlyArray<QueryMatch>): Source => {
  const line = lineAt(text)
  const raw: Array<Raw> = []
  const nodes: Record<string, Array<Node>> = {}
  const callNodes: Array<Range & { readonly call: Node; readonly args: Node | undefined }> = []
  for (const { captures } of matches) {
    const [first] = captures
    if (first === undefined) continue
    const { name: tag, node } = first
    if (tag.startsWith("definition.")) {
      const name = partOf(captures, "name")
      if (name === undefined) continue
      const { end, start } = rangeOf(node)
      const body = partOf(captures, "body")
      const [own = "", ...outer] = nameOf(text, name).split("::").toReversed()
      raw.push({
        start,
        end: body === undefined ? end : Math.max(end, body.endIndex),
        kind: tag.slice("definition.".length) as Definition["kind"],
        name: own.replace(GENERIC, ""),
        body: body?.startIndex ?? end,
        container: outer[0] ?? containerOf(text, partOf(captures, "container"))
      })
    } else if (tag === "call") {
      const callee = partOf(captures, "callee")
      const args = partOf(captures, "arguments")
      const start = callee?.startIndex ?? node.startIndex
      // A callee ends where its arguments begin, which is known without asking WebAssembly.
      const end = args?.startIndex ?? (callee ?? node).endIndex
      if (language.importing?.has(text.slice(start, Math.min(end, start + 20)).trimEnd()) === true) (nodes["import"] ??= []).push(node)
      else callNodes.push({ call: node, start: start === end ? start - chainBefore(text, start).length : start, end, args })
    }
    for (const { name, node: captured } of captures) if (!PARTS.has(name)) (nodes[name] ??= []).push(captured)
  }
  const definitions = nested(raw, text, language)
  const around = finder(definitions)
  const functionAround = (offset: number): string | null => {
    let found = around(offset)
    while (found !== undefined && !FUNCTIONS.has(found.kind)) found = found.parent
    return found?.name ?? null
  }
  const decorators = new Set((nodes["decorator"] ?? []).map(({ startIndex }) => startIndex))
  const unordered = callNodes.flatMap(({ args, call, ...callee }): ReadonlyArray<Call> => {
    const written = writtenCallee(text.slice(callee.start, Math.min(callee.end, callee.start + MOST_CALLED)).trimEnd())
    const parts = partsOfCallee(written)
    if (parts === undefined) return []
    const about = {
      ...parts,
      start: call.startIndex,
      end: args?.endIndex ?? call.endIndex,
      callee: written.slice(0, MOST_NAME),
      within: functionAround(callee.start),
      decorates: decorators.has(call.startIndex)
    }
    return [new CallInTree(about, text, args, call)]
  })
  const statements = (tag: string): ReadonlyArray<Statement> =>
    (nodes[tag] ?? []).map((node) => {
      const range = rangeOf(node)
      return { ...range, text: text.slice(range.start, Math.min(range.end, range.start + 400)), within: functionAround(range.start) }
    })
  const calls = unordered.toSorted(outermostFirst)
  const markup = (nodes["markup"] ?? []).map(rangeOf).toSorted(outermostFirst)
  const comments = (nodes["comment"] ?? []).map(rangeOf).toSorted(outermostFirst)
  const source: Source = {
    path,
    text,
    small: text.toLowerCase(),
    language: language.name,
    definitions,
    calls,
    callsWith: callFinder(calls),
    imports: [],
    throws: statements("throw"),
    catches: statements("catch"),
    comments,
    commented: holds(comments),
    exported: new Set(),
    markup,
    span: ({ end, start }) => spanBetween(path, line, start, end),
    line,
    around,
    decorated: ({ end, start }) => {
      const outer = around(start)
      return outer !== undefined && outer.body >= end ? outer : definitions.find((one) => one.start >= end)
    }
  }
  const apart = new Set((nodes["exported"] ?? []).map(rangeOf).map(({ end, start }) => text.slice(start, end)))
  return {
    ...source,
    imports: (nodes["import"] ?? []).flatMap((node) => language.imports(node, source).map((one) => ({ ...one, ...rangeOf(node) }))),
    exported: new Set(definitions.filter((one) => one.parent === undefined && apart.has(one.name) || language.exported(one, source)))
  }
}
