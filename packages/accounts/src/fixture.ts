/** The routes of this package in memory, for tests: requests go in as `fetch` makes them, whole responses come out. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as CardNumberGuard from "@svc/kernel/http/card-number-guard"
import * as SchemaErrors from "@svc/kernel/http/schema-errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { Committer } from "@svc/kernel/road/committer"
import { Journal, Outbox } from "@svc/kernel/road/sink"
import { parseJson } from "@svc/kernel/values/json"
import * as email from "@svc/platform/email/service"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Context, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpRouter, HttpServer, type HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { layerStoreMemory } from "effect/persistence/RateLimiter"
import { Authorization as KernelAuthorization } from "./access/api.ts"
import { type ApiKeyScope, SignedIn, type SignedInPerson, ToolScopes } from "./access/model.ts"
import { AccountsGroup, OperatorAccountsGroup } from "./accounts/api.ts"
import * as AccountsHttp from "./accounts/http.ts"
import { Accounts } from "./accounts/service.ts"
import { AgentKeysGroup } from "./agent-keys/api.ts"
import * as AgentKeysHttp from "./agent-keys/http.ts"
import { ApiKeysGroup } from "./api-keys/api.ts"
import * as Authorization from "./api-keys/authorization.ts"
import * as ApiKeysHttp from "./api-keys/http.ts"
import { RequestLimit } from "./api-keys/rate-limit.ts"
import { ApiKeys } from "./api-keys/service.ts"
import { AuditLogGroup } from "./audit-log/api.ts"
import * as AuditLogHttp from "./audit-log/http.ts"
import { accounts } from "./layer.ts"
import { LegalEntitiesGroup, OperatorLegalEntitiesGroup } from "./legal-entities/api.ts"
import * as LegalEntitiesHttp from "./legal-entities/http.ts"
import { OperatorPeopleGroup, PeopleGroup } from "./people/api.ts"
import * as PeopleHttp from "./people/http.ts"
import { OperatorPersonSessionsGroup, PersonSessionsGroup } from "./sessions/api.ts"
import * as SessionsHttp from "./sessions/http.ts"
import { TestClocksGroup } from "./test-clocks/api.ts"
import * as TestClocksHttp from "./test-clocks/http.ts"

/** Assembled apart from the handlers, as a server does it. */
export class Api
  extends HttpApi.make("svc").add(AccountsGroup).add(OperatorAccountsGroup).add(ApiKeysGroup).add(AgentKeysGroup).add(TestClocksGroup).add(
    LegalEntitiesGroup
  ).add(OperatorLegalEntitiesGroup).add(AuditLogGroup).add(PeopleGroup).add(OperatorPeopleGroup).add(PersonSessionsGroup).add(
    OperatorPersonSessionsGroup
  )
{}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body read as JSON; whoever reads it says what it expects. */
  readonly json: unknown
}

export interface TestRequest {
  readonly key?: Redacted.Redacted<string> | string
  /** Who is signed in, in the place of a key. */
  readonly person?: SignedInPerson
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Client extends Context.Service<Client, {
  readonly send: (method: string, path: string, asked?: TestRequest) => Effect.Effect<Answer>
}>()("@svc/accounts/fixture/Client") {}

/** An endpoint that names no scope, as no route of the service should. */
const Unscoped = HttpApi.make("svc").add(
  HttpApiGroup.make("unscoped").add(HttpApiEndpoint.get("get", "/unscoped")).middleware(KernelAuthorization)
)
const unscoped = HttpApiBuilder.layer(Unscoped).pipe(
  Layer.provide(HttpApiBuilder.group(Unscoped, "unscoped", (handlers) => handlers.handle("get", () => Effect.void)))
)

const routes = HttpApiBuilder.layer(Api, { openapiPath: "/openapi.json" }).pipe(
  Layer.provide([
    AccountsHttp.layer,
    ApiKeysHttp.layer,
    AgentKeysHttp.layer,
    TestClocksHttp.layer,
    LegalEntitiesHttp.layer,
    AuditLogHttp.layer,
    PeopleHttp.layer,
    SessionsHttp.layer
  ]),
  Layer.provide([CardNumberGuard.layer, SchemaErrors.layer])
)

const client = Layer.effect(
  Client,
  Effect.gen(function*() {
    const app = yield* HttpRouter.toHttpEffect(Layer.merge(routes, unscoped))
    // The clock of the test is part of this context.
    const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(yield* Effect.context<never>())(
      app
    )
    return {
      send: Effect.fnUntraced(function*(method: string, path: string, { body, headers, key, person }: TestRequest = {}) {
        const request = new Request(`http://svc.test${path}`, {
          method,
          headers: {
            ...(key === undefined ? {} : { authorization: `Bearer ${typeof key === "string" ? key : Redacted.value(key)}` }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const response = yield* Effect.promise(() => handle(request, person === undefined ? undefined : Context.make(SignedIn, person)))
        const text = yield* Effect.promise(() => response.text())
        const json: unknown = text.startsWith("{") ? parseJson(text) : undefined
        return { status: response.status, headers: response.headers, text, json }
      })
    }
  })
)

/** Some tools, as the tool server has them. */
export const toolScopes: ReadonlyMap<string, ReadonlyArray<ApiKeyScope>> = new Map([
  ["svc_validate", []],
  ["get_quote", ["quotes:write"]],
  ["execute_payment", ["payment_intents:write"]],
  ["assemble_representment", ["disputes:read", "disputes:write"]]
])

/** The road for what is neither money nor told by webhooks, as everything of this package is. */
export const layerRoad = Idempotency.layer.pipe(Layer.provideMerge(Committer.layer), Layer.provide([Journal.layerNone, Outbox.layerNone]))

/** Routes, services and middleware over a database. */
export const layer = client.pipe(
  Layer.provideMerge(Authorization.layer),
  Layer.provide(email.layerNone),
  Layer.provide(RequestLimit.layer),
  Layer.provideMerge(accounts.services),
  Layer.provide(Layer.succeed(ToolScopes, toolScopes)),
  Layer.provide(layerRoad),
  Layer.provide(Layer.sync(Keyring, () => Keyring.make([{ id: "test", bytes: Redacted.make(new Uint8Array(32)) }]))),
  Layer.provide([layerStoreMemory, HttpServer.layerServices, SecureRandom.layerWebCrypto])
)

/** A sandbox account with its first secret key. */
export const open = Effect.gen(function*() {
  const accounts = yield* Accounts
  return yield* accounts.create({ name: "Acme", sandbox: true })
})

/** The secret of a new operator key. */
export const operator = Effect.gen(function*() {
  const keys = yield* ApiKeys
  return (yield* keys.issue({ accountId: null, kind: "operator", name: "Console", scopes: [] })).secret
})

/** Reads a body. Strict: a field that the schema does not name would be a leak. */
export const reads = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownSync(Schema.toCodecJson(schema), { onExcessProperty: "error" })
  return ({ json }: Answer): A => decode(json)
}

export const readError = reads(Schema.Struct({
  error: Schema.String,
  message: Schema.String,
  code: Schema.optionalKey(Schema.String),
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
}))

/** All that a caller can see of an answer, but for how many requests are left. */
export const seen = ({ headers, status, text }: Answer) => {
  const { "ratelimit-remaining": _, ...others } = Object.fromEntries(headers)
  return { status, text, headers: others }
}
