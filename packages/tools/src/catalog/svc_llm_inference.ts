/** What a language model makes of a prompt. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { between, exactlyOne, list, may, text, whole } from "../fields.ts"
import { FetchFailed, InvalidRequest } from "../services/errors.ts"
import { Inference, InferenceModel, Message } from "../services/models.ts"
import { tool } from "../tool.ts"

export const svc_llm_inference = tool({
  name: "svc_llm_inference",
  title: "Ask a language model",
  description: "Text for a prompt or for messages, one of the two. engineer: json_schema checks the answer.",
  auth: "key",
  kind: "outside",
  prices: { standard: 2, lite: 1, engineer: 10 },
  hints: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
  limits: { seconds: 120, bytes: 1024 * 1024 },
  payload: Schema.Struct({
    prompt: may(text(500_000)),
    messages: may(Schema.Array(Message).check(Schema.isMinLength(1), Schema.isMaxLength(200))),
    system: may(text(100_000)),
    max_tokens: may(whole(1, 2048)),
    temperature: may(between(0, 2)),
    top_k: may(whole(1, 1000)),
    top_p: may(between(0, 1)),
    seed: may(whole(0, 2_147_483_647)),
    stop: may(list(text(100), 8)),
    json_schema: may(Schema.Record(Schema.String, Schema.Json))
  }).check(exactlyOne("prompt", "messages")),
  result: Inference,
  error: Schema.Union([FetchFailed, InvalidRequest]),
  examples: [{ prompt: "Name a colour.", max_tokens: 16 }, { messages: [{ role: "user", content: "Name a colour." }] }],
  ready: backend(InferenceModel),
  run: ({ max_tokens = 512, messages, prompt = "", system, temperature = 0.7, top_k = 40, top_p = 0.95, ...rest }, call) => {
    const asked = messages ?? [{ role: "user" as const, content: prompt }]
    const all = system === undefined ? asked : [{ role: "system" as const, content: system }, ...asked]
    return Effect.flatMap(backend(InferenceModel), ({ infer }) => infer({ messages: all, max_tokens, temperature, top_k, top_p, ...rest }, call))
  }
})
