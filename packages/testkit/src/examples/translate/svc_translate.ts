/** Translates a text. */
import { backend } from "@svc/tool-kit/backend"
import { text } from "@svc/tool-kit/fields"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"
import { LanguageNotKnown, Translator } from "./translation.ts"

export const svc_translate = tool({
  name: "svc_translate",
  title: "Translate a text",
  description: "A text in another language.",
  auth: "key",
  kind: "outside",
  prices: { standard: 1, engineer: 3 },
  price: ({ text: { length } }, _mode, fixed) => fixed * Math.ceil(length / 1000),
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 30, bytes: 64 * 1024 },
  payload: Schema.Struct({ text: text(10_000), to: text(10) }),
  result: Schema.Struct({ text: Schema.String }),
  error: LanguageNotKnown,
  examples: [{ text: "Good morning", to: "fr" }],
  services: [Translator],
  ready: backend(Translator),
  run: Effect.fnUntraced(function*(request) {
    const { translate } = yield* backend(Translator)
    return { text: yield* translate(request.text, request.to) }
  })
})
