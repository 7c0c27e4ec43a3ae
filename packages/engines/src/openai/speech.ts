/** Speech by a model server. */
import { Effect } from "effect"
import { RATE, type SpokenStyle } from "../speech/voice.ts"
import { readWave, secondsOf } from "../speech/wave.ts"
import { makeModelExchange, type ModelServer, ModelUnavailable } from "./client.ts"

/** Ten minutes of 48,000 samples a second. */
const MAX_RESPONSE_BYTES = 64 * 1024 ** 2
const AT_ONCE = 2

export const makeRemoteVoice = Effect.fnUntraced(function*(server: ModelServer, defaultVoice: string) {
  const send = yield* makeModelExchange(server)
  /** A sentence at a time, so that pauses between them are the caller's. A server speaks the language of the text, and has no pitch. */
  const speak = Effect.fnUntraced(function*(sentences: ReadonlyArray<string>, { rate, voice = defaultVoice }: SpokenStyle) {
    const waveOf = Effect.fnUntraced(function*(input: string) {
      const speed = Math.round(100 * rate / RATE) / 100
      const answer = yield* send({
        path: "/audio/speech",
        contentType: "application/json",
        body: JSON.stringify({ model: server.model, input, voice, response_format: "wav", speed }),
        maxResponseBytes: MAX_RESPONSE_BYTES,
        encoding: "base64"
      })
      const wave = readWave(Buffer.from(answer, "base64"))
      if (wave !== undefined && secondsOf(wave) > 0) return wave
      return yield* new ModelUnavailable({
        message: "The model server did not answer with a WAV of one channel and 16 bits.",
        retryable: false
      })
    })
    const waves = yield* Effect.forEach(sentences, waveOf, { concurrency: AT_ONCE })
    if (new Set(waves.map(({ sampleRate }) => sampleRate)).size > 1) {
      return yield* new ModelUnavailable({ message: "The model server changed the sample rate between two sentences.", retryable: true })
    }
    return { waves, voice, engine: server.model }
  })
  return { ready: Effect.void, speak }
})
