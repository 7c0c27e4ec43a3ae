/**
 * The one way out. Every request to an address somebody else chose goes through here: webhooks to
 * merchants' endpoints, and by `web.ts` what the callers of tools name. No connection is made to
 * an address that is not public, under any spelling, DNS answer or redirect, unless the policy names it.
 */
import * as NodeDns from "@effect/platform-node/NodeDns"
import { Context, Effect, Layer, Result } from "effect"
import type * as Dns from "effect/net/Dns"
import type { EgressError, EgressPolicy, EgressRequest, EgressResponse } from "./model.ts"
import { checkUrl } from "./rules.ts"
import { fromRefusal, makeSend } from "./transport.ts"

export class Egress extends Context.Service<Egress, {
  /**
   * Sends a POST and answers with whatever status came back; redirects are not followed. A header name
   * or value that HTTP does not allow is a defect.
   */
  post(request: EgressRequest): Effect.Effect<EgressResponse, EgressError>
}>()("@svc/kernel/Egress") {}

/** Reading what the operator's configuration names, under the same rules as everything else that leaves. */
export class Download extends Context.Service<Download, {
  /** Answers with whatever status came back; redirects are not followed. */
  get(request: Omit<EgressRequest, "body">): Effect.Effect<EgressResponse, EgressError>
}>()("@svc/kernel/Download") {}

/** What the guard passes is sent. */
const guarded = Effect.fnUntraced(function*(policy: EgressPolicy) {
  const send = yield* makeSend(policy)
  return (request: EgressRequest, method: "GET" | "POST"): Effect.Effect<EgressResponse, EgressError> => {
    const url = checkUrl(request.url, policy)
    return Result.isFailure(url)
      ? Effect.fail(fromRefusal(url.failure))
      : send(url.success, request, method)
  }
})

/** Egress under a policy, on a resolver of your choice. A policy with an invalid entry is a defect. */
export const layerNoDeps = (policy: EgressPolicy): Layer.Layer<Egress, never, Dns.Dns> =>
  Layer.effect(Egress, Effect.map(guarded(policy), (send) => ({ post: (request) => send(request, "POST") })))

/** The same for what is read. */
export const layerDownload = (policy: EgressPolicy): Layer.Layer<Download> =>
  Layer.effect(Download, Effect.map(guarded(policy), (send) => ({ get: (request) => send({ ...request, body: "" }, "GET") }))).pipe(
    Layer.provide(NodeDns.layer)
  )

/** Egress under a policy, on the operating system's resolver. */
export const layer = (policy: EgressPolicy): Layer.Layer<Egress> => Layer.provide(layerNoDeps(policy), NodeDns.layer)
