/** Text, spoken. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { between, may, text } from "../fields.ts"
import { InvalidRequest } from "../services/errors.ts"
import { audioFormats, Speaker, Speech } from "../services/media.ts"
import { tool } from "../tool.ts"

export const svc_text_to_speech = tool({
  name: "svc_text_to_speech",
  title: "Speak a text",
  description: "Audio of a text. engineer needs brand_text, and takes locale and gender.",
  auth: "key",
  kind: "outside",
  prices: { standard: 2, lite: 1, engineer: 10 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
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
  error: InvalidRequest,
  examples: [{ text: "Your payment has arrived." }],
  ready: backend(Speaker),
  run: ({ format = "wav", sentence_silence = 0.2, ...rest }, call) =>
    Effect.flatMap(backend(Speaker), ({ speak }) =>
      call.mode === "engineer" && rest.brand_text === undefined
        ? Effect.fail(new InvalidRequest({ message: "brand_text is missing: engineer mode needs it. Send it, or use another mode." }))
        : speak({ format, sentence_silence, ...rest }, call))
})
