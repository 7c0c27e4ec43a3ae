/** The handler of the route of a call's state: a key, or the token that the address holds. */
import { ToolCallers } from "@svc/accounts/tool-callers/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { notFound, RateLimited, Unauthorized } from "@svc/kernel/resource/errors"
import { keyIn } from "@svc/metering/access/model"
import { CallLimit } from "@svc/metering/rate-limits/call-limit"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { CallsGroup } from "./api.ts"
import { CallStatuses } from "./service.ts"

const api = HttpApi.make("tools").add(CallsGroup)

export const layer = HttpApiBuilder.group(
  api,
  "calls",
  Effect.fnUntraced(function*(handlers) {
    const statuses = yield* CallStatuses
    const callers = yield* ToolCallers
    const limit = yield* CallLimit

    const accountOf = Effect.fnUntraced(
      function*(id: string, token: string | undefined, { headers, remoteAddress }: HttpServerRequest.HttpServerRequest) {
        const key = keyIn(headers)
        if (token === undefined && key === undefined) {
          return yield* new Unauthorized({
            message: "Nothing says who asks. Send the key of the account that called, or open the whole status_url, its token included."
          })
        }
        const caller = key === undefined || token !== undefined
          ? undefined
          : yield* Effect.mapError(
            callers.find(key),
            ({ detail }) => new Unauthorized({ message: `The key does not open this. ${detail}` })
          )
        const retry_after = yield* limit.take(caller, Option.getOrUndefined(remoteAddress))
        if (retry_after !== undefined) {
          return yield* new RateLimited({ message: `Too many requests. Wait ${retry_after} s and send again.`, details: { retry_after } })
        }
        return (token === undefined ? caller?.account.id : yield* statuses.accountOf(id, token)) ?? (yield* notFound("call"))
      }
    )

    return handlers.handleAll({
      status: Effect.fnUntraced(function*({ params, query, request }) {
        return yield* statuses.get(yield* accountOf(params.id, query.token, request), params.id)
      })
    })
  })
)
