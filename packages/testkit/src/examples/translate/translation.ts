/** What translates, and how it fails. */
import type { Backend } from "@svc/tool-kit/backend"
import { Context, type Effect, Schema } from "effect"

/** Agents read `code: "language_not_known"`, typed callers get this class. */
export class LanguageNotKnown extends Schema.TaggedError<LanguageNotKnown>()("LanguageNotKnown", {
  message: Schema.String,
  known: Schema.Array(Schema.String)
}) {}

export class Translator extends Context.Service<
  Translator,
  Backend<{ readonly translate: (text: string, to: string) => Effect.Effect<string, LanguageNotKnown> }>
>()("@svc/tool-kit/Translator") {}
