/** Which bodies are slow: those for which there is room and that do not come, and no others. */
import { assert, describe, it } from "@effect/vitest"
import { makeTurns, watchesItself } from "@svc/kernel/http/uploads"
import { Clock, Context, Deferred, Duration, Effect, Fiber } from "effect"
import { HttpServerRequest } from "effect/http"
import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { Connections } from "./connections.ts"
import { answerOverdue } from "./overdue.ts"
import { refuseSlowBodies } from "./slow-bodies.ts"
import { answerUnreadable } from "./unreadable.ts"

const WITHIN = 400

/** A listener whose requests the test answers. */
const listening = Effect.fnUntraced(function*(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const clock = yield* Clock.Clock
  const connections = new Connections({ connections: 100, waiting: 100, allWaiting: 1_000, unsent: 1_000_000 }, () => {})
  const readable = answerUnreadable(connections.watch(createServer({ requestTimeout: 0 }, handle)), connections, clock)
  const server = answerOverdue(
    refuseSlowBodies(readable, connections, { clock, within: Duration.millis(WITHIN), every: Duration.millis(20) }),
    { clock, within: Duration.millis(WITHIN), report: () => {} }
  )
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  return (server.address() as AddressInfo).port
})

/** Sends a head, then the body, or only so much of it; gives all that comes back. */
const send = (port: number, length: number, sent = length) =>
  Effect.promise(async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => {})
    socket.write(`POST / HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n`)
    socket.write(Buffer.alloc(sent, "a"))
    let text = ""
    socket.on("data", (chunk: Buffer) => void (text += chunk.toString("latin1")))
    await once(socket, "close")
    return text
  })

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Reads the whole body and answers with its length. */
const read = async (request: IncomingMessage, response: ServerResponse) => {
  let length = 0
  for await (const chunk of request) length += (chunk as Buffer).length
  response.end(`read ${length}`)
}

describe("a body", () => {
  it.live("that its sender does not send is refused", () =>
    Effect.gen(function*() {
      const port = yield* listening((request, response) => void read(request, response).catch(() => {}))
      const text = yield* send(port, 100, 10)
      assert.match(text, /^HTTP\/1\.1 408 /)
      assert.include(text, "\"error\":\"request_timeout\"")
    }).pipe(Effect.scoped))

  it.live("that is not read for long is not slow, and neither is one that is read slowly", () =>
    Effect.gen(function*() {
      const port = yield* listening(async (request, response) => {
        await pause(2 * WITHIN)
        for (let n = 0; n < 10; n++) {
          await pause(WITHIN / 5)
          request.read(16_384)
        }
        await read(request, response)
      })
      assert.match(yield* send(port, 4_000_000), /read \d+$/)
    }).pipe(Effect.scoped))

  it.live("whose handler watches it takes as long as its handler likes", () =>
    Effect.gen(function*() {
      const port = yield* listening(async (request, response) => {
        watchesItself(request)
        await pause(3 * WITHIN)
        response.end("given up")
      })
      assert.match(yield* send(port, 100, 10), /given up$/)
    }).pipe(Effect.scoped))

  it.live("that waits for its turn is answered when it had it, whole or not", () =>
    Effect.gen(function*() {
      const inTurn = makeTurns()
      const first = yield* Deferred.make<void>()
      const ahead = yield* Effect.forkChild(inTurn("account", Deferred.await(first)), { startImmediately: true })
      const port = yield* listening((source, response) => {
        const request = HttpServerRequest.HttpServerRequest.of({ source } as HttpServerRequest.HttpServerRequest)
        void Effect.runPromiseWith(Context.make(HttpServerRequest.HttpServerRequest, request))(
          inTurn("account", Effect.promise(() => read(source, response)))
        )
      })
      const answers = yield* Effect.forkChild(Effect.all([send(port, 100), send(port, 4_000_000)], { concurrency: "unbounded" }), {
        startImmediately: true
      })
      yield* Effect.sleep(3 * WITHIN)
      assert.isUndefined(answers.pollUnsafe())
      yield* Deferred.succeed(first, undefined)
      yield* Fiber.join(ahead)
      const [small, large] = yield* Fiber.join(answers)
      assert.match(small, /^HTTP\/1\.1 200 [^]*read 100$/)
      assert.match(large, /^HTTP\/1\.1 200 [^]*read 4000000$/)
    }).pipe(Effect.scoped))
})
