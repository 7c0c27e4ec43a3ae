/** One HTTP listener: limits on size and time, draining when it stops, a clear word when the port is taken. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { BODY_KIB } from "@svc/kernel/http/body-limit"
import { Stopping } from "@svc/kernel/http/stopping"
import { isStreamed } from "@svc/kernel/http/streamed"
import { Reference } from "@svc/kernel/values/reference"
import { ByteSize, Clock, Duration, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpMiddleware, HttpRouter, HttpServer } from "effect/http"
import { Server, ServerResponse } from "node:http"
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from "node:http"
import { Capacity, Connections } from "./connections.ts"
import { keepEarlyRequests } from "./early-requests.ts"
import { answerOverdue } from "./overdue.ts"
import { type ListenOptions, type PortUnusable, portUnusable } from "./ports.ts"
import { forwarded, TrustedProxies } from "./proxies.ts"
import { withSmallContexts } from "./request-context.ts"
import { countAnswer, measureRequests } from "./request-metrics.ts"
import { refuseSlowBodies } from "./slow-bodies.ts"
import { answerUnreadable } from "./unreadable.ts"

/** How long others are waited for. */
export class Patience extends Reference<{
  /**
   * For an answer. Longer than a statement of the database or two calls of a provider may take, shorter than the 30 seconds after which
   * many clients and proxies give up.
   */
  readonly answer: Duration.Duration
  /** For the requests under way when the service stops. */
  readonly stop: Duration.Duration
}>("@svc/server/Patience", { defaultValue: () => ({ answer: Duration.seconds(25), stop: Duration.seconds(10) }) }) {}

type Served = Layer.Success<ReturnType<typeof NodeHttpServer.layer>>

/**
 * RFC 9110, section 9.3.2: HEAD is GET without the body. Node leaves the body out by the method it read, so routes may see GET. The answer
 * ends where its body would begin: Node sends nothing of it before its end, and a stream of events has none.
 */
const headAsGet = (server: Server): Server => {
  const toGet = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== "HEAD") return
    request.method = "GET"
    response.write = () => {
      if (!response.writableEnded) response.end()
      return true
    }
  }
  return server.prependListener("request", toGet).prependListener("checkContinue", toGet)
}

/** Whatever a request expects, `head.ts` answers; left to Node, the refusal would have no body. */
const answerExpectations = (server: Server): Server =>
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))

type Head = OutgoingHttpHeaders | Array<OutgoingHttpHeader>

const lengthIn = (head: string | Head | undefined): number =>
  typeof head === "object" && !Array.isArray(head) ? Number(head["content-length"] ?? 0) : 0

/** Each answer is counted. A server that is stopping answers what it has, and with the last of it closes the connection. */
const counted = (server: () => Server, connections: Connections) =>
  class extends ServerResponse<IncomingMessage> {
    override writeHead(status: number, reason?: string | Head, head?: Head): this {
      connections.answering(this.req.socket, isStreamed(this) ? 0 : lengthIn(head ?? reason))
      countAnswer(this.req, String(status))
      if (!server().listening && connections.latestOn(this.req.socket)?.response === this) this.shouldKeepAlive = false
      return typeof reason === "object" ? super.writeHead(status, reason) : super.writeHead(status, reason, head)
    }
  }

/** How long a body may take in all, whoever is waited for. */
const LONGEST_REQUEST = Duration.minutes(15)

/** How long a sender may take for a body. */
const LONGEST_BODY = Duration.seconds(30)

/** How long a stop leaves idle connections open: the next request of a busy client may be under way. Its answer closes the connection. */
const IDLE_AT_STOP = Duration.seconds(1)

/** A server that does not reset the connections of busy clients when it closes. Node calls the method when the server stops listening. */
class PatientServer<Response extends typeof ServerResponse<IncomingMessage>> extends Server<typeof IncomingMessage, Response> {
  override closeIdleConnections(): void {
    setTimeout(() => super.closeIdleConnections(), Duration.toMillis(IDLE_AT_STOP))
  }
}

const hardened = (connections: Connections): Server => {
  const server: Server = new PatientServer({
    ServerResponse: counted(() => server, connections),
    // A client that sends its headers slowly holds a socket no longer than this; of bodies, slow-bodies.ts counts the time that is the
    // client's.
    headersTimeout: 10_000,
    requestTimeout: Duration.toMillis(LONGEST_REQUEST),
    connectionsCheckingInterval: 2_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // head.ts checks it, and answers in the shape of every other refusal.
    requireHostHeader: false,
    // No other protocol is spoken here, so a request that offers to change to one is answered as if it did not.
    shouldUpgradeCallback: () => false
  })
  return server
}

/** Milliseconds between two lines of the log about connections that are closed. */
const TELL_EVERY = 60_000

const makeServer = Effect.gen(function*() {
  const clock = yield* Clock.Clock
  const { answer: within, stop } = yield* Patience
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const report = (request_id: string) => {
    runFork(Effect.annotateLogs(Effect.logError("a request was given up: what it waits for does not answer"), "request_id", request_id))
  }
  let told = -Infinity
  // A client that fills a listener does so thousands of times.
  const disconnected = (why: string) => {
    const now = clock.currentTimeMillisUnsafe()
    if (now - told < TELL_EVERY) return
    told = now
    runFork(Effect.logWarning(`connections are closed by this side: ${why}`))
  }
  const connections = new Connections(yield* Capacity, disconnected)
  const readable = answerUnreadable(connections.watch(measureRequests(hardened(connections))), connections, clock)
  const inTime = refuseSlowBodies(readable, connections, { clock, within: LONGEST_BODY, every: Duration.seconds(2) })
  const server = answerOverdue(inTime, { clock, report, within })
  return { server: keepEarlyRequests(answerExpectations(headAsGet(server))), stop }
})

/** Characters of the longest idempotency key: no id of a path is longer. */
const LONGEST_KEY = 255

const serving = { disableLogger: true, disableListenLog: true, routerConfig: { caseSensitive: true, maxParamLength: LONGEST_KEY } } as const

/** Routes whose handlers read nothing of a request's context but what the request brings. */
type WithoutServices<R> = [HttpRouter.Request.Only<"Requires", R>] extends [never] ? unknown
  : { readonly handlersReadPerRequest: HttpRouter.Request.Only<"Requires", R> }

/**
 * Serves routes. Requests under way when it stops are finished, as long as `Patience` says. Handlers have their services from the time
 * they were built: routes that read one for each request do not compile here.
 */
export const listen = <E, R>(routes: Layer.Layer<never, E, R> & WithoutServices<R>, options: ListenOptions) =>
  // Effect answers a request in fewer steps where no middleware stands around all of them.
  Layer.unwrap(Effect.map(TrustedProxies, (trusted) =>
    trusted.length === 0
      ? HttpRouter.serve(routes, serving)
      : HttpRouter.serve(routes, { ...serving, middleware: forwarded(trusted) }))).pipe(
      Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(BODY_KIB))),
      Layer.provide(HttpMiddleware.layerTracerDisabledForUrls(["/livez", "/readyz", "/v1/health", "/metrics"])),
      Layer.provideMerge(
        Layer.unwrap(Effect.map(makeServer, ({ server, stop }) =>
          // After what was under way has been answered or given up. Node waits for clients to hang up, for a minute and more.
          Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))).pipe(
            Layer.provideMerge(Layer.effect(HttpServer.HttpServer, Effect.map(HttpServer.HttpServer, withSmallContexts))),
            Layer.provideMerge(NodeHttpServer.layer(() => server, {
              port: options.port,
              ...(options.host === undefined ? {} : { host: options.host }),
              gracefulShutdownTimeout: stop
            })),
            Layer.provideMerge(Layer.succeed(Stopping, () => !server.listening))
          ))).pipe(
            Layer.catchTag(
              "ServeError",
              (error) => Layer.effectContext<Served | Stopping, PortUnusable, never>(Effect.fail(portUnusable(options)(error)))
            )
          )
      )
    )
