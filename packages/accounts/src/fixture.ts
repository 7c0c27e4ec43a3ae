/** The routes of this package in memory, for tests: requests go in as `fetch` makes them, whole responses come out. */
import * as SchemaErrors from "@svc/kernel/http/schema-errors"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpRouter, HttpServer, type HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { layerStoreMemory } from "effect/persistence/RateLimiter"
import { AccountsGroup, OperatorAccountsGroup } from "./accounts/api.ts"
import * as AccountsHttp from "./accounts/http.ts"
import { ApiKeysGroup } from "./api-keys/api.ts"
import * as Authorization from "./api-keys/authorization.ts"
import * as ApiKeysHttp from "./api-keys/http.ts"
import { RequestLimit } from "./api-keys/rate-limit.ts"
import * as Accounts from "./layer.ts"

/** Assembled apart from the handlers, as a server does it. */
export class Api extends HttpApi.make("svc").add(AccountsGroup).add(OperatorAccountsGroup).add(ApiKeysGroup) {}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body read as JSON; whoever reads it says what it expects. */
  readonly json: unknown
}

export interface Asked {
  readonly key?: Redacted.Redacted<string> | string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Client extends Context.Service<Client, {
  readonly send: (method: string, path: string, asked?: Asked) => Effect.Effect<Answer>
}>()("@svc/accounts/fixture/Client") {}

const routes = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([AccountsHttp.layer, ApiKeysHttp.layer]),
  Layer.provide([Authorization.layer, SchemaErrors.layer]),
  Layer.provide(RequestLimit.layer)
)

const client = Layer.effect(Client, Effect.gen(function*() {
  const app = yield* HttpRouter.toHttpEffect(routes)
  // The clock of the test is part of this context.
  const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(yield* Effect.context<never>())(app)
  return {
    send: Effect.fnUntraced(function*(method: string, path: string, { body, headers, key }: Asked = {}) {
      const request = new Request(`http://svc.test${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${typeof key === "string" ? key : Redacted.value(key)}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const response = yield* Effect.promise(() => handle(request))
      const text = yield* Effect.promise(() => response.text())
      const json: unknown = text.startsWith("{") ? JSON.parse(text) : undefined
      return { status: response.status, headers: response.headers, text, json }
    })
  }
}))

/** Routes, services and middleware over a database. */
export const layer = client.pipe(
  Layer.provideMerge(Accounts.layer),
  Layer.provide([layerStoreMemory, HttpServer.layerServices, SecureRandom.layerWebCrypto])
)
