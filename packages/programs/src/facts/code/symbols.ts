/** Symbols: what a file defines. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Definition, Source } from "./language.ts"

/** Modifiers of a definition, which some grammars leave out of its node. */
const MODIFIERS = /^[\s\w@]*$/u
const MARKS = /^[ \t]*(?:\/\*\*?|\*\/|\/{2,3}!?|#+|--|\*)?|\*\/$/gmu
const SENTENCE = /^[^]*?[.!?](?=\s|$)/u
const DOCSTRING = /^[:{\s]*[rRuU]?("""|'''|")/u

export const sentence = (comment: string): string | null => {
  const plain = clip(comment.slice(0, 1000).replaceAll(MARKS, ""), 1000)
  return plain === "" ? null : clip(SENTENCE.exec(plain)?.[0] ?? plain)
}

const docstring = ({ body, end }: Definition, text: string): string | null => {
  const from = text.slice(body, Math.min(end, body + 1000))
  const [head, quote] = DOCSTRING.exec(from) ?? []
  if (head === undefined || quote === undefined) return null
  const close = from.indexOf(quote, head.length)
  return sentence(from.slice(head.length, close === -1 ? undefined : close))
}

/** The first sentence of the comments that end right above. */
const docOf = (source: Source, definition: Definition, above: ReadonlyMap<number, string>): string | null => {
  const lines: Array<string> = []
  for (let line = source.line(definition.start) - 1; lines.length < 8; line--) {
    const comment = above.get(line)
    if (comment === undefined) break
    lines.unshift(comment)
    if (comment.includes("\n")) break
  }
  if (lines.length > 0) return sentence(lines.join("\n"))
  return source.language === "Python" ? docstring(definition, source.text) : null
}

const signatureOf = ({ text }: Source, { body, end, start }: Definition): string => {
  const above = text.slice(Math.max(0, start - 80), start)
  const before = above.slice(above.lastIndexOf("\n") + 1)
  const own = text.slice(start, Math.min(body, end, start + 400))
  return clip(`${MODIFIERS.test(before) ? before : ""}${body < end ? own : own.split("\n", 1)[0]}`).replace(
    / ?(?:=>|[{:=;]|: #[^#]*)$/u,
    ""
  )
}

export const symbols = (source: Source): ReadonlyArray<AnyFact> => {
  const above = new Map(
    source.comments.map((range) => [source.line(range.end - 1), source.text.slice(range.start, range.end).slice(0, 1000)])
  )
  return source.definitions.flatMap((definition) => {
    const { container, kind, name } = definition
    return kind === "scope" ? [] : [fact("symbol", clip(name), {
      kind,
      exported: source.exported.has(definition),
      container: container === null ? null : clip(container),
      signature: signatureOf(source, definition),
      doc: docOf(source, definition, above)
    }, source.span(definition))]
  })
}
