/** Vectors of texts. */
import { Effect, Schema } from "effect"
import { backend } from "../backend.ts"
import { may, text, whole } from "../fields.ts"
import { FetchFailed, InvalidRequest } from "../services/errors.ts"
import { Embedder, Embeddings } from "../services/models.ts"
import { tool } from "../tool.ts"

const batch = (most: number) => Schema.Array(text(32_768)).check(Schema.isMinLength(1), Schema.isMaxLength(most))

export const svc_embeddings = tool({
  name: "svc_embeddings",
  title: "Embed texts",
  description: "A vector for each text. engineer: dimensions, and corpus_adapter, whose mean is taken out.",
  auth: "key",
  kind: "outside",
  prices: { standard: 5, lite: 2, engineer: 8 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 60, bytes: 8 * 1024 * 1024 },
  payload: Schema.Struct({
    input: Schema.Union([text(32_768), batch(2048)]),
    dimensions: may(whole(1, 4096)),
    corpus_adapter: may(batch(2048))
  }),
  result: Embeddings,
  error: Schema.Union([FetchFailed, InvalidRequest]),
  examples: [{ input: "a red bicycle" }, { input: ["a red bicycle", "a blue car"] }],
  ready: backend(Embedder),
  run: ({ input, ...rest }, call) => Effect.flatMap(backend(Embedder), ({ embed }) => embed({ input: typeof input === "string" ? [input] : input, ...rest }, call))
})
