import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import { connect } from "node:net"
import { once } from "node:events"
import { whileTaken } from "./streamed.ts"

const PIECES = 200
const PIECE = 256 * 1024
const WITHIN = Duration.millis(400)

/** A server whose one answer has 50 MiB. What was made of it, and how many answers' scopes have ended. */
const makeServer = Effect.gen(function*() {
  const counts = { made: 0, ended: 0 }
  const pieces = Stream.range(1, PIECES).pipe(Stream.rechunk(1), Stream.map(() => {
    counts.made++
    return new Uint8Array(PIECE)
  }))
  const route = HttpRouter.add("GET", "/", Effect.gen(function*() {
    yield* Effect.addFinalizer(() => Effect.sync(() => counts.ended++))
    return HttpServerResponse.stream(yield* whileTaken(pieces, WITHIN))
  }))
  const context = yield* Layer.build(HttpRouter.serve(route, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
  ))
  const { address } = yield* Effect.provide(HttpServer.HttpServer, context)
  return { counts, port: Number(new URL(HttpServer.formatAddress(address)).port) }
})

const ask = (port: number) => {
  const socket = connect(port, "127.0.0.1").on("error", () => {})
  socket.write("GET / HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\n\r\n")
  return socket
}

describe("an answer that is made while it is read", () => {
  it.live("comes whole to who takes it, piece by piece and in more time than one piece has", () =>
    Effect.gen(function*() {
      const { counts, port } = yield* makeServer
      const socket = ask(port)
      let bytes = 0
      // A pause now and then, shorter than what is allowed.
      const resting = setInterval(() => {
        socket.pause()
        setTimeout(() => socket.resume(), 100)
      }, 200)
      socket.on("data", (data: Buffer) => {
        bytes += data.length
      })
      yield* Effect.promise(() => once(socket, "close"))
      clearInterval(resting)
      assert.isAbove(bytes, PIECES * PIECE)
      assert.deepStrictEqual(counts, { made: PIECES, ended: 1 })
    }).pipe(Effect.scoped))

  it.live("ends with its connection when a piece is not taken in time, also by who takes a few bytes again and again", () =>
    Effect.gen(function*() {
      const { counts, port } = yield* makeServer
      const socket = ask(port)
      socket.pause()
      const dripping = setInterval(() => socket.read(100), 50)
      const begun = performance.now()
      // What has come is read on until the connection is gone.
      yield* Effect.promise(async () => {
        while (counts.ended === 0 && performance.now() - begun < 20_000) await new Promise((resolve) => setTimeout(resolve, 50))
      })
      clearInterval(dripping)
      socket.destroy()
      assert.strictEqual(counts.ended, 1)
      assert.isBelow(counts.made, PIECES)
    }).pipe(Effect.scoped))
})
