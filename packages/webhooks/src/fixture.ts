/** What the tests of this package share: accounts, events committed on the road, and the routes in memory. */
import { Authorization } from "@svc/accounts/access/api"
import { Caller } from "@svc/accounts/access/model"
import { DerivedColumns } from "@svc/accounts/accounts/repository"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import { AttentionSources } from "@svc/accounts/attention/repository"
import type { DatabaseConfig } from "@svc/kernel/database/client"
import * as Database from "@svc/kernel/database/client"
import { type EgressPolicy, InstalledPolicy } from "@svc/kernel/egress/model"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as CardNumberGuard from "@svc/kernel/http/card-number-guard"
import { KeptAnswers } from "@svc/kernel/http/kept-answers"
import * as SchemaErrors from "@svc/kernel/http/schema-errors"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { Unauthorized } from "@svc/kernel/resource/errors"
import { openAccount } from "@svc/kernel/road/account-fixture"
import { Committer } from "@svc/kernel/road/committer"
import { Journal } from "@svc/kernel/road/sink"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { Clock, Context, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { HttpEffect, HttpRouter, HttpServer, type HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { DeliveriesGroup } from "./deliveries/api.ts"
import { WorkerClient } from "./deliveries/connection.ts"
import { DeliveryQueue } from "./deliveries/queue.ts"
import { WebhookEndpointGroup } from "./endpoints/api.ts"
import { EventsGroup } from "./events/api.ts"
import { type EventType, KnownEventTypes } from "./events/model.ts"
import { outbox, webhooks } from "./layer.ts"

/** What the tests emit. */
const emitted: ReadonlySet<string> = new Set([
  "payment_intent.created",
  "payment_intent.captured",
  "payment_intent.refunded",
  "payment_intent.failed",
  "order.fulfilled"
])

/** Receivers of the tests listen on loopback. */
export const policy: EgressPolicy = { allow: ["127.0.0.1"] }

export { openAccount }

export interface TestEvent {
  readonly type?: EventType
  /** Deliveries of one resource go out in order. */
  readonly resource: string
  /** JSON text. */
  readonly data?: string
}

/** Commits events the way every state change does. */
export const emit = Effect.fnUntraced(function*(account: string, events: ReadonlyArray<TestEvent>) {
  const committer = yield* Committer
  yield* committer.commit({
    account_id: account,
    at: yield* now,
    cause: "test",
    writes: [],
    entries: [],
    events: events.map(({ data, resource, type = "payment_intent.captured" }) => ({
      type,
      resource_type: "payment_intent",
      resource_id: resource,
      resource_version: 1,
      data: data ?? JSON.stringify({ id: resource })
    })),
    set: [],
    clear: []
  })
})

/** Assembled apart from the handlers, as a server does it. */
export class Api extends HttpApi.make("svc").add(EventsGroup).add(WebhookEndpointGroup).add(DeliveriesGroup) {}

/** The bearer token of a test is the account's id. */
const authorization = Layer.succeed(Authorization, {
  secret_key: (handler, { credential }) => {
    const id = Redacted.value(credential)
    return id.startsWith("acct_")
      ? Effect.provideService(handler, Caller, {
        account: {
          id,
          sandbox: true,
          status: "active",
          capabilities: ["charges", "payouts"],
          restrictions: [],
          fee_tier_bps: null,
          settings: defaultSettings,
          api_version: CURRENT_API_VERSION
        },
        keyId: "key_test",
        kind: "secret"
      })
      : Effect.fail(new Unauthorized({ message: "no such account" }))
  }
})

export interface Answer {
  readonly status: number
  readonly text: string
  /** The body read as JSON; whoever reads it says what it expects. */
  readonly json: unknown
}

export interface TestRequest {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Client extends Context.Service<Client, {
  readonly send: (account: string, method: string, path: string, asked?: TestRequest) => Effect.Effect<Answer>
}>()("@svc/webhooks/fixture/Client") {
  static readonly layer = Layer.effect(
    Client,
    Effect.gen(function*() {
      const app = yield* HttpRouter.toHttpEffect(
        HttpApiBuilder.layer(Api).pipe(
          Layer.provide(webhooks.routes),
          Layer.provide([authorization, SchemaErrors.layer, CardNumberGuard.layer, Layer.succeed(KeptAnswers, (handler) => handler)])
        )
      )
      // The clock of the test is part of this context.
      const handle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(yield* Effect.context<never>())(
        app
      )
      return {
        send: Effect.fnUntraced(function*(account: string, method: string, path: string, { body, headers }: TestRequest = {}) {
          const response = yield* Effect.promise(() =>
            handle(
              new Request(`http://svc.test/v1${path}`, {
                method,
                headers: {
                  authorization: `Bearer ${account}`,
                  ...(body === undefined ? {} : { "content-type": "application/json" }),
                  ...headers
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) })
              })
            )
          )
          const text = yield* Effect.promise(() => response.text())
          const json: unknown = text.startsWith("{") ? parseJson(text) : undefined
          return { status: response.status, text, json }
        })
      }
    })
  ).pipe(Layer.provide(HttpServer.layerServices))
}

/** Connections close and idle on real time: nobody moves the clock of a test while its layers close. */
const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

/** Services, routes, the queue and the commit road, over the database of a test. */
export const layer = <E, R>(database: Layer.Layer<DatabaseConfig, E, R>) =>
  Client.layer.pipe(
    Layer.provideMerge(Layer.provide(webhooks.services, [DerivedColumns.layer, AttentionSources.layer])),
    Layer.provideMerge(Layer.provide(Committer.layer, [realTime, Journal.layerNone])),
    Layer.provideMerge(outbox),
    Layer.provideMerge(Layer.merge(DeliveryQueue.layer, Layer.succeed(InstalledPolicy, policy))),
    Layer.provide(Layer.succeed(KnownEventTypes, emitted)),
    Layer.provideMerge(Layer.merge(Database.layer, WorkerClient.layer).pipe(Layer.provideMerge(database), Layer.provide(realTime)))
  )

/** Reads an answer as what it promises to be. */
export const decode = <S extends Schema.Decoder<unknown>>(schema: S) => (answer: Answer) =>
  Effect.orDie(Schema.decodeUnknownEffect(Schema.toCodecJson(schema), { onExcessProperty: "error" })(answer.json))
