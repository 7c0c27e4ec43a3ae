import { assert, layer } from "@effect/vitest"
import { absent, present } from "@svc/tool-kit/backend"
import { freeCalls } from "@svc/tool-kit/testing"
import { Effect, Layer } from "effect"
import { RpcGroup, RpcTest } from "effect/rpc"
import { svc_translate } from "./svc_translate.ts"
import { LanguageNotKnown, Translator } from "./translation.ts"

const Group = RpcGroup.make(svc_translate)
const handlers = Group.toLayer({ svc_translate: svc_translate.handler }).pipe(Layer.provideMerge(freeCalls(svc_translate)))

const french = present(Translator, {
  translate: (_text, to) =>
    to === "fr" ? Effect.succeed("Bonjour") : Effect.fail(new LanguageNotKnown({ message: `${to} is not known.`, known: ["fr"] }))
})

layer(Layer.provide(handlers, french))("svc_translate", (it) => {
  it.effect("translates, and fails with an error of its own", () =>
    Effect.gen(function*() {
      const client = yield* RpcTest.makeClient(Group)
      assert.deepStrictEqual(yield* client.svc_translate({ text: "Good morning", to: "fr" }), { text: "Bonjour" })
      const known = client.svc_translate({ text: "Good morning", to: "xx" }).pipe(
        Effect.catchTag("LanguageNotKnown", (error) => Effect.succeed(error.known))
      )
      assert.deepStrictEqual(yield* known, ["fr"])
    }))
})

const unset = absent(Translator, { reason: "translator_unset", detail: "Nothing translates here.", remediation: "Set TRANSLATOR_URL." })

layer(Layer.provide(handlers, unset))("svc_translate without its backend", (it) => {
  it.effect("says so", () =>
    Effect.gen(function*() {
      const client = yield* RpcTest.makeClient(Group)
      const error = yield* Effect.flip(client.svc_translate({ text: "Good morning", to: "fr" }))
      assert.strictEqual(error._tag, "NotConfigured")
    }))
})
