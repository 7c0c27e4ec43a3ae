/** Which bodies are slow: those for which there is room and that do not come, and no others. */
import { assert, describe, it } from "@effect/vitest"
import { makeTurns, watchesItself } from "@svc/kernel/http/uploads"
import { until } from "@svc/testkit/until"
import { Clock, Context, Deferred, Duration, Effect, Fiber } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { setTimeout as pause } from "node:timers/promises"
import { Connections } from "./connections.ts"
import { answerOverdue } from "./overdue.ts"
import { refuseSlowBodies } from "./slow-bodies.ts"
import { answerUnreadable } from "./unreadable.ts"

/** Milliseconds of the test clock that a body may take, and of the world between two looks. */
const [WITHIN, EVERY] = [400, 20]

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A listener whose requests the test answers; `overdue` is in milliseconds of the world. */
const listening = Effect.fnUntraced(function*(handle: Handler, overdue = 60_000) {
  const clock = yield* Clock.Clock
  const connections = new Connections({ connections: 100, waiting: 100, allWaiting: 1_000, unsent: 1_000_000 }, () => {})
  const readable = answerUnreadable(connections.watch(createServer({ requestTimeout: 0 }, handle)), connections, clock)
  const server = answerOverdue(
    refuseSlowBodies(readable, connections, { clock, within: Duration.millis(WITHIN), every: Duration.millis(EVERY) }),
    { clock, within: Duration.millis(overdue), report: () => {} }
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

/** So much time passes, and the server looks: its timer is due before the one here. */
const passes = (millis: number) => Effect.andThen(TestClock.adjust(millis), Effect.promise(() => pause(2 * EVERY)))

/** A listener that leaves its only request to the test. */
const taking = Effect.gen(function*() {
  const taken = yield* Deferred.make<readonly [IncomingMessage, ServerResponse]>()
  const port = yield* listening((request, response) => Deferred.doneUnsafe(taken, Effect.succeed([request, response])))
  return { port, taken: Deferred.await(taken) }
})

/** Reads the whole body and answers with its length. */
const read = async (request: IncomingMessage, response: ServerResponse) => {
  let length = 0
  for await (const chunk of request) length += (chunk as Buffer).length
  response.end(`read ${length}`)
}

describe("a body", () => {
  it.effect("that its sender does not send is refused", () =>
    Effect.gen(function*() {
      const port = yield* listening((request, response) => void read(request, response).catch(() => {}))
      const answer = yield* Effect.forkChild(send(port, 100, 10), { startImmediately: true })
      yield* until("it is refused", Effect.map(passes(WITHIN / 4), () => answer.pollUnsafe() !== undefined))
      const text = yield* Fiber.join(answer)
      assert.match(text, /^HTTP\/1\.1 408 /)
      assert.include(text, "\"error\":\"request_timeout\"")
    }).pipe(Effect.scoped))

  it.effect("that is not read for long is not slow, and neither is one that is read slowly", () =>
    Effect.gen(function*() {
      const { port, taken } = yield* taking
      const answer = yield* Effect.forkChild(send(port, 4_000_000), { startImmediately: true })
      const [request, response] = yield* taken
      const isFull = until("there is no room", Effect.sync(() => request.readableLength >= request.readableHighWaterMark))
      yield* isFull
      yield* passes(2 * WITHIN)
      for (let n = 0; n < 10; n++) {
        request.read(16_384)
        yield* isFull
        yield* passes(WITHIN / 5)
      }
      yield* Effect.promise(() => read(request, response))
      assert.match(yield* Fiber.join(answer), /read \d+$/)
    }).pipe(Effect.scoped))

  it.effect("whose handler watches it takes as long as its handler likes", () =>
    Effect.gen(function*() {
      const { port, taken } = yield* taking
      const answer = yield* Effect.forkChild(send(port, 100, 10), { startImmediately: true })
      const [request, response] = yield* taken
      watchesItself(request)
      yield* passes(3 * WITHIN)
      response.end("given up")
      assert.match(yield* Fiber.join(answer), /given up$/)
    }).pipe(Effect.scoped))

  it.effect("that waits for its turn is answered when it had it, whole or not", () =>
    Effect.gen(function*() {
      const inTurn = makeTurns()
      const first = yield* Deferred.make<void>()
      const ahead = yield* Effect.forkChild(inTurn("account", Deferred.await(first)), { startImmediately: true })
      const seen = { requests: 0, overdue: 0 }
      const port = yield* listening((source, response) => {
        seen.requests++
        response.on("timeout", () => seen.overdue++)
        const request = HttpServerRequest.HttpServerRequest.of({ source } as HttpServerRequest.HttpServerRequest)
        void Effect.runPromiseWith(Context.make(HttpServerRequest.HttpServerRequest, request))(
          inTurn("account", Effect.promise(() => read(source, response)))
        )
      }, 2_000)
      const answers = yield* Effect.forkChild(Effect.all([send(port, 100), send(port, 4_000_000)], { concurrency: "unbounded" }), {
        startImmediately: true
      })
      yield* until("both wait", Effect.sync(() => seen.requests === 2))
      yield* passes(3 * WITHIN)
      yield* until("both are overdue", Effect.sync(() => seen.overdue >= 2))
      assert.isUndefined(answers.pollUnsafe())
      yield* Deferred.succeed(first, undefined)
      yield* Fiber.join(ahead)
      const [small, large] = yield* Fiber.join(answers)
      assert.match(small, /^HTTP\/1\.1 200 [^]*read 100$/)
      assert.match(large, /^HTTP\/1\.1 200 [^]*read 4000000$/)
    }).pipe(Effect.scoped))
})
