/** A listener that stops: what is under way is answered, or told that it was given up, and nobody keeps it from ending. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Layer, Logger, Queue, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { connect } from "node:net"
import type { Socket } from "node:net"
import * as finish from "./finish.ts"
import { listen, Patience } from "./listener.ts"

const HOST = "Host: svc.test\r\n\r\n"

/** A connection and all that came over it until it was closed. */
const open = (port: number) => {
  const socket: Socket = connect(port, "127.0.0.1")
  let text = ""
  socket.on("error", () => {}).on("data", (chunk: Buffer) => {
    text += chunk.toString()
  })
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  return {
    socket,
    all: Effect.promise(async () => {
      await closed
      return text
    })
  }
}

/** A listener with a route that says when it has begun, and ends when it may. */
const start = Effect.fnUntraced(function*(stop: Duration.Input) {
  const begun = yield* Queue.unbounded<void>()
  const may = yield* Deferred.make<void>()
  const routes = HttpRouter.add(
    "GET",
    "/slow",
    Effect.andThen(Queue.offer(begun, undefined), Effect.as(Deferred.await(may), HttpServerResponse.text("done")))
  )
  const scope = yield* Scope.make()
  const services = yield* Layer.buildWithScope(
    listen(Layer.merge(routes, finish.layer), { port: 0, host: "127.0.0.1", variable: "API_PORT" }).pipe(
      Layer.provide([Layer.succeed(Patience, { answer: Duration.seconds(25), stop: Duration.fromInputUnsafe(stop) }), Logger.layer([])])
    ),
    scope
  )
  const { address } = yield* Effect.provide(HttpServer.HttpServer, services)
  const port = Number(new URL(HttpServer.formatAddress(address)).port)
  return { begun, may, port, stopping: Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true }) }
})

/** A client that asks over one kept connection, again and again, until nobody listens. Gives what else its requests came to. */
const askUntilRefused = async (port: number, answered: () => void): Promise<ReadonlyArray<string>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<string>((resolve) => {
      request({ port, host: "127.0.0.1", path: "/none", agent }, (response) => {
        response.resume().once("end", () => resolve(String(response.statusCode)))
      }).once("error", (error: NodeJS.ErrnoException) => resolve(String(error.code))).end()
    })
  const outcomes = new Set<string>()
  for (let outcome = await ask(); outcome !== "ECONNREFUSED"; outcome = await ask()) {
    outcomes.add(outcome)
    answered()
  }
  agent.destroy()
  return [...outcomes]
}

/** Nothing of this needs long, unless the stop waits, for twice as long, for somebody who does nothing. */
const soon = Effect.timeout("45 seconds")

describe("a listener that starts", () => {
  it.live("answers what comes before its routes are built", () =>
    Effect.gen(function*() {
      const early = yield* Deferred.make<string>()
      const routes = Layer.unwrap(Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        const connection = open(Number(new URL(HttpServer.formatAddress(address)).port))
        connection.socket.write(`GET /here HTTP/1.1\r\nConnection: close\r\n${HOST}`)
        yield* Effect.forkDetach(Effect.flatMap(connection.all, (text) => Deferred.succeed(early, text)))
        // So that the request is there before the route. A slow machine that needs longer sees less, and passes.
        yield* Effect.sleep("500 millis")
        return HttpRouter.add("GET", "/here", Effect.succeed(HttpServerResponse.text("at once")))
      }))
      yield* Layer.build(listen(Layer.merge(routes, finish.layer), { port: 0, host: "127.0.0.1", variable: "API_PORT" }))
      assert.match(yield* Deferred.await(early), /^HTTP\/1\.1 200 [^]*at once$/)
    }).pipe(Effect.scoped, soon))
})

describe("a listener that stops", () => {
  it.live("answers a request under way and closes its connection, and those that are idle soon", () =>
    Effect.gen(function*() {
      const { begun, may, port, stopping } = yield* start("90 seconds")
      const [busy, idle] = [open(port), open(port)]
      idle.socket.write(`GET /none HTTP/1.1\r\n${HOST}`)
      yield* Effect.promise(() => once(idle.socket, "data"))
      busy.socket.write(`GET /slow HTTP/1.1\r\n${HOST}`)
      yield* Queue.take(begun)

      const stopped = yield* stopping
      assert.match(yield* idle.all, /^HTTP\/1\.1 404 /)
      assert.isUndefined(stopped.pollUnsafe())
      yield* Deferred.succeed(may, undefined)
      const answer = yield* busy.all
      assert.match(answer, /^HTTP\/1\.1 200 [^]*\r\n\r\ndone$/)
      assert.match(answer, /^connection: close\r$/im)
      yield* Fiber.join(stopped)
    }).pipe(soon))

  it.live("answers all that came over one connection, and closes it with the last", () =>
    Effect.gen(function*() {
      const { begun, may, port, stopping } = yield* start("90 seconds")
      const busy = open(port)
      busy.socket.write(`GET /slow HTTP/1.1\r\n${HOST}`.repeat(2))
      yield* Queue.take(begun)
      const stopped = yield* stopping
      yield* Deferred.succeed(may, undefined)
      const [, first = "", second = ""] = (yield* busy.all).split("HTTP/1.1 200 OK\r\n")
      for (const [answer, connection] of [[first, "keep-alive"], [second, "close"]] as const) {
        assert.match(answer, /\r\n\r\ndone$/)
        assert.strictEqual(/^connection: (\S+)/im.exec(answer)?.[1], connection)
      }
      yield* Fiber.join(stopped)
    }).pipe(soon))

  it.live("tells who it does not wait for, in the shape of every refusal", () =>
    Effect.gen(function*() {
      const { begun, port, stopping } = yield* start("100 millis")
      const busy = open(port)
      busy.socket.write(`GET /slow HTTP/1.1\r\n${HOST}`)
      yield* Queue.take(begun)
      const stopped = yield* stopping
      const [head = "", body = ""] = (yield* busy.all).split("\r\n\r\n")
      assert.match(head, /^HTTP\/1\.1 503 /)
      assert.match(head, /^retry-after: 2\r?$/im)
      assert.match(head, /^connection: close\r?$/im)
      const said: Record<string, unknown> = JSON.parse(body)
      assert.deepInclude(said, {
        error: "service_unavailable",
        details: { retry_after: 2 },
        request_id: /^request-id: (\S+)/im.exec(head)?.[1]
      })
      assert.match(String(said["message"]), /^The service is stopping, .*Retry with the same idempotency key/)
      yield* Fiber.join(stopped)
    }).pipe(soon))

  it.live("does not wait for clients that send nothing, or half a request", () =>
    Effect.gen(function*() {
      const { port, stopping } = yield* start("100 millis")
      const silent = [open(port), open(port)]
      yield* Effect.promise(() => Promise.all(silent.map(({ socket }) => once(socket, "connect"))))
      silent[0]?.socket.write("POST /slow HTTP/1.1\r\nContent-Length: 2\r\n")
      // The server has taken both when it answers a later one.
      const later = open(port)
      later.socket.write(`GET /none HTTP/1.1\r\n${HOST}`)
      yield* Effect.promise(() => once(later.socket, "data"))
      yield* Effect.flatMap(stopping, Fiber.join)
      assert.deepStrictEqual(yield* Effect.forEach(silent, ({ all }) => all), ["", ""])
    }).pipe(soon))

  it.live("resets no connection of clients that are busy on theirs", () =>
    Effect.gen(function*() {
      const { port, stopping } = yield* start("90 seconds")
      // Each has its connection before the stop: the system resets those that nobody has accepted yet.
      const connected = Array.from({ length: 20 }, () => Promise.withResolvers<void>())
      const clients = connected.map(({ resolve }) => askUntilRefused(port, resolve))
      yield* Effect.promise(() => Promise.all(connected.map(({ promise }) => promise)))
      const stopped = yield* stopping
      for (const outcomes of yield* Effect.promise(() => Promise.all(clients))) assert.deepStrictEqual(outcomes, ["404"])
      yield* Fiber.join(stopped)
    }).pipe(soon))
})
