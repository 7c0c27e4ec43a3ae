/** The handlers of the test clock routes. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller } from "../access/model.ts"
import { TestClocksGroup } from "./api.ts"
import { TestClock } from "./model.ts"
import { TestClocks } from "./service.ts"

const api = HttpApi.make("svc").add(TestClocksGroup)

const encode = Schema.encodeSync(TestClock)

export const layer = HttpApiBuilder.group(
  api,
  "test_clocks",
  Effect.fnUntraced(function*(handlers) {
    const service = yield* TestClocks
    const account = Effect.map(Caller, (caller) => caller.account)
    return handlers.handleAll({
      create: Effect.fnUntraced(function*() {
        const { clock, created } = yield* service.create(yield* account)
        return HttpServerResponse.jsonUnsafe(encode(clock), { status: created ? 201 : 200 })
      }),
      list: ({ query }) => Effect.flatMap(account, ({ id }) => listOwn(id, query, service.list(id, query))),
      get: ({ params }) => Effect.flatMap(account, ({ id }) => service.get(id, params.id)),
      cancel: ({ params }) => Effect.flatMap(account, ({ id }) => service.cancel(id, params.id)),
      remove: ({ params }) => Effect.flatMap(account, ({ id }) => service.remove(id, params.id)),
      advance: ({ params, payload }) => Effect.flatMap(account, ({ id }) => service.advance(id, params.id, payload.to))
    })
  })
)
