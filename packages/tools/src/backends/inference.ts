/** Text by the language model of the operator's model server. */
import { checkJson, type SchemaRefused } from "@svc/engines/json-schema/check"
import { makeChat } from "@svc/engines/openai/chat"
import type { ModelRefused, ModelUnavailable } from "@svc/engines/openai/client"
import { parseJson } from "@svc/kernel/values/json"
import { configured, NotConfigured } from "@svc/tool-kit/backend"
import { type FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { type Inference, InferenceModel, type InferenceRequest } from "@svc/tool-kit/services/models"
import { Effect, Result, Schema } from "effect"
import { ofModel } from "./models.ts"
import { InferenceSettings } from "./settings.ts"

const absent = new NotConfigured({
  reason: "backend_absent",
  detail: "No language model is set up here. The call was checked and not charged.",
  remediation: "The operator sets LLM_URL, such as http://127.0.0.1:11434/v1 where Ollama or llama.cpp's server runs, and LLM_MODEL. " +
    "Or use the model that you run on."
})

const failed = (error: ModelUnavailable | ModelRefused | SchemaRefused): InvalidRequest | FetchFailed =>
  error._tag === "SchemaRefused" ? new InvalidRequest({ message: error.message }) : ofModel(error)

const isJson = Schema.is(Schema.Json)

/** Models like to wrap JSON as Markdown does. */
const jsonIn = (text: string): Schema.Json | undefined => {
  const [, fenced = text] = /^```(?:json)?\s([^]*)```$/u.exec(text.trim()) ?? []
  const parsed = Result.try(() => parseJson(fenced))
  return Result.isSuccess(parsed) && isJson(parsed.success) ? parsed.success : undefined
}

const structured = Effect.fnUntraced(function*(schema: object, text: string) {
  const parsed = jsonIn(text)
  if (parsed === undefined) return { valid: false, parsed: null, schema_errors: ["the text is not JSON"] }
  const { errors, valid } = yield* checkJson(schema, parsed)
  return { valid, parsed, schema_errors: errors }
})

const make = Effect.gen(function*() {
  const server = yield* InferenceSettings
  if (server === undefined) return yield* absent
  const chat = yield* makeChat(server)
  return {
    infer: Effect.fnUntraced(function*({ top_k, ...request }: InferenceRequest) {
      const { json_schema } = request
      // A schema that cannot be used is refused before the model is asked.
      if (json_schema !== undefined) yield* checkJson(json_schema, null)
      const answer = yield* chat(request)
      return {
        ...answer,
        ignored_params: top_k === undefined ? [] : ["top_k"],
        ...(json_schema === undefined ? {} : { structured: yield* structured(json_schema, answer.text) })
      } satisfies Inference
    }, Effect.mapError(failed))
  }
})

export const layer = configured(InferenceModel, make)
