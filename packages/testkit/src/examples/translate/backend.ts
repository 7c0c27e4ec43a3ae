/** Translates a greeting. */
import { present } from "@svc/tool-kit/backend"
import { Effect } from "effect"
import { LanguageNotKnown, Translator } from "./translation.ts"

const greetings = new Map([["de", "Guten Morgen"], ["fr", "Bonjour"]])

export const layer = present(Translator, {
  translate: (_text, to) => {
    const greeting = greetings.get(to)
    if (greeting !== undefined) return Effect.succeed(greeting)
    return Effect.fail(new LanguageNotKnown({ message: `${to} is not known.`, known: Array.from(greetings.keys()) }))
  }
})
