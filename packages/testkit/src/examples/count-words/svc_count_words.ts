/** Counts the words of a text. */
import { text } from "@svc/tool-kit/fields"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const svc_count_words = tool({
  name: "svc_count_words",
  title: "Count words",
  description: "How many words a text has.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 5, bytes: 64 * 1024 },
  payload: Schema.Struct({ text: text(10_000) }),
  result: Schema.Struct({ words: Schema.Natural }),
  examples: [{ text: "Good morning" }],
  run: (request) => Effect.succeed({ words: request.text.match(/\S+/gu)?.length ?? 0 })
})
