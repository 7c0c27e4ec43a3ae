/** A prompt as a fact: its first characters, and how many tokens it has. */
import { valueInTime } from "./deadline.ts"
import { type Fact, fact, type Span } from "./model.ts"
import { clip } from "./text.ts"
import { loadTokenizer, type Tokenizer, tokensIn } from "./tokens.ts"

/** Characters of a prompt that are counted and that are kept. */
const MOST_COUNTED = 40_000
const MOST_KEPT = 2000

/** Values that a run fills in: `${x}`, `{x}`, `{{x}}`, `%s`. */
const HOLE = /\$\{[^{}]{0,400}\}|\{\{[^{}]{0,100}\}\}|\{[A-Za-z_][\w.[\]]{0,60}(?:![rsa])?(?::[^{}]{0,20})?\}|%[sd]\b/gu

/** A prompt before its tokens are counted. */
export interface Draft {
  readonly name: string
  readonly text: string
  readonly within: string | null
  readonly span: Span
}

const promptFact = (tokenizer: Tokenizer, { name, span, text, within }: Draft): Fact<"prompt"> => {
  const plain = text.replaceAll(HOLE, "")
  const holes = Array.from(text.matchAll(HOLE)).length
  const tokens = tokensIn(tokenizer, plain.slice(0, MOST_COUNTED))
  return fact("prompt", clip(name), { text: clip(text, MOST_KEPT), tokens, holes, within }, span)
}

export const promptFacts = async (drafts: ReadonlyArray<Draft>): Promise<ReadonlyArray<Fact<"prompt">>> => {
  if (drafts.length === 0) return []
  const tokenizer = await loadTokenizer()
  return valueInTime(() => drafts.map((draft) => promptFact(tokenizer, draft)))
}
