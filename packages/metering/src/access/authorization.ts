/**
 * What stands before every route of the tool server that needs a key: who asks, and how often. Its answers say where the account stands.
 */
import { actorOf, type ToolCaller } from "@svc/accounts/access/model"
import { ToolCallers } from "@svc/accounts/tool-callers/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { Actor } from "@svc/kernel/parts/actor"
import { RateLimited, Unauthorized } from "@svc/kernel/resource/errors"
import { Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CallLimit } from "../rate-limits/call-limit.ts"
import { creditHeaders } from "../tool-calls/credit-summary.ts"
import { Meter } from "../tool-calls/service/meter.ts"
import { ToolAuthorization } from "./api.ts"
import { bearerOf, CurrentCaller } from "./model.ts"

const withHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))

const refused = (detail: string) =>
  Effect.andThen(
    withHeaders({ "www-authenticate": "Bearer" }),
    Effect.fail(
      new Unauthorized({
        message: `The key does not open this. ${detail} POST /v1/accounts or POST /v1/agents/signup gives a key at once.`
      })
    )
  )

const missing = "There is none: send Authorization: Bearer, or X-Svc-Key, followed by it."

export const layer = Layer.effect(
  ToolAuthorization,
  Effect.gen(function*() {
    const callers = yield* ToolCallers
    const limit = yield* CallLimit
    const meter = yield* Meter
    const { inTimeOf } = yield* accountTime

    const says = ({ account }: ToolCaller) => Effect.flatMap(meter.summary(account.id), (summary) => withHeaders(creditHeaders(summary)))

    const recognise = Effect.fnUntraced(function*({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) {
      const token = headers["x-svc-key"] ?? bearerOf(headers["authorization"])
      if (token === undefined) return yield* refused(missing)
      const caller = yield* Effect.catchTag(callers.find(token), "ToolKeyRefused", ({ detail }) => refused(detail))
      const retry_after = yield* limit.take(caller, Option.getOrUndefined(remoteAddress))
      if (retry_after !== undefined) {
        yield* says(caller)
        return yield* new RateLimited({
          message: `Too many requests with this key. Wait ${retry_after} s and send again.`,
          details: { retry_after }
        })
      }
      return caller
    })

    const admitted = <A, E, R>(handler: Effect.Effect<A, E, R>, caller: ToolCaller) =>
      says(caller).pipe(
        Effect.andThen(Effect.provideService(handler, CurrentCaller, caller)),
        Effect.provideService(Actor, actorOf(caller)),
        caller.clocked ? inTimeOf(caller.account.id) : (inTime) => inTime
      )

    return {
      tool_key: (handler) =>
        Effect.flatMap(
          HttpServerRequest.HttpServerRequest,
          (request) => Effect.flatMap(recognise(request), (caller) => admitted(handler, caller))
        )
    }
  })
)
