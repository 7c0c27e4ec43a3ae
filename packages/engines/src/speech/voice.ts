/** What speaks: how a voice is asked, and why a voice does not speak. */
import { Data } from "effect"

export interface SpokenStyle {
  /** As the voice's own engine names them; its default where there is none. */
  readonly voice: string | undefined
  /** A language as BCP 47 writes it, such as `de-AT`. */
  readonly locale: string | undefined
  readonly gender: "female" | "male" | "neutral" | undefined
  /** Words a minute. */
  readonly rate: number
  /** From 0, low, to 99. */
  readonly pitch: number
}

/** Words a minute and pitch of a voice that nobody asked for another. */
export const RATE = 165
export const PITCH = 50

/** What an answer may last. A pause of five seconds after each letter would last hours. */
export const MOST_SECONDS = 600

/** The text or the voice is not spoken as it is. */
export class SpeechRefused extends Data.TaggedError("SpeechRefused")<{ readonly message: string }> {}

/** No program of this machine does it: what is missing, and what adds it. */
export class SpeechAbsent extends Data.TaggedError("SpeechAbsent")<{ readonly message: string; readonly remedy: string }> {}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" })

/** Each on one line. A sentence without a letter or digit has no sound. */
export const sentencesOf = (text: string): ReadonlyArray<string> =>
  Array.from(segmenter.segment(text), ({ segment }) => segment.replaceAll(/[\s\p{Cc}]+/gu, " ").trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
