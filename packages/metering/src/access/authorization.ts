/**
 * What stands before every route of the tool server that needs a key: who asks, and how often. Its answers say where the account stands.
 */
import { actorOf, type ToolCaller } from "@svc/accounts/access/model"
import { ToolCallers } from "@svc/accounts/tool-callers/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { Actor } from "@svc/kernel/parts/actor"
import { RateLimited, Unauthorized } from "@svc/kernel/resource/errors"
import { networkOf } from "@svc/kernel/values/network"
import * as keptAnswers from "@svc/platform/kept-answers"
import { Context, Effect, Layer, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { CallLimit } from "../rate-limits/call-limit.ts"
import { creditHeaders } from "../tool-calls/credit-summary.ts"
import { Meter } from "../tool-calls/service/meter.ts"
import { ToolAuthorization } from "./api.ts"
import { AuthorizedCaller, keyIn } from "./model.ts"

const asksForKey = HttpEffect.appendPreResponseHandler((_request, response) =>
  Effect.succeed(HttpServerResponse.setHeader(response, "www-authenticate", "Bearer"))
)

const refused = (detail: string) =>
  Effect.andThen(
    asksForKey,
    Effect.fail(
      new Unauthorized({
        message: `The key does not open this. ${detail} POST /v1/accounts or POST /v1/agents/signup gives a key at once.`
      })
    )
  )

const missing = "There is none: send Authorization: Bearer, or X-Svc-Key, followed by it."

/** The owner of an idempotency key: the account of the caller, and where nobody needs a key the network that the request comes from. */
const keyOwner: Effect.Effect<keptAnswers.KeyOwner> = Effect.withFiber(({ context }) => {
  const caller = Option.getOrUndefined(Context.getOption(context, AuthorizedCaller))
  if (caller !== undefined) return Effect.succeed({ account: caller.account.id, credential: caller.credential.id })
  const request = Context.getOption(context, HttpServerRequest.HttpServerRequest)
  const address = Option.getOrElse(Option.flatMap(request, ({ remoteAddress }) => remoteAddress), () => "unknown")
  // The database stores a hash of the network, not the address.
  const network = createHash("sha256").update(networkOf(address)).digest("hex")
  return Effect.succeed({ account: `network ${network}`, credential: "", ownNamespace: true })
})

/** Authorization of the tool server's routes. */
export const layer = Layer.effect(
  ToolAuthorization,
  Effect.gen(function*() {
    const callers = yield* ToolCallers
    const limit = yield* CallLimit
    const meter = yield* Meter
    const { inTimeOf } = yield* accountTime

    const recognise = Effect.fnUntraced(function*({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) {
      const token = keyIn(headers)
      if (token === undefined) return yield* refused(missing)
      const caller = yield* Effect.catchTag(callers.find(token), "ToolKeyRefused", ({ detail }) => refused(detail))
      const retry_after = yield* limit.take(caller, Option.getOrUndefined(remoteAddress))
      if (retry_after !== undefined) {
        return yield* new RateLimited({
          message: `Too many requests with this key. Wait ${retry_after} s and send again.`,
          details: { retry_after }
        })
      }
      return caller
    })

    /** Says where the account stands by what is stored now, before the request changes it. A refusal says it as every other answer does. */
    const admitted = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>, caller: ToolCaller) =>
      meter.summary(caller.account.id).pipe(
        Effect.flatMap((summary) =>
          Effect.map(
            Effect.provideService(handler, AuthorizedCaller, caller),
            (response) => HttpServerResponse.setHeaders(response, creditHeaders(summary))
          )
        ),
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

/**
 * The answers that are kept for routes of the tool server. Each group that keeps answers is given this layer itself: brought to packages
 * above, it would stand in the place of that of the payments API, whose keys belong to merchants.
 */
export const answersOfCallers = keptAnswers.layer(keyOwner)
