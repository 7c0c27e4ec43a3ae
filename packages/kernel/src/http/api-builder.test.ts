import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import type { Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpApiBuilder from "./api-builder.ts"
import { readAnswers } from "./read-answers.ts"
import * as SchemaErrors from "./schema-errors.ts"

const Note = Schema.Struct({ names: Schema.Record(Schema.String, Schema.Int) }).annotate({ identifier: "Note" })

class Notes extends HttpApiGroup.make("notes").add(
  HttpApiEndpoint.post("create", "/notes", {
    payload: [Note, Schema.String.pipe(HttpApiSchema.asText())],
    success: Schema.String.pipe(HttpApiSchema.asText())
  }),
  HttpApiEndpoint.post("keep", "/kept", { payload: Note, success: [Note.pipe(HttpApiSchema.status(201)), Note] }),
  HttpApiEndpoint.delete("drop", "/notes", {})
).middleware(SchemaErrors.SchemaErrors) {}
const api = HttpApi.make("test").add(Notes)

class Client
  extends Context.Service<Client, (body: string, type?: string) => Effect.Effect<{ readonly status: number; readonly text: string }>>()(
    "@svc/kernel/api-builder.test/Client"
  )
{
  static readonly layer = Layer.effect(
    Client,
    Effect.gen(function*() {
      const handlers = HttpApiBuilder.group(api, "notes", (handlers) =>
        Effect.succeed(handlers.handleAll({
          create: ({ payload }) => Effect.succeed(JSON.stringify(payload)),
          keep: ({ payload }) => Effect.succeed(payload),
          drop: () => Effect.void
        })))
      const app = yield* HttpRouter.toHttpEffect(HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(SchemaErrors.layer)))
      const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(yield* Effect.context<never>())(
        app
      )
      return Effect.fnUntraced(function*(body: string, type = "application/json") {
        const response = yield* Effect.promise(() =>
          handle(new Request("http://svc.test/notes", { method: "POST", headers: { "content-type": type }, body }))
        )
        return {
          status: response.status,
          text: yield* Effect.promise(() => response.text())
        }
      })
    })
  ).pipe(Layer.provide(HttpServer.layerServices))
}

layer(Client.layer)("a body", (it) => {
  it.effect("holds the names that were sent, whatever shapes V8 knows", () =>
    Effect.gen(function*() {
      const ask = yield* Client
      for (const [first, name] of [["a", String.raw`x\"`], ["b", String.raw`x\n`], ["c", String.raw`x\\`]]) {
        // V8 expects the one name that it has seen behind this one.
        JSON.parse(`{"${first}":1,"x\\\\":2}`)
        const sent = `{"names":{"${first}":1,"${name}":2}}`
        assert.deepStrictEqual(yield* ask(sent), { status: 200, text: sent })
      }
    }))

  it.effect.each(
    [
      ["", "Expected a JSON object with the fields of this operation; they stand in /openapi.json"],
      ["[]", "Expected a JSON object with the fields of this operation; they stand in /openapi.json"],
      ["{", "Expected a valid JSON body"],
      [`{"a\\n":1,}`, "Expected a valid JSON body"],
      [`{"a\\n":`.repeat(100_000), "Expected a valid JSON body"]
    ] as const
  )("%j is refused as Effect does it", ([body, message]) =>
    Effect.gen(function*() {
      const { status, text } = yield* (yield* Client)(body)
      assert.strictEqual(status, 400)
      assert.include(text, `"message":"body: ${message}"`)
    }))

  it.effect("of another type is not read as JSON", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* (yield* Client)("{", "text/plain"), { status: 200, text: "\"{\"" })
      assert.strictEqual((yield* (yield* Client)("{}", "application/xml")).status, 415)
    }))

  it("leaves the contract as it is", () => {
    const before = JSON.stringify(OpenApi.fromApi(api))
    readAnswers(api)
    HttpApiBuilder.group(
      api,
      "notes",
      (handlers) =>
        handlers.handleAll({ create: () => Effect.succeed(""), keep: ({ payload }) => Effect.succeed(payload), drop: () => Effect.void })
    )
    assert.strictEqual(JSON.stringify(OpenApi.fromApi(api)), before)
    assert.strictEqual(api.groups.notes.endpoints.keep.payload.get("application/json")?.encoding._tag, "Json")
  })
})
