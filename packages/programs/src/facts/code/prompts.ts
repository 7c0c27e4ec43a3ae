/** Texts that models are given: constants that are called prompts, and what stands in the calls themselves. */
import type { Draft } from "../prompt.ts"
import type { Definition, Range, Source } from "./language.ts"
import { modelCallsOf, PROMPT_NAME } from "./model-calls.ts"

const MOST = 200
const MOST_CHARACTERS = 60_000
/** Shorter texts are keys and labels. */
const LEAST = 20

const MEMBER = /(?<![\w$])["']?(system|instructions|prompt|content|input|text)["']?\s{0,9}[:=]\s{0,9}(?=[fr]?["'`])/gu
const START = /^[^"'`]{0,200}?[:=]\s*(?:\(\s*)?(?:String\.raw|dedent|outdent)?[frbu]{0,2}(?=["'`])/u
const QUOTES = ["\"\"\"", "'''", "\"", "'", "`"]

/** The string literals that begin at an offset, one behind the other as `+` or Python joins them. */
const stringAt = (text: string, start: number, end: number): (Range & { readonly content: string }) | undefined => {
  let content = ""
  let at = start
  let last = start
  for (let next: number | undefined = start; next !== undefined && next < end;) {
    at = next
    const quote = QUOTES.find((one) => text.startsWith(one, at))
    if (quote === undefined) break
    let close = at + quote.length
    while (close < end && !text.startsWith(quote, close)) close += text.charAt(close) === "\\" ? 2 : 1
    if (close >= end) break
    content += text.slice(at + quote.length, close)
    last = close + quote.length
    const joint = /^\s{0,200}(?:\+\s{0,200})?[frbu]{0,2}(?=["'`])/u.exec(text.slice(last, last + 500))
    next = joint === null ? undefined : last + joint[0].length
  }
  return last === start ? undefined : { start, end: last, content: content.replaceAll("\\n", "\n") }
}

const ofDefinition = (source: Source, { end, name, start }: Definition): ReadonlyArray<Draft> => {
  const head = START.exec(source.text.slice(start, start + 400))
  if (head === null) return []
  const found = stringAt(source.text, start + head[0].length, Math.min(end, start + MOST_CHARACTERS))
  return found === undefined || found.content.length < LEAST
    ? []
    : [{ name, text: found.content, within: null, span: source.span({ start, end: found.end }) }]
}

const ofCall = (
  source: Source,
  { callee, end, start, within }: ReturnType<typeof modelCallsOf>[number]["call"]
): ReadonlyArray<Draft> => {
  const text = source.text.slice(start, Math.min(end, start + MOST_CHARACTERS))
  return Array.from(text.matchAll(MEMBER)).flatMap(({ 0: whole, 1: member = "", index }) => {
    const from = start + index + whole.length
    const prefix = /^[fr]/u.test(source.text.charAt(from)) ? 1 : 0
    const found = stringAt(source.text, from + prefix, end)
    return found === undefined || found.content.length < LEAST
      ? []
      : [{ name: `${callee} ${member}`, text: found.content, within, span: source.span({ start: start + index, end: found.end }) }]
  })
}

const isValue = ({ kind }: Definition): boolean => kind === "constant" || kind === "variable"

/** What is told to models, whose tokens are counted when the file is read. */
export const promptDrafts = (source: Source): ReadonlyArray<Draft> => [
  ...source.definitions.filter((one) => isValue(one) && PROMPT_NAME.test(one.name)).slice(0, MOST).flatMap((one) =>
    ofDefinition(source, one)
  ),
  ...modelCallsOf(source).slice(0, MOST).flatMap(({ call }) => ofCall(source, call))
]
