/**
 * Requests to one server that the operator's configuration names, such as a language model's. It may stand in a private network. The
 * guard's other rules hold: no redirect is followed, no answer is read without a limit, no certificate goes unchecked.
 */
import * as NodeDns from "@effect/platform-node/NodeDns"
import { Effect, Result, type Scope } from "effect"
import { EgressError, type EgressResponse } from "./model.ts"
import { checkUrl } from "./rules.ts"
import { type EgressMethod, fromRefusal, makeSend, type SentRequest } from "./transport.ts"

export type ConfiguredServer = (request: SentRequest, method?: EgressMethod) => Effect.Effect<EgressResponse, EgressError>

/** `address` is any URL of the server: its host is exempt from the rule about private addresses, and no other host is called. */
export const makeConfiguredServer = Effect.fnUntraced(
  function*(address: string): Effect.fn.Return<ConfiguredServer, never, Scope.Scope> {
    const { host, hostname } = new URL(address)
    const policy = { allow: [hostname] }
    const send = yield* Effect.provide(makeSend(policy), NodeDns.layer)
    return (request, method = "POST") => {
      const url = checkUrl(request.url, policy)
      if (Result.isFailure(url)) return Effect.fail(fromRefusal(url.failure))
      if (url.success.host !== host) {
        return Effect.fail(new EgressError({ reason: "refused_address", message: `${url.success.host} is not ${host}` }))
      }
      return send(url.success, request, method)
    }
  }
)
