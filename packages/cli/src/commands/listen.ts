/** `svc listen`: a receiver for trying things out. It verifies each webhook and answers 200. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { verifyWebhook } from "@svc/client/webhooks"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { ServerConfig } from "@svc/server/config"
import { Clock, Console, type Context, DateTime, Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { connect } from "../connection.ts"
import { readCredentials } from "../credentials.ts"
import { CommandFailed, messageOf } from "../failure.ts"
import { type Json, print } from "../output.ts"

const addressOf = (port: number): string => `http://127.0.0.1:${port}/webhooks`

const Port = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 }))
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/

const EventHead = fromJsonText(Schema.Struct({ id: Schema.String, type: Schema.String }))
const readHead = Schema.decodeEffect(EventHead)
const decoder = new TextDecoder()

/** What came, in one line. A delivery that is not authentic is shown too: one wants to see why. */
const receive = Effect.fnUntraced(function*(given: Option.Option<Redacted.Redacted<string>>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = new Uint8Array(yield* request.arrayBuffer)
  const secret = Option.isSome(given) ? given.value : Redacted.make((yield* readCredentials).webhook_secret)
  const head = yield* readHead(decoder.decode(body)).pipe(Effect.orElseSucceed(() => ({ id: "-", type: "not an event" })))
  const problem = yield* verifyWebhook(body, request.headers, secret).pipe(Effect.match({ onSuccess: () => null, onFailure: messageOf }))
  const received_at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const delivery_id = request.headers["webhook-id"] ?? "-"
  yield* print(
    { received_at, type: head.type, event_id: head.id, delivery_id, verified: problem === null, problem },
    `${received_at}  ${head.type}  ${head.id}  ${delivery_id}  ${problem === null ? "verified" : `NOT VERIFIED: ${problem}`}`
  )
  return HttpServerResponse.empty({ status: 200 })
})

const refuse = (error: unknown) =>
  Effect.as(Console.error(`svc: a webhook could not be read: ${messageOf(error)}`), HttpServerResponse.empty({ status: 503 }))

const routes = (given: Option.Option<Redacted.Redacted<string>>) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const here = yield* Effect.context<FileSystem.FileSystem | Path.Path | Context.Service.Identifier<typeof Json>>()
    yield* router.add("POST", "*", receive(given).pipe(Effect.catch(refuse), Effect.provideContext(here)))
  }))

type Served = Layer.Success<ReturnType<typeof NodeHttpServer.layer>>

/** The receiver, until the layer's scope closes. */
export const receiver = (port: number, given: Option.Option<Redacted.Redacted<string>>) =>
  HttpRouter.serve(routes(given), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port, host: "127.0.0.1", gracefulShutdownTimeout: "1 second" })),
    Layer.catchTag("ServeError", () =>
      Layer.effectContext<Served, CommandFailed, never>(Effect.fail(
        new CommandFailed({
          message:
            `Cannot listen on port ${port}: another process does, or this user may not. Give a free one with --port, and move the endpoint there: PUT /v1/webhook_endpoint.`
        })
      )))
  )

/** Where the running server sends the sandbox merchant's webhooks: null for nowhere, undefined when no server of ours answers. */
const endpoint = Effect.gen(function*() {
  const { client } = yield* connect({ url: Option.none(), key: Option.none() })
  return yield* client.webhook_endpoint.get().pipe(
    Effect.map(({ url }) => url),
    Effect.catchTag("NotFound", () => Effect.succeed(null))
  )
}).pipe(Effect.orElseSucceed(() => undefined))

const LOCAL = ["127.0.0.1", "localhost"]
const USUAL_PORT = 4242

/** The port of this machine to which an address leads. */
const localPort = (address: string | null | undefined): number | undefined => {
  const url = URL.parse(address ?? "")
  return url?.protocol === "http:" && LOCAL.includes(url.hostname) ? Number(url.port) || 80 : undefined
}

/** What to do where the server sends no webhooks here. */
const elsewhere = (url: string | null | undefined, port: number): string | undefined =>
  url === undefined || localPort(url) === port
    ? undefined
    : `The sandbox merchant's webhooks go ${url === null ? "nowhere" : `to ${url}`}, not here. PUT /v1/webhook_endpoint with {"url": "${
      addressOf(port)
    }"} sends them here.`

export const listen = Command.make(
  "listen",
  {
    port: Flag.Int("port").pipe(
      Flag.withDescription("Port to listen on; unless given that of the merchant's endpoint, or of WEBHOOK_URL, which is 4242"),
      Flag.withSchema(Port),
      Flag.optional
    ),
    secret: Flag.Redacted("secret").pipe(
      Flag.withDescription("Signing secret, whsec_…; from credentials.json unless given"),
      Flag.filter((secret) => SECRET.test(Redacted.value(secret)), () => "a signing secret: whsec_ and 44 characters of Base64"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function*(flags) {
    const url = yield* endpoint
    const { webhookUrl } = yield* ServerConfig
    const port = Option.getOrElse(flags.port, () => localPort(url) ?? localPort(webhookUrl) ?? USUAL_PORT)
    const hint = elsewhere(url, port)
    const ready = Layer.effectDiscard(print(
      { listening: addressOf(port), ...(hint === undefined ? {} : { endpoint: url }) },
      `Listening for webhooks at ${addressOf(port)} (Ctrl-C ends)`,
      ...(hint === undefined ? [] : [hint])
    ))
    return yield* Layer.launch(ready.pipe(Layer.provide(receiver(port, flags.secret))))
  })
).pipe(
  Command.withDescription("Receive webhooks on this machine, verify each and print it")
)
