/** Which code of a file runs: what is exported or at its top, and what that leads to. */
import type { Definition, Source } from "./language.ts"
import type { Word } from "./words.ts"

/** What does nothing until something names it. */
const waits = ({ kind }: Definition): boolean => kind === "function" || kind === "class"

/** The outermost function or class around an offset, where it may be dead. Undefined for code that runs or is exported. */
const privateAround = ({ around, exported }: Source, offset: number): Definition | undefined => {
  let outer: Definition | undefined
  for (let one = around(offset); one !== undefined; one = one.parent) {
    if (exported.has(one)) return undefined
    outer = one
  }
  return outer !== undefined && waits(outer) ? outer : undefined
}

const PLAIN_NAME = /^[\w$]+$/u
const BETWEEN_NAMES = /[^\w$]+/u

/** Whether an offset stands in code that runs or is exported, or that such code leads to, over however many private definitions. */
export const reached = (source: Source, words: ReadonlyArray<Word>): (offset: number) => boolean => {
  const { commented, definitions, exported, text } = source
  const hidden = definitions.filter((one) => one.parent === undefined && waits(one) && !exported.has(one))
  if (hidden.length === 0) return () => true
  const byName = Map.groupBy(hidden, ({ name }) => name)
  const names = new Map<Definition | undefined, Set<string>>()
  for (const { end, start } of words) {
    const written = text.slice(start, end)
    const known = (PLAIN_NAME.test(written) ? [written] : written.split(BETWEEN_NAMES)).filter((name) => byName.has(name))
    if (known.length === 0 || commented(start)) continue
    const owner = privateAround(source, start)
    const named = names.get(owner) ?? new Set()
    names.set(owner, named)
    for (const name of known) named.add(name)
  }
  const live = new Set<Definition>()
  const pending: Array<Definition | undefined> = [undefined]
  while (pending.length > 0) {
    for (const name of names.get(pending.pop()) ?? []) {
      for (const one of byName.get(name) ?? []) {
        if (live.has(one)) continue
        live.add(one)
        pending.push(one)
      }
    }
  }
  return (offset) => {
    const owner = privateAround(source, offset)
    return owner === undefined || live.has(owner)
  }
}
