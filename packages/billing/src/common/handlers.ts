/** Handlers of verbs that act on the version which the caller has read, from the body of the request or its header `If-Match`. */
import { Caller } from "@svc/accounts/access/model"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The version from the body or the header. Fails with code `version` where the two differ. */
export const versionRead = (request: HttpServerRequest.HttpServerRequest, version?: number) =>
  Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(version, header)))

interface AskedOfOne {
  readonly params: { readonly id: string }
  readonly request: HttpServerRequest.HttpServerRequest
}

/** The handler of a verb on one resource of the caller, at the version of the header where the request has one. */
export const atVersionRead =
  <A, E, R>(verb: (account: string, id: string, version?: number) => Effect.Effect<A, E, R>) => ({ params, request }: AskedOfOne) =>
    Effect.flatMap(Caller, ({ account }) => Effect.flatMap(versionRead(request), (version) => verb(account.id, params.id, version)))
