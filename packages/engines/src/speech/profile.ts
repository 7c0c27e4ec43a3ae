/** The voice of a brand, by written rules over a text of the brand: how fast, how high, and what is pronounced otherwise than written. */
import { PITCH, RATE, sentencesOf } from "./voice.ts"

export interface Pronunciation {
  readonly written: string
  readonly spoken: string
}

export interface BrandVoice {
  readonly rate: number
  readonly pitch: number
  readonly pronunciations: ReadonlyArray<Pronunciation>
  /** Why, a sentence for each of the three. */
  readonly reasons: ReadonlyArray<string>
}

const MOST_PRONUNCIATIONS = 50
const SLOW = { words: 20, rate: 150 }
const FAST = { words: 9, rate: 180 }
/** The share of sentences that end with an exclamation mark, from which the voice is lively. */
const LIVELY = { share: 0.25, pitch: 60 }
const FORMAL = { words: /\b(?:compliance|counsel|fiduciary|hereby|pursuant|regulated|sincerely|solicitors?)\b/iu, pitch: 40 }

const rateOf = (sentences: ReadonlyArray<string>): readonly [rate: number, reason: string] => {
  const words = Math.round(sentences.join(" ").split(/\s+/u).length / Math.max(1, sentences.length))
  const told = `Sentences of brand_text have ${words} words on average`
  if (words > SLOW.words) return [SLOW.rate, `${told}, more than ${SLOW.words}: the voice is slow (${SLOW.rate} words a minute).`]
  if (words < FAST.words) return [FAST.rate, `${told}, fewer than ${FAST.words}: the voice is fast (${FAST.rate} words a minute).`]
  return [RATE, `${told}: the voice has the usual pace (${RATE} words a minute).`]
}

const pitchOf = (sentences: ReadonlyArray<string>): readonly [pitch: number, reason: string] => {
  const lively = sentences.filter((sentence) => sentence.endsWith("!")).length
  if (lively / Math.max(1, sentences.length) >= LIVELY.share) {
    return [LIVELY.pitch, `${lively} of ${sentences.length} sentences exclaim: the voice is high (${LIVELY.pitch} of 99).`]
  }
  const formal = FORMAL.words.exec(sentences.join(" "))?.[0]
  return formal === undefined
    ? [PITCH, `Nothing in brand_text asks for another pitch than the usual (${PITCH} of 99).`]
    : [FORMAL.pitch, `brand_text says "${formal}", a formal word: the voice is low (${FORMAL.pitch} of 99).`]
}

/** `Nginx (pronounced "engine ex")`. */
const STATED = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{2,40})\s?\((?:pronounced|say|spoken)[:\s]{1,3}["“']?([\p{L}\p{N} -]{1,60})["”']?\)/giu
const ACRONYM = /(?<![\p{L}\p{N}])[B-DF-HJ-NP-TV-Z]{2,5}(?![\p{L}\p{N}])/gu
const COMPOUND = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+)+(?![\p{L}\p{N}])/gu

/** What the text says itself comes first, then acronyms without a vowel letter by letter, then the words of names such as PayPal. */
const pronunciationsOf = (text: string): ReadonlyArray<Pronunciation> => {
  const all = [
    ...Array.from(text.matchAll(STATED), ([, written = "", spoken = ""]) => ({ written, spoken: spoken.trim() })),
    ...Array.from(text.matchAll(ACRONYM), ([written]) => ({ written, spoken: Array.from(written).join(" ") })),
    ...Array.from(text.matchAll(COMPOUND), ([written]) => ({ written, spoken: written.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ") }))
  ]
  const isFirst = ({ written }: Pronunciation, index: number) => all.findIndex((one) => one.written === written) === index
  return all.filter(isFirst).slice(0, MOST_PRONUNCIATIONS)
}

export const brandVoiceOf = (brandText: string): BrandVoice => {
  const sentences = sentencesOf(brandText)
  const [rate, rateReason] = rateOf(sentences)
  const [pitch, pitchReason] = pitchOf(sentences)
  const pronunciations = pronunciationsOf(brandText)
  const words = pronunciations.map(({ written }) => written).join(", ")
  const reason = words === ""
    ? "brand_text says no pronunciation, and has no acronym without a vowel and no name of several words."
    : `Pronounced as brand_text says, letter by letter, or word by word: ${words}.`
  return { rate, pitch, pronunciations, reasons: [rateReason, pitchReason, reason] }
}

/** The text with whole words replaced by how they are spoken. */
export const pronounced = (text: string, pronunciations: ReadonlyArray<Pronunciation>): string => {
  const spoken = new Map(pronunciations.map(({ spoken, written }) => [written, spoken]))
  return text.replaceAll(/[\p{L}\p{N}]+/gu, (word) => spoken.get(word) ?? word)
}
