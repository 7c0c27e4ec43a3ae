/** The payment method routes over their services, for tests: requests go in as `fetch` makes them. */
import { Authorization } from "@svc/accounts/access/api"
import { Caller } from "@svc/accounts/access/model"
import type { AccountFacts } from "@svc/accounts/access/model"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as CardNumberGuard from "@svc/kernel/http/card-number-guard"
import { KeptAnswers } from "@svc/kernel/http/kept-answers"
import * as SchemaErrors from "@svc/kernel/http/schema-errors"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { Unauthorized } from "@svc/kernel/resource/errors"
import { openHead } from "@svc/kernel/road/heads"
import { nextId } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { iso, now } from "@svc/kernel/values/time"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { SqlClient } from "effect/sql"
import { PaymentMethodsGroup } from "./api.ts"
import * as Http from "./http.ts"
import type { PaymentMethods } from "./service.ts"

/** Opens an account with empty books. */
export const openAccount = Effect.fnUntraced(
  function*(kind: "sandbox" | "live" = "sandbox"): Effect.fn.Return<AccountFacts, never, SqlClient.SqlClient> {
    const sql = yield* SqlClient.SqlClient
    const id = yield* nextId("acct")
    const at = iso(yield* now)
    const sandbox = kind === "sandbox"
    yield* Effect.orDie(
      sql`INSERT INTO accounts (id, name, status, sandbox, capabilities, restrictions, settings, created_at, updated_at, version)
    VALUES (${id}, 'Test', 'active', ${sandbox}, '["charges","payouts"]'::jsonb, '[]'::jsonb, '{}'::jsonb, ${at}::timestamptz, ${at}::timestamptz, 1)`
    )
    yield* Effect.orDie(openHead(id))
    return {
      id,
      sandbox,
      status: "active",
      capabilities: ["charges", "payouts"],
      restrictions: [],
      fee_tier_bps: null,
      settings: defaultSettings,
      api_version: CURRENT_API_VERSION
    }
  }
)

/** The key of an account here is its id, `live ` before it for a live one. */
const authorization = Layer.succeed(Authorization, {
  secret_key: (handler, { credential }) => {
    const [, live, id] = /^(live\.)?(acct_.+)$/.exec(Redacted.value(credential)) ?? []
    if (id === undefined) return Effect.fail(new Unauthorized({ message: "no such key" }))
    const account: AccountFacts = {
      id,
      sandbox: live === undefined,
      status: "active",
      capabilities: ["charges", "payouts"],
      restrictions: [],
      fee_tier_bps: null,
      settings: defaultSettings,
      api_version: CURRENT_API_VERSION
    }
    return Effect.provideService(handler, Caller, { account, keyId: id, kind: "secret" })
  }
})

/** Assembled apart from the handlers, as a server does it. */
class Api extends HttpApi.make("svc").add(PaymentMethodsGroup) {}

const routes = HttpApiBuilder.layer(Api).pipe(
  Layer.provide(Http.layer),
  Layer.provide([authorization, SchemaErrors.layer, CardNumberGuard.layer, Layer.succeed(KeptAnswers, (handler) => handler)])
)

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface TestRequest {
  readonly account: AccountFacts
  /** Sent as JSON, or as it is when it is a text. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Client extends Context.Service<Client, {
  readonly send: (method: string, path: string, asked: TestRequest) => Effect.Effect<Answer>
}>()("@svc/payments/fixture/Client") {}

const parse = (text: string): Readonly<Record<string, unknown>> => {
  const json: unknown = text === "" ? {} : parseJson(text)
  return typeof json === "object" && json !== null ? { ...json } : {}
}

const client = Layer.effect(
  Client,
  Effect.gen(function*() {
    const app = yield* HttpRouter.toHttpEffect(routes)
    const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(yield* Effect.context<never>())(
      app
    )
    return {
      send: Effect.fnUntraced(function*(method: string, path: string, { account, body, headers }: TestRequest) {
        const init = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }
        const request = new Request(`http://svc.test${path}`, {
          method,
          headers: {
            authorization: `Bearer ${account.sandbox ? "" : "live."}${account.id}`,
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...init
        })
        const response = yield* Effect.promise(() => handle(request))
        const text = yield* Effect.promise(() => response.text())
        return { status: response.status, headers: response.headers, text, json: parse(text) }
      })
    }
  })
)

/** What remains to be given are the services. */
export const layer: Layer.Layer<Client, never, PaymentMethods> = Layer.provide(client, HttpServer.layerServices)
