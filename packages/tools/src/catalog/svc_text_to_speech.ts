/** Text, spoken. */
import { engineerOnly, InvalidFields } from "@svc/stores/model"
import { backend, weaknessesOf } from "@svc/tool-kit/backend"
import { between, may, text } from "@svc/tool-kit/fields"
import { FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { audioFormats, Speaker, Speech } from "@svc/tool-kit/services/media"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const svc_text_to_speech = tool({
  name: "svc_text_to_speech",
  title: "Speak a text",
  description: "Audio of a text. engineer needs brand_text, and takes locale and gender.",
  auth: "key",
  kind: "outside",
  prices: { standard: 2, lite: 1, engineer: 10 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  keepsText: true,
  limits: { seconds: 90, bytes: 65_536 },
  payload: Schema.Struct({
    text: text(5000),
    voice: may(text(100)),
    format: may(Schema.Literals(audioFormats)),
    sentence_silence: may(between(0, 5)),
    brand_text: may(text(5000)),
    locale: may(text(35)),
    gender: may(Schema.Literals(["female", "male", "neutral"]))
  }),
  result: Speech,
  error: Schema.Union([InvalidFields, FetchFailed, InvalidRequest]),
  examples: [{ text: "Your payment has arrived." }],
  services: [Speaker],
  ready: backend(Speaker),
  weaknesses: weaknessesOf(Speaker),
  run: Effect.fnUntraced(function*({ format = "wav", sentence_silence = 0.2, ...rest }, call) {
    const { brand_text, gender, locale } = rest
    yield* engineerOnly(call.mode, { brand_text, locale, gender })
    if (call.mode === "engineer" && brand_text === undefined) {
      return yield* new InvalidRequest({ message: "brand_text is missing: engineer mode needs it. Send it, or use another mode." })
    }
    return yield* (yield* backend(Speaker)).speak({ format, sentence_silence, ...rest }, call)
  })
})
