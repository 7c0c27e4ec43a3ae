/** The tool alone, called by its types: its backend is a mock. */
import { assert, layer } from "@effect/vitest"
import { FetchFailed } from "@svc/tool-kit/services/errors"
import { Embedder } from "@svc/tool-kit/services/models"
import { freeCalls } from "@svc/tool-kit/testing"
import { Effect, Layer } from "effect"
import { RpcGroup, RpcTest } from "effect/rpc"
import { svc_embeddings } from "./svc_embeddings.ts"

const Group = RpcGroup.make(svc_embeddings)

const embedder = Layer.mock(Embedder)({
  get: Effect.succeed({
    embed: ({ input }) =>
      input.includes("unreachable")
        ? Effect.fail(new FetchFailed({ message: "The model server does not answer.", retryable: true }))
        : Effect.succeed({ vectors: input.map(({ length }) => [length]), dimensions: 1, model_used: "mock", semantic: false })
  })
})

const handlers = Group.toLayer({ svc_embeddings: svc_embeddings.handler })

layer(handlers.pipe(Layer.provideMerge(freeCalls(svc_embeddings)), Layer.provide(embedder)))("svc_embeddings", (it) => {
  it.effect("takes a text or several, and gives a vector for each", () =>
    Effect.gen(function*() {
      const client = yield* RpcTest.makeClient(Group)
      assert.deepStrictEqual((yield* client.svc_embeddings({ input: "red" })).vectors, [[3]])
      assert.deepStrictEqual((yield* client.svc_embeddings({ input: ["red", "blue"] })).vectors, [[3], [4]])
    }))

  it.effect("fails with what its backend says, and refuses what only engineer mode has", () =>
    Effect.gen(function*() {
      const client = yield* RpcTest.makeClient(Group)
      const failed = yield* Effect.flip(client.svc_embeddings({ input: "unreachable" }))
      assert.instanceOf(failed, FetchFailed)
      assert.deepInclude(failed, { message: "The model server does not answer.", retryable: true })
      assert.strictEqual((yield* Effect.flip(client.svc_embeddings({ input: "red", dimensions: 2 })))._tag, "InvalidFields")
    }))
})

layer(handlers.pipe(Layer.provideMerge(freeCalls(svc_embeddings, { mode: "engineer" })), Layer.provide(embedder)))(
  "svc_embeddings in engineer mode",
  (it) => {
    it.effect("takes a number of dimensions", () =>
      Effect.gen(function*() {
        const client = yield* RpcTest.makeClient(Group)
        assert.strictEqual((yield* client.svc_embeddings({ input: "red", dimensions: 2 })).model_used, "mock")
      }))
  }
)
