/** Grammars of tree-sitter, as WebAssembly: each is loaded when its first file comes. */
import { fileURLToPath } from "node:url"
import { Language, Parser, Query, type QueryMatch, type Tree } from "web-tree-sitter"
import { deadline, TooSlow, valueInTime } from "./deadline.ts"

const FILES = {
  typescript: "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm",
  tsx: "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm",
  python: "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm",
  go: "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm",
  rust: "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm",
  java: "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm",
  csharp: "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm",
  php: "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm",
  ruby: "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm",
  c: "@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm",
  cpp: "@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm",
  bash: "@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm",
  solidity: "@repomix/tree-sitter-wasms/out/tree-sitter-solidity.wasm",
  swift: "@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm",
  dart: "@repomix/tree-sitter-wasms/out/tree-sitter-dart.wasm"
} as const

export type Grammar = keyof typeof FILES

interface Loaded {
  readonly language: Language
  readonly parser: Parser
  readonly queries: Map<string, Query>
}

/** Room for all grammars and a large file. It is not used before it is needed, and what need not grow cannot be ended while it grows. */
const MEMORY_BYTES = 128 * 1024 * 1024

let started: Promise<void> | undefined
const loading = new Map<Grammar, Promise<void>>()
const loaded = new Map<Grammar, Loaded>()

const load = async (grammar: Grammar): Promise<void> => {
  await (started ??= Parser.init({ INITIAL_MEMORY: MEMORY_BYTES }))
  const language = await Language.load(fileURLToPath(import.meta.resolve(FILES[grammar])))
  loaded.set(grammar, { language, parser: new Parser().setLanguage(language), queries: new Map() })
}

/** Loads a grammar once; texts can be parsed by it from then on. */
export const loadGrammar = (grammar: Grammar): Promise<void> => {
  const promise = loading.get(grammar) ?? load(grammar)
  loading.set(grammar, promise)
  return promise
}

const loadedOf = (grammar: Grammar): Loaded => {
  const found = loaded.get(grammar)
  if (found === undefined) throw new Error(`the grammar of ${grammar} is not loaded; await loadGrammar("${grammar}") first`)
  return found
}

/**
 * WebAssembly stops at an error of a parser (a trap), and leaves the memory that all parsers of this process share in an unknown state. A
 * reader that was ended by force while the memory grew leaves parsers that look at the memory as it was (a detached buffer). Whoever sees
 * either lets the process end.
 */
export const isAbort = (error: unknown): boolean =>
  error instanceof WebAssembly.RuntimeError ||
  error instanceof Error && (error.message.startsWith("Aborted") || error.message.includes("detached ArrayBuffer"))

/** The tree in use. One whose reader was ended by force is still there when the next text comes. */
let open: Tree | undefined

const close = (): void => {
  open?.delete()
  open = undefined
}

/** What `use` makes of the tree of a text. The tree is gone afterwards, and every node with it. */
export const walking = <A>(grammar: Grammar, text: string, use: (tree: Tree) => A, isLate = deadline()): A => {
  const { parser } = loadedOf(grammar)
  close()
  // A parser that was ended, by itself or by force, would go on with the text that it had.
  parser.reset()
  const tree: Tree | null = parser.parse(text, null, { progressCallback: isLate })
  if (tree === null) throw new TooSlow()
  open = tree
  try {
    return use(tree)
  } finally {
    close()
  }
}

/** A text, and what is looked for in it. */
interface Searched {
  readonly grammar: Grammar
  readonly query: string
  readonly text: string
}

/** What `use` makes of the matches of a query in a text. */
export const matching = <A>({ grammar, query, text }: Searched, use: (matches: ReadonlyArray<QueryMatch>) => A): A => {
  const { language, queries } = loadedOf(grammar)
  const compiled = queries.get(query) ?? new Query(language, query)
  queries.set(query, compiled)
  const isLate = deadline()
  return walking(grammar, text, (tree) => {
    const matches = compiled.matches(tree.rootNode, { progressCallback: isLate })
    if (isLate()) throw new TooSlow()
    return use(matches)
  }, isLate)
}

/** `walking` of one text, in time, by a grammar that is loaded for it. */
export const walkingOne = async <A>(grammar: Grammar, text: string, use: (tree: Tree) => A): Promise<A> => {
  await loadGrammar(grammar)
  return valueInTime(() => walking(grammar, text, use))
}

/** `matching` in one text, in time, by a grammar that is loaded for it. */
export const matchingOne = async <A>(of: Searched, use: (matches: ReadonlyArray<QueryMatch>) => A): Promise<A> => {
  await loadGrammar(of.grammar)
  return valueInTime(() => matching(of, use))
}
