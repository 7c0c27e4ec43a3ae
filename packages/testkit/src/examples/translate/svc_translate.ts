/** Translates a text. The whole tool of docs/adding-a-tool.md. */
import { type Backend, backend } from "@svc/tool-kit/backend"
import { text } from "@svc/tool-kit/fields"
import { tool } from "@svc/tool-kit/tool"
import { Context, Effect, Schema } from "effect"

/** The tool's own error: agents read `code: "language_not_known"`, typed callers get this class. */
export class LanguageNotKnown extends Schema.TaggedError<LanguageNotKnown>()("LanguageNotKnown", {
  message: Schema.String,
  known: Schema.Array(Schema.String)
}) {}

/** What the tool calls, and an installation may do without. */
export class Translator extends Context.Service<
  Translator,
  Backend<{ readonly translate: (text: string, to: string) => Effect.Effect<string, LanguageNotKnown> }>
>()("examples/Translator") {}

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
  ready: backend(Translator),
  run: Effect.fnUntraced(function*(request) {
    const { translate } = yield* backend(Translator)
    return { text: yield* translate(request.text, request.to) }
  })
})
