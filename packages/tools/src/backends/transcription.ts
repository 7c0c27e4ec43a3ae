/** Speech, written down: by the operator's model server, or by a program of this machine that the operator names. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import type { ModelRefused, ModelUnavailable } from "@svc/engines/openai/client"
import { makeRemoteListener } from "@svc/engines/openai/transcription"
import { type ListenerAbsent, type SoundRefused, speakersOf, withoutCardNumbers } from "@svc/engines/transcription/heard"
import { makeLocalListener } from "@svc/engines/transcription/programs"
import { findCardNumber } from "@svc/kernel/values/card-numbers"
import { NotConfigured } from "@svc/tool-kit/backend"
import type { Call } from "@svc/tool-kit/call"
import { InvalidRequest, Unreadable } from "@svc/tool-kit/services/errors"
import { type ListenFailure, Transcriber, type TranscribeRequest, type Transcript } from "@svc/tool-kit/services/media"
import { type Config, Effect, Layer } from "effect"
import { decodeBase64 } from "./base64.ts"
import { notConfigured } from "./confinement.ts"
import { makeDownload } from "./downloads.ts"
import { ofModel } from "./models.ts"
import { ListenerSettings } from "./settings.ts"

const MOST_BYTES = 100 * 1024 ** 2

const ROUGH = "English only, a third of the words wrong: set STT_URL or WHISPER_MODEL_FILE"

const unset = new NotConfigured({
  reason: "backend_absent",
  detail: "Nothing writes down speech here. The call was checked and not charged.",
  remediation: "The operator sets STT_URL and STT_MODEL, or WHISPER_MODEL_FILE for whisper-cli of this machine."
})

type Away = ListenerAbsent | NoWall | NotConfigured | SandboxBusy

const away = (error: Away): NotConfigured => {
  switch (error._tag) {
    case "NotConfigured":
      return error
    case "ListenerAbsent":
      return new NotConfigured({
        reason: "runtime_absent",
        detail: `${error.message} The call was not charged.`,
        remediation: error.remedy
      })
    default:
      return notConfigured(error)
  }
}

const failed = (error: Away | ListenFailure | ModelRefused | ModelUnavailable | SoundRefused): ListenFailure | NotConfigured => {
  switch (error._tag) {
    case "InvalidUrl":
    case "InvalidRequest":
    case "FetchFailed":
    case "Unreadable":
      return error
    case "SoundRefused":
      return new Unreadable({ message: error.message })
    case "ModelRefused":
    case "ModelUnavailable":
      return ofModel(error)
    default:
      return away(error)
  }
}

const makeListener = Effect.fnUntraced(function*({ program, server }: Config.Success<typeof ListenerSettings>) {
  if (server !== undefined) return yield* makeRemoteListener(server)
  if (program !== undefined) return yield* makeLocalListener(program)
  return { ready: Effect.fail(unset), listen: () => Effect.fail(unset) }
})

const cardNumber = new InvalidRequest({ message: "initial_prompt: holds what looks like a card number. Leave it out." })
const nothingHeard = new Unreadable({ message: "No word was heard. Nothing was charged." })

const backend = Effect.gen(function*() {
  const settings = yield* ListenerSettings
  const listener = yield* makeListener(settings)
  const download = yield* makeDownload
  const isRough = settings.server === undefined && settings.program?.program === "pocketsphinx"

  const transcribe = Effect.fnUntraced(
    function*({ initial_prompt: prompt, language, source, ...request }: TranscribeRequest, { mode }: Call) {
      if (prompt !== undefined && findCardNumber(prompt) !== undefined) return yield* cardNumber
      const bytes = yield* "url" in source ? download(source.url, MOST_BYTES) : decodeBase64("audio_base64", source.base64)
      const heard = yield* listener.listen({ bytes, language, prompt, words: request.word_timestamps })
      if (heard.segments.every(({ text }) => text === "")) return yield* nothingHeard
      const segments = withoutCardNumbers(heard.segments)
      const speakers = mode === "engineer" ? speakersOf(segments, request.diarization_gap_seconds, request.max_speakers) : []
      return {
        text: segments.map(({ text }) => text).join(" "),
        segments: segments.map(({ words, ...segment }, index) => ({
          ...segment,
          ...(speakers[index] === undefined ? {} : { speaker: speakers[index] }),
          ...(request.word_timestamps ? { words } : {})
        })),
        language_detected: heard.language,
        duration_seconds: heard.duration,
        model_used: heard.model,
        untrusted: true,
        ...(isRough ? { accuracy: "low" } : {}),
        ...(mode === "engineer" ? { diarization_method: "pause" } : {})
      } satisfies Transcript
    },
    Effect.scoped,
    Effect.mapError(failed)
  )

  return Transcriber.of({
    get: Effect.as(Effect.mapError(listener.ready, away), { transcribe }),
    weaknesses: Effect.succeed(isRough ? [ROUGH] : [])
  })
})

export const layer = Layer.effect(Transcriber, backend)
