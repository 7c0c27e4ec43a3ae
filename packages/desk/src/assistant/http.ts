/** The handlers of the assistant, and their second addresses. */
import { Caller } from "@svc/accounts/access/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { hash, randomUUID } from "node:crypto"
import { AssistantGroup } from "./api.ts"
import { routing } from "./route.ts"
import { Assistant } from "./service.ts"

/** The key of the route that is asked: the request's own key is that of its own answer. */
const routeKey = ({ headers }: HttpServerRequest.HttpServerRequest, account: string): string => {
  const key = headers["idempotency-key"]
  return key === undefined ? randomUUID() : `act-${hash("sha256", `${account} ${key}`)}`
}

const handlers = HttpApiBuilder.group(
  HttpApi.make("svc").add(AssistantGroup),
  "assistant",
  Effect.fnUntraced(function*(group) {
    const [assistant, ask] = [yield* Assistant, routing(yield* HttpRouter.HttpRouter)]
    return group.handleAll({
      ask: ({ payload }) => Effect.scoped(assistant.ask(payload, ask)),
      act: Effect.fnUntraced(function*({ payload, request }) {
        const { account: { id } } = yield* Caller
        return yield* Effect.scoped(assistant.act(id, payload, { key: routeKey(request, id), ask }))
      })
    })
  })
)

const alias = HttpRouter.use(Effect.fnUntraced(function*(router) {
  let app: ReturnType<HttpRouter.HttpRouter["asHttpEffect"]> | undefined
  for (const path of ["/assistant/ask", "/assistant/act"] as const) {
    yield* router.add("POST", path, (request) => {
      app ??= router.asHttpEffect()
      return Effect.provideService(Effect.orDie(app), HttpServerRequest.HttpServerRequest, request.modify({ url: `/v1${path}` }))
    })
  }
}))

export const layer = Layer.merge(handlers, alias)
