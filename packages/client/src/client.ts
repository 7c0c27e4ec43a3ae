/**
 * The typed SDK of the payments API: one method an endpoint, derived from the contract that the server
 * serves, so that neither can drift from the other. `makeClient(...)` gives `client.payment_intents.create(...)`;
 * every refusal is a typed error of the kernel's `errors.ts`.
 */
import { Authorization, OperatorAuthorization } from "@svc/accounts/access/api"
import { IfMatch } from "@svc/kernel/http/if-match"
import { readAnswers } from "@svc/kernel/http/read-answers"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { contract } from "@svc/server/api"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"

/** The version of the API that this client speaks, whatever the version of the account: its types are those of this one. */
export const API_VERSION = CURRENT_API_VERSION

/** Where the service is and who calls it. */
export interface ClientOptions {
  /** Address of the payments API, such as `http://localhost:4000`. */
  readonly baseUrl: string
  /** `sk_…` or `rk_…` for an account; `ok_…` for the routes of the operator. */
  readonly secretKey: Redacted.Redacted<string> | string
}

/** Every group of the contract, by its name. An interface, so that declarations name it and do not repeat all of it. */
export interface Client extends HttpApiClient.ForApi<typeof contract> {}

const bearer = ({ secretKey }: ClientOptions) => {
  const key = typeof secretKey === "string" ? Redacted.make(secretKey) : secretKey
  return Layer.merge(
    HttpApiMiddleware.layerClient(Authorization, ({ next, request }) => next(HttpClientRequest.bearerToken(request, key))),
    HttpApiMiddleware.layerClient(OperatorAuthorization, ({ next, request }) => next(HttpClientRequest.bearerToken(request, key)))
  )
}

/** The version that requests are made for. */
class ExpectedVersion extends Context.Reference<number | undefined>("@svc/client/ExpectedVersion", { defaultValue: () => undefined }) {}

const encodeIfMatch = Schema.encodeSync(IfMatch)

const withVersion = (request: HttpClientRequest.HttpClientRequest) =>
  Effect.map(
    ExpectedVersion,
    (version) => version === undefined ? request : HttpClientRequest.setHeader(request, "if-match", encodeIfMatch(version))
  )

/**
 * Sends `If-Match` with a call: it acts only while the resource is at the version you read, and fails with `VersionConflict`
 * otherwise. For example `client.payment_intents.capture({ … }).pipe(ifMatch(intent.version))`.
 */
export const ifMatch = (version: number) => <A, E, R>(call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(call, ExpectedVersion, version)

/** The client for these options, upon the `HttpClient` of the environment. */
export const makeClient = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  HttpApiClient.make(readAnswers(contract), {
    transformClient: (client) =>
      client.pipe(
        HttpClient.mapRequest(HttpClientRequest.prependUrl(options.baseUrl)),
        HttpClient.mapRequest(HttpClientRequest.setHeader("api-version", API_VERSION)),
        HttpClient.mapRequestEffect(withVersion)
      )
  }).pipe(Effect.provide(bearer(options)))

/** The client as a service, for programs that have one account. */
export class SvcClient extends Context.Service<SvcClient, Client>()("@svc/client/SvcClient") {
  /** Upon `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<SvcClient> =>
    Layer.effect(SvcClient, makeClient(options)).pipe(Layer.provide(FetchHttpClient.layer))
}
