/** Speech, written down. */
import { engineerOnly, InvalidFields } from "@svc/stores/model"
import { backend, weaknessesOf } from "@svc/tool-kit/backend"
import { between, exactlyOne, may, text, WebUrl, whole } from "@svc/tool-kit/fields"
import { ListenFailure, Transcriber, Transcript } from "@svc/tool-kit/services/media"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

/** 6 MiB as base64. A message is read whole, so what is larger comes by its URL. */
const MOST = 8 * 1024 * 1024

export const svc_speech_to_text = tool({
  name: "svc_speech_to_text",
  title: "Transcribe speech",
  description: "Text and segments of audio by URL, or base64 up to 6 MiB. engineer tells speakers apart by their pauses.",
  auth: "key",
  kind: "outside",
  prices: { standard: 3, lite: 1, engineer: 10 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  limits: { seconds: 600, bytes: MOST + 65_536 },
  payload: Schema.Struct({
    audio_url: may(WebUrl),
    audio_base64: may(text(MOST)),
    language: may(text(35)),
    initial_prompt: may(text(512)),
    word_timestamps: may(Schema.Boolean),
    diarization_gap_seconds: may(between(0.1, 10)),
    max_speakers: may(whole(1, 20))
  }).check(exactlyOne("audio_url", "audio_base64")),
  result: Transcript,
  error: Schema.Union([InvalidFields, ListenFailure]),
  examples: [{ audio_url: "https://example.com/call.wav" }],
  services: [Transcriber],
  ready: backend(Transcriber),
  weaknesses: weaknessesOf(Transcriber),
  run: Effect.fnUntraced(function*({ audio_base64 = "", audio_url, word_timestamps = false, ...rest }, call) {
    const { diarization_gap_seconds = 0.75, max_speakers = 2, ...asked } = rest
    yield* engineerOnly(call.mode, {
      diarization_gap_seconds: rest.diarization_gap_seconds,
      max_speakers: rest.max_speakers
    })
    const source = audio_url === undefined ? { base64: audio_base64 } : { url: audio_url }
    const request = { source, diarization_gap_seconds, max_speakers, word_timestamps, ...asked }
    return yield* (yield* backend(Transcriber)).transcribe(request, call)
  })
})
