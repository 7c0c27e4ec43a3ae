/** Speech, written down by a model server. */
import { Effect, Schema, Stream } from "effect"
import { type HeardSpeech, type ListenRequest, SoundRefused } from "../transcription/heard.ts"
import { decodeAnswer, makeModelExchange, type ModelServer } from "./client.ts"

const Answer = Schema.Struct({
  text: Schema.String,
  language: Schema.optionalKey(Schema.NullOr(Schema.String)),
  duration: Schema.Finite,
  segments: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ start: Schema.Finite, end: Schema.Finite, text: Schema.String })))
  ),
  words: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ start: Schema.Finite, end: Schema.Finite, word: Schema.String })))
  )
})

const MIB = 1024 ** 2
/** What OpenAI takes. */
const MOST_BYTES = 25 * MIB
const MAX_RESPONSE_BYTES = 16 * MIB

/** The body of a form and its content type, as the platform writes them. */
const encoded = (form: FormData) => {
  const message = new Response(form)
  return Effect.promise(async () => ({ body: await message.bytes(), contentType: message.headers.get("content-type") ?? "" }))
}

export const makeRemoteListener = Effect.fnUntraced(function*(server: ModelServer) {
  const send = yield* makeModelExchange(server)
  const listen = Effect.fnUntraced(function*({ bytes, language, prompt, words }: ListenRequest) {
    const size = bytes instanceof Uint8Array ? bytes.length : bytes.size
    if (size > MOST_BYTES) {
      return yield* new SoundRefused({ message: `The sound has more than ${MOST_BYTES / MIB} MiB. Compress or split it.` })
    }
    const file = bytes instanceof Uint8Array ? bytes : yield* Stream.mkUint8Array(bytes.stream)
    const form = new FormData()
    // Servers judge by the name, and find out the format themselves.
    form.set("file", new Blob([Uint8Array.from(file)]), "speech.wav")
    form.set("model", server.model)
    form.set("response_format", "verbose_json")
    if (language !== undefined) form.set("language", language)
    if (prompt !== undefined) form.set("prompt", prompt)
    for (const granularity of words ? ["segment", "word"] : ["segment"]) form.append("timestamp_granularities[]", granularity)
    const text = yield* send({ path: "/audio/transcriptions", ...(yield* encoded(form)), maxResponseBytes: MAX_RESPONSE_BYTES })
    const answer = yield* decodeAnswer(Answer, text)
    const { duration } = answer
    const segments = answer.segments ?? [{ start: 0, end: duration, text: answer.text }]
    return {
      duration,
      language: answer.language ?? language ?? "und",
      segments: segments.map(({ end, start, text }) => ({
        start,
        end,
        text: text.trim(),
        words: (answer.words ?? []).filter((word) => word.start >= start && word.start < end)
      })),
      model: server.model
    } satisfies HeardSpeech
  })
  return { ready: Effect.void, listen }
})
