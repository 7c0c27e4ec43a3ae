/** `svc listen`: a receiver for trying things out. It verifies each webhook and answers 200. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { fromJsonText } from "@svc/kernel/json"
import { ServerConfig } from "@svc/server/config"
import { verifyWebhook } from "@svc/client/webhooks"
import { Clock, Console, DateTime, Effect, FileSystem, Layer, Option, Path, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { readCredentials } from "../credentials.ts"
import { CommandFailed, messageOf } from "../failure.ts"

const PATH = "/webhooks"

const EventHead = fromJsonText(Schema.Struct({ id: Schema.String, type: Schema.String }))
const readHead = Schema.decodeEffect(EventHead)
const decoder = new TextDecoder()

/** What came, in one line. A delivery that is not authentic is shown too: one wants to see why. */
const receive = Effect.fnUntraced(function*(given: Option.Option<Redacted.Redacted<string>>) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = new Uint8Array(yield* request.arrayBuffer)
  const secret = Option.isSome(given) ? given.value : Redacted.make((yield* readCredentials).webhook_secret)
  const head = yield* readHead(decoder.decode(body)).pipe(Effect.orElseSucceed(() => ({ id: "-", type: "not an event" })))
  const verdict = yield* verifyWebhook(body, request.headers, secret).pipe(Effect.match({
    onSuccess: () => "verified",
    onFailure: (error) => `NOT VERIFIED: ${messageOf(error)}`
  }))
  const at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  yield* Console.log(`${at}  ${head.type}  ${head.id}  ${request.headers["webhook-id"] ?? "-"}  ${verdict}`)
  return HttpServerResponse.empty({ status: 200 })
})

const refuse = (error: unknown) =>
  Effect.as(Console.error(`svc: a webhook could not be read: ${messageOf(error)}`), HttpServerResponse.empty({ status: 503 }))

const routes = (given: Option.Option<Redacted.Redacted<string>>) =>
  HttpRouter.use(Effect.fnUntraced(function*(router) {
    const here = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    yield* router.add("POST", "*", receive(given).pipe(Effect.catch(refuse), Effect.provideContext(here)))
  }))

type Served = Layer.Success<ReturnType<typeof NodeHttpServer.layer>>

/** The receiver, until the layer's scope closes. */
export const receiver = (port: number, given: Option.Option<Redacted.Redacted<string>>) =>
  HttpRouter.serve(routes(given), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port, host: "127.0.0.1", gracefulShutdownTimeout: "1 second" })),
    Layer.catchTag("ServeError", () =>
      Layer.effectContext<Served, CommandFailed, never>(Effect.fail(new CommandFailed({
        message: `Cannot listen on port ${port}: another process does, or this user may not. Give a free one with --port, and send the webhooks there with WEBHOOK_URL.`
      }))))
  )

/** The port of WEBHOOK_URL, where the server sends the sandbox merchant's webhooks. */
const usualPort = Effect.map(ServerConfig, ({ webhookUrl }) => Number(URL.parse(webhookUrl)?.port ?? "") || 4242)

export const listen = Command.make("listen", {
  port: Flag.Int("port").pipe(Flag.withDescription("Port to listen on; that of WEBHOOK_URL unless given, which is 4242"), Flag.optional),
  secret: Flag.Redacted("secret").pipe(Flag.withDescription("Signing secret, whsec_…; from credentials.json unless given"), Flag.optional)
}, Effect.fnUntraced(function*(flags) {
  const port = Option.isSome(flags.port) ? flags.port.value : yield* usualPort
  const ready = Layer.effectDiscard(Console.log(`Listening for webhooks at http://127.0.0.1:${port}${PATH} (Ctrl-C ends)`))
  return yield* Layer.launch(ready.pipe(Layer.provide(receiver(port, flags.secret))))
})).pipe(
  Command.withDescription("Receive webhooks on this machine, verify each and print it")
)
