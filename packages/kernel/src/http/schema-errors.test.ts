import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import type { Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiBuilder from "./api-builder.ts"
import * as SchemaErrors from "./schema-errors.ts"
import { strict } from "./strict.ts"

const Color = Schema.Literals(["red", "green"]).annotate({ identifier: "PaintColor" })
const Twenty = Schema.Literals(Array.from({ length: 20 }, (_, n) => `v${n}`)).annotate({ identifier: "Twenty" })
const TwentyThree = Schema.Literals(Array.from({ length: 23 }, (_, n) => `v${n}`)).annotate({ identifier: "TwentyThree" })
const fields = {
  color: Schema.optionalKey(Color),
  plain: Schema.optionalKey(Schema.Literals(["a", "b"])),
  per_page: Schema.optionalKey(Schema.String),
  size: Schema.optionalKey(Schema.Literals([1, 2]).annotate({ identifier: "Size" })),
  twenty: Schema.optionalKey(Twenty),
  many: Schema.optionalKey(TwentyThree),
  own: Schema.optionalKey(Color.annotate({ message: "must be a color we stock" }))
}
const Body = Schema.Struct({
  ...fields,
  wanted: Schema.NullOr(Color),
  colors: Schema.optionalKey(Schema.Array(Color)),
  nested: Schema.optionalKey(Schema.Struct({ color: Color })),
  either: Schema.optionalKey(Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Schema.String })]))
}).annotate({ identifier: "PaintBody" })

class Paint extends HttpApiGroup.make("paint").add(
  HttpApiEndpoint.get("list", "/paint", { query: fields, success: Schema.String }),
  HttpApiEndpoint.post("mix", "/paint", { payload: Body, success: Schema.String })
).middleware(SchemaErrors.SchemaErrors).annotateMerge(strict) {}
const api = HttpApi.make("test").add(Paint)

const Refusal = Schema.Struct({
  error: Schema.Literal("validation_error"),
  code: Schema.String,
  message: Schema.String,
  details: Schema.Struct({ in: Schema.String, issues: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String })) })
})
const decode = Schema.decodeEffect(Schema.fromJsonString(Refusal))

class Client extends Context.Service<Client, (request: Request) => Effect.Effect<typeof Refusal.Type, Schema.SchemaError>>()(
  "@svc/kernel/schema-errors.test/Client"
) {
  static readonly layer = Layer.effect(
    Client,
    Effect.gen(function*() {
      const handlers = HttpApiBuilder.group(
        api,
        "paint",
        (handlers) => Effect.succeed(handlers.handleAll({ list: () => Effect.succeed("fine"), mix: () => Effect.succeed("fine") }))
      )
      const app = yield* HttpRouter.toHttpEffect(HttpApiBuilder.layer(api).pipe(Layer.provide(handlers), Layer.provide(SchemaErrors.layer)))
      const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(yield* Effect.context<never>())(
        app
      )
      return Effect.fnUntraced(function*(request: Request) {
        const response = yield* Effect.promise(() => handle(request))
        assert.strictEqual(response.status, 400)
        return yield* decode(yield* Effect.promise(() => response.text()))
      })
    })
  ).pipe(Layer.provide(HttpServer.layerServices))
}

const query = (search: string) => new Request(`http://svc.test/paint?${search}`)
const body = (json: unknown) =>
  new Request("http://svc.test/paint", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(json) })
const colors = "Expected one of \"red\", \"green\""
const v = (count: number) => Array.from({ length: count }, (_, n) => `"v${n}"`).join(", ")

layer(Client.layer)("refusals of a request schema", (it) => {
  it.effect.each<readonly [name: string, request: () => Request, place: string, code: string, message: string]>([
    ["an enum of a query", () => query("color=blue"), "query", "color", colors],
    ["an enum without a name", () => query("plain=c"), "query", "plain", "Expected one of \"a\", \"b\""],
    ["an enum of numbers", () => query("size=3"), "query", "size", "Expected one of 1, 2"],
    ["the longest enum that is listed whole", () => query("twenty=x"), "query", "twenty", `Expected one of ${v(20)}`],
    ["a longer enum", () => query("many=x"), "query", "many", `Expected one of ${v(20)} and 3 more`],
    ["an enum with a message of its own", () => query("own=blue"), "query", "own", "must be a color we stock"],
    ["an enum of a body", () => body({ wanted: null, color: "blue" }), "body", "color", colors],
    ["another type where an enum is", () => body({ wanted: null, color: { a: 1 } }), "body", "color", colors],
    ["an enum that may be null", () => body({ wanted: 5 }), "body", "wanted", `${colors}, null`],
    ["another text where an enum may be null", () => body({ wanted: "blue" }), "body", "wanted", colors],
    ["an enum in a list", () => body({ wanted: null, colors: ["red", "blue"] }), "body", "colors.1", colors],
    ["an enum in an object", () => body({ wanted: null, nested: { color: "blue" } }), "body", "nested.color", colors],
    [
      "a body that is no object",
      () => body([]),
      "body",
      "body",
      "Expected a JSON object with the fields of this operation; they stand in /openapi.json"
    ],
    ["a field that is missing", () => body({}), "body", "wanted", "is required"],
    ["a field that is not known", () => query("shape=red"), "query", "shape", "is not known here; check its spelling"],
    ["a name that is near a known one", () => query("colour=red"), "query", "colour", "is not known here; did you mean color?"],
    ["a name in another spelling", () => query("perPage=5"), "query", "perPage", "is not known here; did you mean per_page?"],
    ["a name that other APIs have", () => query("limit=5"), "query", "limit", "is not known here; did you mean per_page?"],
    [
      "a name of a body that is near",
      () => body({ wanted: null, nestd: {} }),
      "body",
      "nestd",
      "is not known here; did you mean nested?"
    ],
    ["a union of other things", () => body({ wanted: null, either: 5 }), "body", "either", "Expected object"]
  ])("name the field and what it takes: %s", ([, request, place, code, message]) =>
    Effect.gen(function*() {
      const refused = yield* (yield* Client)(request())
      assert.deepStrictEqual(refused, {
        error: "validation_error",
        code,
        message: `${code}: ${message}`,
        details: { in: place, issues: [{ code, message }] }
      })
    }))

  it.effect("lists every issue, twenty at most", () =>
    Effect.gen(function*() {
      const client = yield* Client
      const some = yield* client(body({ wanted: "blue", color: "blue", colors: ["x"] }))
      assert.deepStrictEqual(some.details.issues.map(({ code }) => code).sort(), ["color", "colors.0", "wanted"])
      const many = yield* client(body({ wanted: null, colors: Array.from({ length: 50 }, () => "blue") }))
      assert.deepStrictEqual(many.details.issues.map(({ message }) => message), Array.from({ length: 20 }, () => colors))
    }))
})
