/** Who calls by `POST /rpc`: the key stands in the headers of the message or of HTTP, the address is that of the connection. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { keyIn } from "@svc/metering/access/model"
import { countUnpaid } from "@svc/paywall/gate/call-metrics"
import { Gate } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { Site } from "@svc/tool-kit/services/site"
import { CurrentCaller, Identified } from "@svc/tool-kit/typed/caller"
import { KeyRefused, ToolServerFailed } from "@svc/tool-kit/typed/errors"
import { Effect, Layer, Option, Predicate, Record } from "effect"
import { HttpServerRequest } from "effect/http"

export const PATH = "/rpc"

/**
 * A message has headers of its own, which stand in the place of those of HTTP: they say which key and terms a call has. What the connection
 * says is never read from them.
 */
const addressOf = Effect.map(
  Effect.serviceOption(HttpServerRequest.HttpServerRequest),
  (request) => Option.getOrUndefined(Option.flatMap(request, ({ remoteAddress }) => remoteAddress))
)

export const layer = Layer.effect(
  Identified,
  Effect.gen(function*() {
    const [gate, { tools_url }] = [yield* Gate, yield* Site]

    const callerOf = (tool: string, key: string) =>
      gate.recognise(key).pipe(
        Effect.tapError((refused) => Effect.sync(() => countUnpaid(tool, refused))),
        Effect.mapError(({ message }) => new KeyRefused({ code: "INVALID_KEY", message, retryable: false })),
        Effect.catchDefect((defect) => {
          const { data: { retryable }, message } = refuse("INTERNAL", "")
          const failed = new ToolServerFailed({ code: "INTERNAL", message, retryable })
          return Effect.andThen(Effect.logError("the key of a call was not looked up", defect), Effect.fail(failed))
        })
      )

    return Identified.of((handler, { headers: sent, rpc }) => {
      // They are JSON, which holds what its sender likes: values of other types are passed over.
      const headers = Record.filter(sent, Predicate.isString)
      const key = keyIn(headers)
      return Effect.flatMap(addressOf, (address) => {
        const calledBy = (caller: ToolCaller | undefined) =>
          Effect.provideService(handler, CurrentCaller, { caller, headers, address, url: `${tools_url}${PATH}` })
        return key === undefined ? calledBy(undefined) : Effect.flatMap(callerOf(rpc._tag, key), calledBy)
      })
    })
  })
)
