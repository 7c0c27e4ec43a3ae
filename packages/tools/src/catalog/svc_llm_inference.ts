/** What a language model makes of a prompt. */
import { engineerOnly, InvalidFields } from "@svc/stores/model"
import { backend } from "@svc/tool-kit/backend"
import { between, exactlyOne, list, may, text, whole } from "@svc/tool-kit/fields"
import { FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { Inference, InferenceModel, Message } from "@svc/tool-kit/services/models"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const svc_llm_inference = tool({
  name: "svc_llm_inference",
  title: "Language model",
  description: "Text for prompt or messages, one of them. engineer: json_schema checks the answer.",
  auth: "key",
  kind: "outside",
  keepsText: true,
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
  error: Schema.Union([FetchFailed, InvalidFields, InvalidRequest]),
  examples: [{ prompt: "Name a colour.", max_tokens: 16 }, { messages: [{ role: "user", content: "Name a colour." }] }],
  services: [InferenceModel],
  ready: backend(InferenceModel),
  run: Effect.fnUntraced(function*({ max_tokens = 512, messages, prompt = "", system, temperature = 0.7, top_p = 0.95, ...rest }, call) {
    const { json_schema } = rest
    yield* engineerOnly(call.mode, { json_schema })
    const asked = messages ?? [{ role: "user" as const, content: prompt }]
    const all = system === undefined ? asked : [{ role: "system" as const, content: system }, ...asked]
    return yield* (yield* backend(InferenceModel)).infer({ messages: all, max_tokens, temperature, top_p, ...rest }, call)
  })
})
