/** The code of docs/adding-a-tool.md and the typed client of README.md is code that is run. */
import { assert, it, layer } from "@effect/vitest"
import { backend } from "@svc/tool-kit/backend"
import { freeCalls } from "@svc/tool-kit/testing"
import { Effect, Layer } from "effect"
import { RpcGroup, RpcTest } from "effect/rpc"
import { exampleAs, typescriptOf } from "./examples.ts"
import { svc_count_words } from "./examples/count-words/svc_count_words.ts"
import * as greetings from "./examples/translate/backend.ts"
import { Translator } from "./examples/translate/translation.ts"

const service = { "./translation.ts": "@svc/tool-kit/services/translation" }
const backendWithin = { "@svc/tool-kit/backend": "../backend.ts" }

it("docs/adding-a-tool.md shows the tools, the backend, the test and the clients that are run", () => {
  assert.deepStrictEqual(typescriptOf("docs/adding-a-tool.md"), [
    exampleAs("count-words/svc_count_words.ts"),
    exampleAs("translate/translation.ts", backendWithin),
    exampleAs("translate/svc_translate.ts", service),
    exampleAs("translate/backend.ts", service),
    exampleAs("translate/svc_translate.test.ts", service),
    exampleAs("search-client.ts"),
    exampleAs("paying-client.ts")
  ])
})

it("README.md shows a whole typed client, which clients/typed.test.ts calls", () => {
  const [client, ...others] = typescriptOf("README.md")
  assert.isEmpty(others)
  assert.strictEqual(client, exampleAs("typed-client.ts").replace(/^\/\*\*.*\*\/\n/u, ""))
})

const Group = RpcGroup.make(svc_count_words)

layer(Group.toLayer({ svc_count_words: svc_count_words.handler }).pipe(Layer.provideMerge(freeCalls(svc_count_words))))(
  "a tool without a backend",
  (it) => {
    it.effect("runs its example", () =>
      Effect.gen(function*() {
        const client = yield* RpcTest.makeClient(Group)
        assert.deepStrictEqual({ ...yield* client.svc_count_words({ text: "Good morning" }) }, { words: 2 })
        assert.deepStrictEqual({ ...yield* client.svc_count_words({ text: " " }) }, { words: 0 })
      }))
  }
)

layer(greetings.layer)("a backend", (it) => {
  it.effect("translates what it knows, and says what that is", () =>
    Effect.gen(function*() {
      const { translate } = yield* backend(Translator)
      assert.strictEqual(yield* translate("Good morning", "fr"), "Bonjour")
      assert.deepStrictEqual((yield* Effect.flip(translate("Good morning", "xx"))).known, ["de", "fr"])
    }))
})
