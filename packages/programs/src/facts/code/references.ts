/** What a file imports, and what it calls. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Source } from "./language.ts"

export const imports = (source: Source): ReadonlyArray<AnyFact> =>
  source.imports.map(({ names, style, target, ...range }) =>
    fact("import", clip(target), { names: names.map((name) => clip(name)), style }, source.span(range))
  )

export const calls = (source: Source): ReadonlyArray<AnyFact> =>
  source.calls.filter(({ callee, decorates }) => !decorates && callee !== "super").map(({ callee, end, name, start, within }) =>
    fact("call", clip(name), { callee: clip(callee), caller: within === null ? null : clip(within) }, source.span({ start, end }))
  )
