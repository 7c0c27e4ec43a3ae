/**
 * Tokens of a text by o200k_base, the encoding of OpenAI's models since GPT-4o. Its table takes a third of a second and 40 MB, so it is
 * loaded when the first prompt comes; never within `inTime`, whose end would leave a module half loaded.
 */
export interface Tokenizer {
  readonly countTokens: (text: string, options: { readonly disallowedSpecial: Set<string> }) => number
}

export const loadTokenizer = (): Promise<Tokenizer> => import("gpt-tokenizer/encoding/o200k_base")

/** Signs that mean something to a model are text here. */
const NONE = new Set<string>()

/** Characters without a space, or spaces: how long counting takes grows with the square of such a run, so that it is counted in parts. */
const RUN = /\S{200}|\s{200}/gu

const partsOf = (text: string): ReadonlyArray<string> => {
  const ends = Array.from(text.matchAll(RUN), ({ 0: run, index }) => index + run.length)
  return [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end))
}

export const tokensIn = ({ countTokens }: Tokenizer, text: string): number =>
  partsOf(text).reduce((sum, part) => sum + countTokens(part, { disallowedSpecial: NONE }), 0)
