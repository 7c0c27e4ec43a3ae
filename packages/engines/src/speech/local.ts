/** The voice of this machine: espeak-ng where it is found, else English in WebAssembly. */
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect } from "effect"
import { voicePackages } from "../fetched/groups.ts"
import { makeEspeak } from "./espeak.ts"
import { makeFliteVoice } from "./flite-voice.ts"
import type { SpokenStyle } from "./voice.ts"

const ENGLISH_ONLY = "English only: install bubblewrap and espeak-ng"

export const makeLocalVoice = Effect.gen(function*() {
  const { atStart } = yield* FetchedPackages
  const espeak = yield* makeEspeak
  const flite = yield* makeFliteVoice
  yield* atStart(voicePackages, Effect.map(espeak.isThere, (isThere) => !isThere))

  const speak = Effect.fnUntraced(function*(sentences: ReadonlyArray<string>, style: SpokenStyle, account: string) {
    return (yield* espeak.isThere) ? yield* espeak.speak(sentences, style) : yield* flite.speak(sentences, style, account)
  })
  const ready = Effect.gen(function*() {
    return (yield* espeak.isThere) ? yield* espeak.ready : yield* flite.ready
  })
  const weaknesses = Effect.gen(function*() {
    if (yield* espeak.isThere) return []
    const note = yield* flite.note
    return [ENGLISH_ONLY, ...(note === undefined ? [] : [note])]
  })

  return { ready, speak, weaknesses }
})
