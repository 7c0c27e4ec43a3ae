/** Vectors of texts. */
import { engineerOnly, InvalidFields } from "@svc/stores/model"
import { backend } from "@svc/tool-kit/backend"
import { may, text, unsaid, whole } from "@svc/tool-kit/fields"
import { FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { Embedder, Embeddings } from "@svc/tool-kit/services/models"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const batch = (most: number) => Schema.Array(text(32_768)).check(Schema.isMinLength(1), Schema.isMaxLength(most))

const MOST_DIMENSIONS = 4096
const Mean = Schema.Array(Schema.Finite).check(
  Schema.makeFilter(({ length }) => length > 0 && length <= MOST_DIMENSIONS, { ...unsaid, message: "must be an adapter_mean of an answer" })
)

export const svc_embeddings = tool({
  name: "svc_embeddings",
  title: "Embed texts",
  description: "A vector for each text. engineer: dimensions, and corpus_adapter, texts or an adapter_mean to take out.",
  auth: "key",
  kind: "outside",
  keepsText: true,
  prices: { standard: 5, lite: 2, engineer: 8 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 60, bytes: 8 * 1024 * 1024 },
  payload: Schema.Struct({
    input: Schema.Union([text(32_768), batch(2048)]),
    dimensions: may(whole(1, MOST_DIMENSIONS)),
    corpus_adapter: may(Schema.Union([batch(2048), Mean]))
  }),
  result: Embeddings,
  error: Schema.Union([FetchFailed, InvalidFields, InvalidRequest]),
  examples: [{ input: "a red bicycle" }, { input: ["a red bicycle", "a blue car"] }],
  services: [Embedder],
  ready: backend(Embedder),
  run: Effect.fnUntraced(function*({ input, ...rest }, call) {
    yield* engineerOnly(call.mode, rest)
    return yield* (yield* backend(Embedder)).embed({ input: typeof input === "string" ? [input] : input, ...rest }, call)
  })
})
