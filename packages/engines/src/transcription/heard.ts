/** Speech that was written down: its segments, whose turn each is, and no card number. */
import type { StreamedBytes } from "@svc/confined/model"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { Data } from "effect"

export interface ListenRequest {
  readonly bytes: Uint8Array | StreamedBytes
  /** As BCP 47 writes it; found out where there is none. */
  readonly language: string | undefined
  /** Words that the speech may hold, such as names. */
  readonly prompt: string | undefined
  readonly words: boolean
}

interface HeardWord {
  readonly start: number
  readonly end: number
  readonly word: string
}

/** In seconds from the beginning. */
export interface HeardSegment {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly words: ReadonlyArray<HeardWord>
}

export interface HeardSpeech {
  readonly duration: number
  readonly language: string
  readonly segments: ReadonlyArray<HeardSegment>
  readonly model: string
}

/** The sound is not read, and another try would end the same. */
export class SoundRefused extends Data.TaggedError("SoundRefused")<{ readonly message: string }> {}

/** No program of this machine listens: what is missing, and what adds it. */
export class ListenerAbsent extends Data.TaggedError("ListenerAbsent")<{ readonly message: string; readonly remedy: string }> {}

/** Card numbers masked, also where one is spread over several texts. */
const masked = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const whole = redactCardNumbers(texts.join(" "))
  let at = 0
  return texts.map((text) => {
    const piece = whole.slice(at, at + text.length)
    at += text.length + 1
    return piece
  })
}

/** A mask is as long as what it hides, so every text keeps its place. */
export const withoutCardNumbers = (segments: ReadonlyArray<HeardSegment>): ReadonlyArray<HeardSegment> => {
  const texts = masked(segments.map(({ text }) => text))
  const words = masked(segments.flatMap(({ words }) => words.map(({ word }) => word)))
  let at = 0
  return segments.map((segment, index) => ({
    ...segment,
    text: texts[index] ?? "",
    words: segment.words.map((word) => ({ ...word, word: words[at++] ?? "" }))
  }))
}

/** Each segment's speaker: a pause longer than `gap` seconds gives the turn to the next one. */
export const speakersOf = (segments: ReadonlyArray<HeardSegment>, gap: number, most: number): ReadonlyArray<string> => {
  let turn = 0
  return segments.map(({ start }, index) => {
    const before = segments[index - 1]
    if (before !== undefined && start - before.end > gap) turn++
    return `speaker_${turn % most + 1}`
  })
}
