/** A tool on the backend of a test, and without its backend. */
import { assert, layer } from "@effect/vitest"
import { NotConfigured } from "@svc/tool-kit/backend"
import { Embedder, type EmbedRequest } from "@svc/tool-kit/services/models"
import { Effect } from "effect"
import { grantCredits, layerWith, openCaller } from "../../agents/service.ts"
import { call } from "../../agents/tenants/rows.ts"
import { replacing } from "../../replacing.ts"

const embedder = replacing(Embedder, {
  get: Effect.succeed({
    embed: ({ input }: EmbedRequest) =>
      Effect.succeed({ vectors: input.map(() => [1, 0]), dimensions: 2, model_used: "test", semantic: false })
  })
})

layer(layerWith().pipe(embedder), { excludeTestServices: true, timeout: "60 seconds" })("a tool on the backend of a test", (it) => {
  it.effect("answers what the backend says", () =>
    Effect.gen(function*() {
      const caller = yield* openCaller("embeds")
      yield* grantCredits(caller, 100)
      const answer = yield* call(caller, "svc_embeddings", { input: ["a red bicycle"] })
      assert.include(answer.text, "\"model_used\":\"test\"")
    }))
})

const withoutEmbedder = replacing(Embedder, {
  get: new NotConfigured({ reason: "embedder_unset", detail: "There is no embedder.", remediation: "Set EMBEDDINGS_URL." })
})

layer(layerWith().pipe(withoutEmbedder), { excludeTestServices: true, timeout: "60 seconds" })("a tool without its backend", (it) => {
  it.effect("says so, and costs nothing", () =>
    Effect.gen(function*() {
      const caller = yield* openCaller("asks")
      const answer = yield* call(caller, "svc_embeddings", { input: ["a red bicycle"] })
      assert.include(answer.text, "\"_not_configured\":true")
      assert.include(answer.text, "\"reason\":\"embedder_unset\"")
      assert.strictEqual(answer.headers["x-svc-request-cost"], "0")
    }))
})
