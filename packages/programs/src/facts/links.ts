/** What links facts over files: which file an import means, and which symbol a call. */
import { javascript } from "./links/javascript.ts"
import { c, dart, go, java, php, python, ruby, rust, shell, solidity } from "./links/languages.ts"
import type { Resolvable, Resolve } from "./links/resolvable.ts"
import type { AnyFact, Fact } from "./model.ts"
import { ending } from "./text.ts"

export interface Links {
  /** The file of the repository that the import means, or the first of its folder; undefined for what is not of the repository. */
  readonly target: (fact: Fact<"import">) => string | undefined
  /** Imports of the file, in the order of paths and lines. */
  readonly importers: (path: string) => ReadonlyArray<Fact<"import">>
  /** The symbol that the call means, where only one can be meant. */
  readonly callee: (fact: Fact<"call">) => Fact<"symbol"> | undefined
  /** Calls of the symbol, in the order of paths and lines. */
  readonly callers: (fact: Fact<"symbol">) => ReadonlyArray<Fact<"call">>
}

/** Which values lead to each target, in their order. */
export const inverse = <A, B>(values: ReadonlyArray<A>, targetsOf: (value: A) => ReadonlyArray<B>): ReadonlyMap<B, ReadonlyArray<A>> => {
  const found = new Map<B, Array<A>>()
  for (const value of values) {
    for (const target of targetsOf(value)) {
      const group = found.get(target)
      if (group === undefined) found.set(target, [value])
      else group.push(value)
    }
  }
  return found
}

export interface Linked extends Resolvable {
  readonly imports: ReadonlyArray<Fact<"import">>
  readonly symbols: ReadonlyArray<Fact<"symbol">>
  readonly calls: ReadonlyArray<Fact<"call">>
}

const pathOf = (fact: AnyFact): string => fact.evidence[0].path

/** Rules of each language, by the ending of the file that imports. */
const RULES: ReadonlyArray<readonly [files: RegExp, make: (resolvable: Resolvable) => Resolve]> = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte)$/u, javascript],
  [/\.pyi?$/u, python],
  [/\.go$/u, go],
  [/\.rs$/u, rust],
  [/\.(?:java|kt)$/u, java],
  [/\.php$/u, php],
  [/\.(?:c|h|cc|cpp|cxx|hpp|hh)$/u, c],
  [/\.rb$/u, ruby],
  [/\.sol$/u, solidity],
  [/\.dart$/u, dart],
  [/\.(?:sh|bash)$/u, shell]
]

/** The files of each import. */
const resolver = (resolvable: Resolvable): Resolve => {
  const rules = RULES.map(([files, make]) => ({ files, resolve: make(resolvable) }))
  const answers = new Map<Fact<"import">, ReadonlyArray<string>>()
  return (fact) => {
    const kept = answers.get(fact)
    if (kept !== undefined) return kept
    const answer = rules.find(({ files }) => files.test(pathOf(fact)))?.resolve(fact) ?? []
    answers.set(fact, answer)
    return answer
  }
}

/** How many files of re-exports are gone through to where a name is defined. */
const MOST_REEXPORTS = 5

/** Methods of every array, map or promise: such a call says nothing of a class that has one, too. */
const COMMON = new Set([
  "get",
  "set",
  "has",
  "add",
  "map",
  "filter",
  "find",
  "push",
  "pop",
  "then",
  "catch",
  "forEach",
  "some",
  "every",
  "includes",
  "join",
  "split",
  "slice",
  "append",
  "extend",
  "keys",
  "values",
  "items",
  "entries",
  "toString",
  "format",
  "unwrap",
  "clone",
  "len",
  "close",
  "test"
])

/** `store` of `example.org/shop/store`, `a.b.store` or `./store.ts`. */
const lastPart = (target: string): string | undefined =>
  target.replace(/\.\w{1,4}$/u, (end) => end === ".ts" || end === ".js" ? "" : end).split(/[/.:\\]+/u).at(-1)

const namesBrought = ({ subject, value: { names } }: Fact<"import">): ReadonlyArray<string> => {
  const last = lastPart(subject)
  const brought = names.map((name) => name.replace(/^\* as /u, ""))
  return [...new Set(last === undefined ? brought : [...brought, last])]
}

/** Objects that mean the class of the caller. */
const OWN_OBJECT = /^(?:this|self|cls|\$this|Self|super)$/u
const OF_OWN_OBJECT = /^(?:this|self|cls|\$this|Self|super)\b/u

/** What says, within one file, which symbol a call means. */
const wordsOf = ({ subject, value: { callee, caller } }: Fact<"call">): string =>
  callee === subject ? subject : `${subject}\n${callee}\n${OF_OWN_OBJECT.test(callee) ? caller ?? "" : ""}`

export const makeLinks = ({ calls, imports, symbols, ...resolvable }: Linked): Links => {
  const targets = resolver(resolvable)
  const importsByPath = Map.groupBy(imports, pathOf)
  const symbolsByPath = new Map(
    Array.from(Map.groupBy(symbols, pathOf), ([path, own]) => [path, Map.groupBy(own, ({ subject }) => subject)])
  )
  const reexported = Map.groupBy(imports.filter(({ value }) => value.style === "reexport"), pathOf)
  const importsOf = (path: string) => importsByPath.get(path) ?? []
  const reachable = new Map<string, ReadonlyArray<string>>()
  /** A file, what it imports, and what that exports again. */
  const filesBehind = (first: ReadonlyArray<string>): ReadonlyArray<string> => {
    if (first.length === 0) return first
    const found = new Set(first)
    let edge = first
    for (let depth = 0; depth < MOST_REEXPORTS && edge.length > 0; depth++) {
      edge = edge.flatMap((path) => reexported.get(path) ?? []).flatMap(targets).filter((path) => !found.has(path))
      for (const path of edge) found.add(path)
    }
    return [...found]
  }
  const importedBy = (path: string): ReadonlyArray<string> => {
    const kept = reachable.get(path)
    if (kept !== undefined) return kept
    const found = filesBehind([...new Set(importsOf(path).flatMap(targets))])
    reachable.set(path, found)
    return found
  }
  const importsByName = new Map<string, ReadonlyMap<string, ReadonlyArray<Fact<"import">>>>()
  /** Imports of the file that bring the name to it: by naming it, as `* as name`, or as the last part of the module. */
  const importsNaming = (path: string, name: string): ReadonlyArray<Fact<"import">> => {
    const kept = importsByName.get(path) ?? inverse(importsOf(path), namesBrought)
    importsByName.set(path, kept)
    return kept.get(name) ?? []
  }
  const named = (name: string, paths: ReadonlyArray<string>) => paths.flatMap((path) => symbolsByPath.get(path)?.get(name) ?? [])
  const single = (found: ReadonlyArray<Fact<"symbol">>) => found.length === 1 ? found[0] : undefined
  const isMember = ({ value: { container } }: Fact<"symbol">) => container !== null

  /** `pay()`: of this file, else of the import that names it, else of any import. */
  const plainCallee = (name: string, path: string): Fact<"symbol"> | undefined => {
    const own = named(name, [path])
    if (own.length > 0) return single(own.filter((one) => !isMember(one))) ?? single(own)
    const naming = importsNaming(path, name).filter(({ value: { names } }) => names.includes(name)).flatMap(targets)
    const imported = named(name, filesBehind(naming)).filter((one) => !isMember(one))
    return single(imported) ?? single(named(name, importedBy(path)).filter((one) => !isMember(one)))
  }
  /** `object.pay()`: of its own class, of a module or a class that the object names, else the only one that the file knows. */
  const memberCallee = ({ evidence: [{ path }], subject, value: { callee, caller } }: Fact<"call">): Fact<"symbol"> | undefined => {
    const object = callee.slice(0, -subject.length).replace(/(?:\?\.|\.|::|->)$/u, "")
    const own = named(subject, [path])
    if (OWN_OBJECT.test(object)) {
      const containers = new Set(named(caller ?? "", [path]).map(({ value }) => value.container))
      return single(own.filter(({ value }) => containers.has(value.container))) ?? single(own)
    }
    const last = ending(object, /[\w$]/u)
    const naming = importsNaming(path, last)
    const behind = named(subject, filesBehind(naming.flatMap(targets)))
    const meant = single(behind.filter(({ value }) => value.container === last || value.container === null))
    if (meant !== undefined) return meant
    const ofObject = single(own.filter(({ value }) => value.container === last))
    if (ofObject !== undefined || COMMON.has(subject)) return ofObject
    return single([...own, ...named(subject, importedBy(path))].filter(isMember))
  }
  // Most calls are of what a library defines.
  const subjects = new Set(symbols.map(({ subject }) => subject))
  const findCallee = (fact: Fact<"call">): Fact<"symbol"> | undefined =>
    fact.value.callee === fact.subject ? plainCallee(fact.subject, pathOf(fact)) : memberCallee(fact)
  const calleesByPath = new Map<string, Map<string, Fact<"symbol"> | undefined>>()
  const callee = (fact: Fact<"call">): Fact<"symbol"> | undefined => {
    if (!subjects.has(fact.subject)) return undefined
    const known = calleesByPath.get(pathOf(fact)) ?? new Map<string, Fact<"symbol"> | undefined>()
    calleesByPath.set(pathOf(fact), known)
    const words = wordsOf(fact)
    if (!known.has(words)) known.set(words, findCallee(fact))
    return known.get(words)
  }

  const importersByPath = inverse(imports, targets)
  const calleesByCall = new Map(calls.map((call) => [call, callee(call)]))
  const callersBySymbol = inverse(calls, (call) => {
    const symbol = calleesByCall.get(call)
    return symbol === undefined ? [] : [symbol]
  })
  return {
    target: (fact) => targets(fact)[0],
    importers: (path) => importersByPath.get(path) ?? [],
    callee: (fact) => calleesByCall.has(fact) ? calleesByCall.get(fact) : callee(fact),
    callers: (symbol) => callersBySymbol.get(symbol) ?? []
  }
}
