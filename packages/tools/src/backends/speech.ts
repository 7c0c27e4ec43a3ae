/** Text, spoken: by the operator's model server, or by the voice of this machine. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import type { ModelRefused, ModelUnavailable } from "@svc/engines/openai/client"
import { makeRemoteVoice } from "@svc/engines/openai/speech"
import { makeEncoder } from "@svc/engines/speech/encoder"
import { makeLocalVoice } from "@svc/engines/speech/local"
import { brandVoiceOf, pronounced } from "@svc/engines/speech/profile"
import { MOST_SECONDS, PITCH, RATE, sentencesOf, type SpeechAbsent, SpeechRefused } from "@svc/engines/speech/voice"
import { joinWaves, secondsOf } from "@svc/engines/speech/wave"
import type { BeingFetched, NotFetched } from "@svc/platform/fetched/model"
import { NotConfigured } from "@svc/tool-kit/backend"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { type FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { Speaker, type SpeakRequest, type Speech } from "@svc/tool-kit/services/media"
import { Effect, Layer } from "effect"
import { notConfigured } from "./confinement.ts"
import { ofModel } from "./models.ts"
import { SpeechSettings } from "./settings.ts"

type Away = BeingFetched | NotFetched | NoWall | SandboxBusy | SpeechAbsent
type Failure = Away | ModelRefused | ModelUnavailable | SpeechRefused

const away = (error: Away): NotConfigured =>
  error._tag === "SpeechAbsent"
    ? new NotConfigured({ reason: "runtime_absent", detail: `${error.message} The call was not charged.`, remediation: error.remedy })
    : notConfigured(error)

const failed = (error: Failure): FetchFailed | InvalidRequest | NotConfigured => {
  switch (error._tag) {
    case "SpeechRefused":
      return new InvalidRequest({ message: error.message })
    case "ModelRefused":
    case "ModelUnavailable":
      return ofModel(error)
    default:
      return away(error)
  }
}

const tooLong = new SpeechRefused({
  message: `The speech lasts more than ${MOST_SECONDS} seconds. Send less text, or shorten sentence_silence.`
})
const nothingToSay = new SpeechRefused({ message: "text: has no word to speak." })

const NO_OPUS = "no opus: install bubblewrap and ffmpeg"

const backend = Effect.gen(function*() {
  const { server, voice: serverVoice } = yield* SpeechSettings
  const local = yield* makeLocalVoice
  const voice = server === undefined ? local : yield* makeRemoteVoice(server, serverVoice)
  const encoder = yield* makeEncoder

  const speak = Effect.fnUntraced(
    function*({ brand_text, format, gender, locale, sentence_silence, text, voice: asked }: SpeakRequest, call: Call) {
      const brand = brand_text === undefined ? undefined : brandVoiceOf(brand_text)
      const sentences = sentencesOf(pronounced(text, brand?.pronunciations ?? []))
      if (sentences.length === 0) return yield* nothingToSay
      // Pauses alone may be too long: said before anything is spoken.
      if (sentences.length * sentence_silence > MOST_SECONDS) return yield* tooLong
      const { pitch = PITCH, rate = RATE } = brand ?? {}
      const spoken = yield* voice.speak(sentences, { voice: asked, locale, gender, rate, pitch }, accountOf(call).id)
      const wave = joinWaves(spoken.waves, sentence_silence)
      if (secondsOf(wave) > MOST_SECONDS) return yield* tooLong
      const { bytes, sampleRate } = yield* encoder.encode(wave, format, accountOf(call).id)
      return {
        audio_base64: bytes.toString("base64"),
        format,
        voice_used: spoken.voice,
        sample_rate: sampleRate,
        duration_seconds: Math.round(1000 * secondsOf(wave)) / 1000,
        byte_size: bytes.length,
        engine: spoken.engine,
        ...(brand === undefined ? {} : { voice_profile: { voice: spoken.voice, ...brand } })
      } satisfies Speech
    },
    Effect.mapError(failed)
  )

  const weaknesses = Effect.gen(function*() {
    return [...(yield* encoder.hasOpus) ? [] : [NO_OPUS], ...server === undefined ? yield* local.weaknesses : []]
  })
  return Speaker.of({
    get: Effect.as(Effect.mapError(voice.ready, away), { speak }),
    weaknesses: Effect.orElseSucceed(weaknesses, () => [])
  })
})

export const layer = Layer.effect(Speaker, backend)
