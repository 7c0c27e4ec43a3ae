/** Tests: what a file proves, by the names that it gives. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Definition, Source } from "./language.ts"
import { literal } from "./literals.ts"

const FRAMEWORKS: ReadonlyArray<readonly [module: RegExp, framework: string]> = [
  [/^(?:node:)?test$/u, "node:test"],
  [/^vitest$|^@effect\/vitest$/u, "vitest"],
  [/^@jest\/globals$/u, "jest"],
  [/^mocha$/u, "mocha"],
  [/^ava$/u, "ava"],
  [/^tap$/u, "tap"],
  [/^tape$/u, "tape"],
  [/^uvu$/u, "uvu"],
  [/^@playwright\/test$/u, "playwright"],
  [/^bun:test$/u, "bun:test"],
  [/^unittest/u, "unittest"],
  [/^org\.junit/u, "junit"],
  [/^org\.testng/u, "testng"],
  [/^Xunit/u, "xunit"],
  [/^NUnit/u, "nunit"],
  [/^Microsoft\.VisualStudio\.TestTools/u, "mstest"]
]

const frameworkOf = ({ imports }: Source): string | undefined =>
  FRAMEWORKS.find(([module]) => imports.some(({ target }) => module.test(target)))?.[1]

const TESTING = /^(?:describe|suite|context|it|test|specify)\b/u
const SUITE = /^(?:describe|suite|context)(?:\.\w+)*$/u
const CASE = /^(?:it|test|specify)(?:\.\w+)*$/u

/** `it("…")` in `describe("…")`. `it.each(table)("…")` is called twice: the second call holds the name. */
const ofCalls = (source: Source): ReadonlyArray<AnyFact> => {
  let framework: string | undefined
  const open: Array<{ readonly title: string; readonly end: number }> = []
  const plain = ({ callee }: Call) =>
    callee.replace(/(?<=\.(?:each|for|skipIf|runIf))[(`][^]*$/u, "").replace(/\.(?:for|skipIf|runIf)$/u, "")
  return source.callsWith("callee", TESTING).flatMap((call) => {
    while ((open.at(-1)?.end ?? Infinity) <= call.start) open.pop()
    const callee = plain(call)
    const isSuite = SUITE.test(callee)
    const title = isSuite || CASE.test(callee) ? literal(call.arguments[0]) : undefined
    if (title === undefined || call.arguments.length < 2) return []
    const suite = open.at(-1)?.title ?? null
    if (isSuite) {
      open.push({ title, end: call.end })
      return []
    }
    framework ??= frameworkOf(source) ?? "global functions"
    return [fact("test", title, { suite, framework }, source.span(call))]
  })
}

interface NamedTests {
  readonly framework: string
  readonly files: RegExp
  readonly isTest: (definition: Definition) => boolean
}

/** Functions that are tests by their names. */
const NAMED: Readonly<Record<string, NamedTests>> = {
  Python: { framework: "pytest", files: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/u, isTest: ({ name }) => name.startsWith("test") },
  Go: { framework: "go test", files: /_test\.go$/u, isTest: ({ name }) => /^(?:Test|Benchmark|Fuzz|Example)(?:$|[^a-z])/u.test(name) },
  PHP: { framework: "phpunit", files: /Test\.php$/u, isTest: ({ name }) => name.startsWith("test") },
  Ruby: { framework: "minitest", files: /_test\.rb$/u, isTest: ({ name }) => name.startsWith("test_") },
  Swift: { framework: "xctest", files: /Tests?\.swift$/u, isTest: ({ name }) => name.startsWith("test") },
  Solidity: { framework: "forge", files: /\.t\.sol$/u, isTest: ({ name }) => /^(?:test|invariant)/u.test(name) }
}

const ofNames = (source: Source): ReadonlyArray<AnyFact> => {
  const named = NAMED[source.language]
  if (named?.files.test(source.path) !== true) return []
  const framework = frameworkOf(source) ?? named.framework
  return source.definitions.filter((one) => (one.kind === "function" || one.kind === "method") && named.isTest(one))
    .map((one) => fact("test", clip(one.name), { suite: one.container, framework }, source.span(one)))
}

const ANNOTATION = /^(?:(?:\w+::)?test|rstest|Test|ParameterizedTest|RepeatedTest|Fact|Theory|TestMethod|TestCase|Property)$/u

const ANNOTATED: Readonly<Record<string, string>> = { Rust: "cargo test", "C#": "xunit", PHP: "phpunit", Java: "junit" }

/** `@Test`, `#[test]`, `[Fact]`. */
const ofAnnotations = (source: Source): ReadonlyArray<AnyFact> => {
  const annotations = source.calls.filter(({ callee, decorates }) => decorates && ANNOTATION.test(callee))
  if (annotations.length === 0) return []
  const framework = frameworkOf(source) ?? ANNOTATED[source.language] ?? "annotations"
  return annotations.flatMap((call) => {
    const target = source.decorated(call)
    const isFunction = target?.kind === "function" || target?.kind === "method"
    return isFunction ? [fact("test", clip(target.name), { suite: target.container, framework }, source.span(target))] : []
  })
}

export const tests = (source: Source): ReadonlyArray<AnyFact> => [...ofCalls(source), ...ofNames(source), ...ofAnnotations(source)]
