/** A listener whose clients send more than they wait for, or ask for more than they read. */
import { assert, describe, it } from "@effect/vitest"
import { whileTaken } from "@svc/kernel/http/streamed"
import { Deferred, Duration, Effect, Layer, Logger, Queue, Stream } from "effect"
import type { Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { once } from "node:events"
import { connect } from "node:net"
import { Capacity } from "./connections.ts"
import * as finish from "./finish.ts"
import { listen, Patience } from "./listener.ts"

/** More than the system's own buffers take of an answer that nobody reads. */
const LARGE = new Uint8Array(48 * 1024 * 1024)

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: svc.test\r\n\r\n`

/** A client that reads when it is told to. */
const open = (port: number, { reads }: { readonly reads: boolean }) => {
  const socket = connect(port, "127.0.0.1")
  let bytes = 0
  let text = ""
  socket.on("error", () => {})
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  const read = () => {
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (text.length < 10_000) text += chunk.toString("latin1")
    })
    return socket.resume()
  }
  if (reads) read()
  else socket.pause()
  return {
    sendText: (text: string) => socket.write(text),
    send: (...paths: ReadonlyArray<string>) => socket.write(paths.map(request).join("")),
    closed: Effect.promise(() => closed),
    read,
    /** Waits until so many bytes have come. */
    got: (count: number) =>
      Effect.promise(async () => {
        const enough = () => bytes >= count || socket.destroyed
        while (!enough()) await Promise.race([once(socket, "data"), closed])
        return bytes
      }),
    text: () => text,
    isOpen: () => !socket.destroyed
  }
}

interface Told {
  readonly begun: Queue.Queue<string>
  /** Answers that were taken or given up. */
  readonly ended: Queue.Queue<string>
  readonly may: Deferred.Deferred<void>
  readonly port: number
  readonly log: Array<string>
}

const start = (
  capacity: Partial<(typeof Capacity)["Service"]>,
  patience: Duration.Input = "25 seconds"
): Effect.Effect<Told, never, Scope.Scope> =>
  Effect.gen(function*() {
    const begun = yield* Queue.unbounded<string>()
    const ended = yield* Queue.unbounded<string>()
    const may = yield* Deferred.make<void>()
    const log: Array<string> = []
    const routes = HttpRouter.addAll([
      HttpRouter.route("GET", "/small/:n", (request) => Effect.as(Queue.offer(begun, request.url), HttpServerResponse.text(request.url))),
      HttpRouter.route(
        "GET",
        "/large",
        Effect.gen(function*() {
          yield* Queue.offer(begun, "/large")
          yield* Effect.addFinalizer(() => Queue.offer(ended, "/large"))
          return HttpServerResponse.uint8Array(LARGE)
        })
      ),
      HttpRouter.route(
        "GET",
        "/streamed",
        Effect.gen(function*() {
          yield* Queue.offer(begun, "/streamed")
          const pieces = Stream.fromIterable(Array.from({ length: 48 }, () => LARGE.subarray(0, LARGE.length / 48)))
          return HttpServerResponse.stream(yield* whileTaken(pieces, "20 seconds"), { contentLength: LARGE.length })
        })
      ),
      HttpRouter.route(
        "GET",
        "/slow",
        Effect.andThen(Queue.offer(begun, "/slow"), Effect.as(Deferred.await(may), HttpServerResponse.text("done")))
      )
    ])
    const services = yield* Layer.build(
      listen(Layer.merge(routes, finish.layer), { port: 0, host: "127.0.0.1", variable: "API_PORT" }).pipe(
        Layer.provide([
          Layer.succeed(Capacity, { connections: 100, waiting: 100, allWaiting: 1_000, unsent: 10 * LARGE.length, ...capacity }),
          Layer.succeed(Patience, { answer: Duration.fromInputUnsafe(patience), stop: Duration.millis(100) }),
          Logger.layer([Logger.make(({ message }) => void log.push(String(message)))])
        ])
      )
    )
    const { address } = yield* Effect.provide(HttpServer.HttpServer, services)
    return { begun, ended, may, log, port: Number(new URL(HttpServer.formatAddress(address)).port) }
  }).pipe(Effect.orDie)

/** An answer to somebody else: what came to the server before it was looked at by now. */
const others = Effect.fnUntraced(function*({ begun, port }: Told, path: string) {
  const other = open(port, { reads: true })
  other.send(path)
  yield* other.got(1)
  assert.match(other.text(), /^HTTP\/1\.1 200 /)
  return yield* Queue.clear(begun)
})

const soon = Effect.timeout("60 seconds")

describe("the requests of one connection", () => {
  it.live("are handled one after another, in their order", () =>
    Effect.gen(function*() {
      const told = yield* start({})
      const client = open(told.port, { reads: true })
      client.send("/slow", "/small/1", "/small/2")
      assert.strictEqual(yield* Queue.take(told.begun), "/slow")
      assert.deepStrictEqual(yield* others(told, "/small/0"), ["/small/0"])
      yield* Deferred.succeed(told.may, undefined)
      assert.deepStrictEqual([yield* Queue.take(told.begun), yield* Queue.take(told.begun)], ["/small/1", "/small/2"])
      client.send("/small/3")
      assert.strictEqual(yield* Queue.take(told.begun), "/small/3")
    }).pipe(Effect.scoped, soon))

  it.live("wait while an answer is not read, and go on when it is", () =>
    Effect.gen(function*() {
      const told = yield* start({})
      const client = open(told.port, { reads: false })
      client.send("/large", "/large", "/small/1")
      assert.strictEqual(yield* Queue.take(told.begun), "/large")
      assert.deepStrictEqual(yield* others(told, "/small/0"), ["/small/0"])
      client.read()
      yield* client.got(2 * LARGE.length)
      assert.deepStrictEqual([yield* Queue.take(told.begun), yield* Queue.take(told.begun)], ["/large", "/small/1"])
    }).pipe(Effect.scoped, soon))

  it.live("are too many when more wait than may", () =>
    Effect.gen(function*() {
      const told = yield* start({ waiting: 3 })
      const [modest, greedy] = [open(told.port, { reads: true }), open(told.port, { reads: true })]
      modest.send("/slow", "/small/1", "/small/2", "/small/3")
      greedy.send("/slow", "/small/4", "/small/5", "/small/6", "/small/7")
      yield* greedy.closed
      yield* Deferred.succeed(told.may, undefined)
      yield* Queue.take(told.begun).pipe(Effect.repeat({ until: (path) => path === "/small/3" }))
      assert.deepStrictEqual(told.log, ["connections are closed by this side: requests were sent ahead faster than they are answered"])
    }).pipe(Effect.scoped, soon))

  it.live("are too many together with those of other connections", () =>
    Effect.gen(function*() {
      const told = yield* start({ waiting: 3, allWaiting: 5 })
      const [first, second] = [open(told.port, { reads: true }), open(told.port, { reads: true })]
      first.send("/slow", "/small/1", "/small/2", "/small/3")
      yield* Queue.take(told.begun)
      second.send("/slow", "/small/4", "/small/5", "/small/6")
      yield* second.closed
      // What waited on a connection that is closed counts no longer.
      const third = open(told.port, { reads: true })
      third.send("/slow", "/small/7", "/small/8")
      yield* Deferred.succeed(told.may, undefined)
      yield* Queue.take(told.begun).pipe(Effect.repeat({ until: (path) => path === "/small/8" }))
      assert.isTrue(first.isOpen())
    }).pipe(Effect.scoped, soon))
})

describe("a listener that is full", () => {
  it.live("disconnects who did nothing for the longest time, and nobody it still owes an answer", () =>
    Effect.gen(function*() {
      const told = yield* start({ connections: 3 })
      const busy = open(told.port, { reads: true })
      busy.send("/slow")
      yield* Queue.take(told.begun)
      const idle = open(told.port, { reads: true })
      idle.send("/small/1")
      yield* idle.got(1)
      const active = open(told.port, { reads: true })
      active.send("/small/2")
      yield* active.got(1)
      yield* Queue.clear(told.begun)
      assert.deepStrictEqual(yield* others(told, "/small/3"), ["/small/3"])
      yield* idle.closed
      assert.deepStrictEqual([busy.isOpen(), active.isOpen()], [true, true])
      yield* Deferred.succeed(told.may, undefined)
      yield* busy.got(1)
      assert.match(busy.text(), /^HTTP\/1\.1 200 /)
      assert.deepStrictEqual(told.log, ["connections are closed by this side: there are too many connections"])
    }).pipe(Effect.scoped, soon))

  it.live("lets nobody in while it owes everybody an answer", () =>
    Effect.gen(function*() {
      const told = yield* start({ connections: 2 })
      const clients = [open(told.port, { reads: true }), open(told.port, { reads: true })]
      for (const client of clients) client.send("/slow")
      yield* Effect.andThen(Queue.take(told.begun), Queue.take(told.begun))
      yield* open(told.port, { reads: true }).closed
      yield* Deferred.succeed(told.may, undefined)
      for (const client of clients) yield* client.got(1)
      assert.deepStrictEqual(yield* others(told, "/small/1"), ["/small/1"])
    }).pipe(Effect.scoped, soon))

  it.live("gives up no answer that is made while it is read: of its length next to nothing is held", () =>
    Effect.gen(function*() {
      const told = yield* start({ unsent: 1.5 * LARGE.length })
      const clients = Array.from({ length: 3 }, () => open(told.port, { reads: false }))
      for (const client of clients) {
        client.send("/streamed")
        yield* Queue.take(told.begun)
      }
      yield* others(told, "/small/1")
      for (const client of clients) client.read()
      for (const client of clients) assert.isAbove(yield* client.got(LARGE.length), LARGE.length)
      assert.deepStrictEqual(told.log, [])
    }).pipe(Effect.scoped, soon))

  it.live("gives up the oldest answer that is not read for a new one", () =>
    Effect.gen(function*() {
      const told = yield* start({ unsent: 2.5 * LARGE.length })
      const unread = [open(told.port, { reads: false }), open(told.port, { reads: false })]
      for (const client of unread) {
        client.send("/large")
        yield* Queue.take(told.begun)
      }
      const reading = open(told.port, { reads: true })
      reading.send("/large")
      assert.isAbove(yield* reading.got(LARGE.length), LARGE.length)
      // The first one was closed by then. It learns of that when it reads what had come.
      unread[0]?.read()
      yield* unread[0]?.closed ?? Effect.void
      assert.deepStrictEqual(told.log, ["connections are closed by this side: answers that are not read are held for others"])
      assert.isBelow(yield* unread[0]?.got(LARGE.length) ?? Effect.succeed(0), LARGE.length)
      unread[1]?.read()
      assert.isAbove(yield* unread[1]?.got(LARGE.length) ?? Effect.succeed(0), LARGE.length)
    }).pipe(Effect.scoped, soon))
})

describe("an answer that nobody reads", () => {
  it.live("is given up when nothing of it moves for as long as an answer may take", () =>
    Effect.gen(function*() {
      const told = yield* start({}, "3 seconds")
      const client = open(told.port, { reads: false })
      client.send("/large", "/small/1")
      yield* Queue.take(told.ended)
      assert.deepStrictEqual(yield* Queue.clear(told.begun), ["/large"])
      client.read()
      yield* client.closed
      assert.isBelow(yield* client.got(LARGE.length), LARGE.length)
      // What was sent after it is not handled.
      assert.deepStrictEqual(yield* others(told, "/small/0"), ["/small/0"])
    }).pipe(Effect.scoped, soon))
})

// Each waits ten seconds until the listener has enough.
describe.concurrent("a connection on which nothing is asked", () => {
  it.live("is closed without an answer, which its client would take for that to its next request", () =>
    Effect.gen(function*() {
      const { port } = yield* start({})
      const client = open(port, { reads: true })
      yield* client.closed
      assert.strictEqual(client.text(), "")
    }).pipe(Effect.scoped, soon))

  it.live("and one that begins a request and does not end it is told", () =>
    Effect.gen(function*() {
      const { port } = yield* start({})
      const client = open(port, { reads: true })
      client.sendText("GET /small/1 HTTP/1.1\r\n")
      yield* client.closed
      assert.match(client.text(), /^HTTP\/1\.1 408 /)
    }).pipe(Effect.scoped, soon))
})
