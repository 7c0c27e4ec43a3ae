/** What comments leave to be done. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Source } from "./language.ts"

const LEFT = /\b(TODO|FIXME|HACK|XXX|BUG)\b[:\s(]([^\n]*)/gu

export const todos = (source: Source): ReadonlyArray<AnyFact> =>
  source.comments.flatMap(({ end, start }) =>
    Array.from(source.text.slice(start, end).matchAll(LEFT), ({ 0: whole, 1: mark = "", index }) => {
      const at = start + index
      return fact("todo", mark, { text: clip(whole.replace(/\*\/\s*$/u, "")) }, source.span({ start: at, end: at + whole.length }))
    })
  )
