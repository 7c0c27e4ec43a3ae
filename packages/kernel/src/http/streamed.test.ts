import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { once } from "node:events"
import { createServer } from "node:http"
import { connect } from "node:net"
import { whileTaken } from "./streamed.ts"

const PIECES = 200
const PIECE = 256 * 1024
const WITHIN = Duration.millis(1_200)

/**
 * A server whose one answer has 50 MiB, each piece of which takes so long to make by the clock of the test. What was made of it, and how
 * many answers' scopes have ended.
 */
const makeServer = Effect.fnUntraced(function*(making: Duration.Duration) {
  const counts = { made: 0, ended: 0 }
  const make = Effect.sync(() => {
    counts.made++
    return new Uint8Array(PIECE)
  })
  const pieces = Stream.range(1, PIECES).pipe(
    Stream.rechunk(1),
    Stream.mapEffect(() => Effect.andThen(TestClock.adjust(making), make))
  )
  const route = HttpRouter.add(
    "GET",
    "/",
    Effect.gen(function*() {
      yield* Effect.addFinalizer(() => Effect.sync(() => counts.ended++))
      return HttpServerResponse.stream(yield* whileTaken(pieces, WITHIN))
    })
  )
  const context = yield* Layer.build(
    HttpRouter.serve(route, { disableLogger: true, disableListenLog: true }).pipe(
      Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
    )
  )
  const { address } = yield* Effect.provide(HttpServer.HttpServer, context)
  return { counts, port: Number(new URL(HttpServer.formatAddress(address)).port) }
})

const ask = (port: number) => {
  const socket = connect(port, "127.0.0.1").on("error", () => {})
  socket.write("GET / HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\n\r\n")
  return socket
}

describe("an answer that is made while it is read", () => {
  it.effect("comes whole to who takes it, piece by piece and in more time than one piece has", () =>
    Effect.gen(function*() {
      const { counts, port } = yield* makeServer(Duration.subtract(WITHIN, Duration.millis(1)))
      const socket = ask(port)
      let bytes = 0
      socket.on("data", (data: Buffer) => {
        bytes += data.length
      })
      yield* Effect.promise(() => once(socket, "close"))
      assert.isAbove(bytes, PIECES * PIECE)
      assert.deepStrictEqual(counts, { made: PIECES, ended: 1 })
    }).pipe(Effect.scoped))

  it.effect("ends with its connection when a piece is not taken in time, also by who takes a few bytes again and again", () =>
    Effect.gen(function*() {
      const { counts, port } = yield* makeServer(Duration.zero)
      const socket = ask(port)
      socket.pause()
      // Until what Node and the system hold is full, no piece is made any more, whatever is dripped.
      const drip = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)).then(() => socket.read(100)))
      const isFull = Effect.gen(function*() {
        const before = counts.made
        yield* Effect.repeat(drip, { times: 20 })
        return before > 0 && counts.made === before
      })
      yield* Effect.repeat(isFull, { until: (full) => full })
      assert.strictEqual(counts.ended, 0)
      yield* Effect.andThen(drip, TestClock.adjust(WITHIN))
      yield* Effect.repeat(drip, { until: () => counts.ended > 0 })
      socket.destroy()
      assert.strictEqual(counts.ended, 1)
      assert.isBelow(counts.made, PIECES)
    }).pipe(Effect.scoped))
})
