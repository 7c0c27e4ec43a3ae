import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as net from "node:net"
import * as zlib from "node:zlib"
import type { EgressPolicy } from "./model.ts"
import { type DnsScript, listen, rawServer, receiver, scriptedDns } from "./receiver.fixture.ts"
import { layer, layerNoDeps, WebEgress, type WebRequest } from "./web.ts"

const webOn = (policy: EgressPolicy, script: DnsScript = {}) => Layer.provide(layerNoDeps(policy), scriptedDns(script).layer)
const loopback = webOn({ allow: ["127.0.0.1"] })

const get = (url: string, more: Partial<WebRequest> = {}) =>
  WebEgress.use((web) =>
    web.read(
      { url, headers: {}, timeout: "10 seconds", maxBytes: 1024, ...more },
      ({ body, ...rest }) => Effect.map(Stream.mkUint8Array(body), (bytes) => ({ ...rest, text: Buffer.from(bytes).toString() }))
    )
  )
const failure = (url: string, more: Partial<WebRequest> = {}) => Effect.flip(get(url, more))
const reason = (url: string, more: Partial<WebRequest> = {}) => Effect.map(failure(url, more), (error) => error.reason)

/** A server that hears nothing: how many connections it got. */
const silent = Effect.gen(function*() {
  const heard = { count: 0 }
  const port = yield* listen(
    net.createServer((socket) => {
      heard.count++
      socket.destroy()
    }),
    "0.0.0.0"
  )
  return { heard, port }
})

/** A server that redirects to the location that the path names. */
const redirecting = (status = 302) =>
  receiver(({ url = "" }, response) => {
    if (url === "/here") response.end("here")
    else response.writeHead(status, { location: decodeURIComponent(url.slice(1)) }).end("moved")
  })

describe("redirects", () => {
  it.effect.each([301, 302, 303, 307, 308])("of status %d are followed to a relative address", (status) =>
    Effect.gen(function*() {
      const port = yield* redirecting(status)
      const answer = yield* get(`http://127.0.0.1:${port}/${encodeURIComponent("/here#part")}`)
      assert.deepInclude(answer, { status: 200, text: "here", url: `http://127.0.0.1:${port}/here` })
    }).pipe(Effect.provide(loopback)))

  it.effect("do not take the authorization along, not even to the same host", () =>
    Effect.gen(function*() {
      const heard: Array<string | undefined> = []
      const port = yield* receiver(({ headers, url }, response) => {
        heard.push(headers.authorization)
        if (url === "/") response.writeHead(302, { location: "/there" }).end()
        else response.end("there")
      })
      assert.strictEqual((yield* get(`http://127.0.0.1:${port}/`, { authorization: "Bearer secret" })).text, "there")
      assert.deepStrictEqual(heard, ["Bearer secret", undefined])
    }).pipe(Effect.provide(loopback)))

  it.effect("end with the fifth", () =>
    Effect.gen(function*() {
      let hops = 0
      const port = yield* receiver((_, response) => response.writeHead(302, { location: `/${++hops}` }).end())
      assert.match((yield* failure(`http://127.0.0.1:${port}/`)).message, /redirects more than 5 times/)
      assert.strictEqual(hops, 6)
    }).pipe(Effect.provide(loopback)))

  it.effect.each([
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f.1:{port}/",
    "http://127.1:{port}/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://0.0.0.0:{port}/",
    "http://localhost.:{port}/",
    "//127.0.0.1:{port}/",
    "http://user@127.0.0.1:{port}/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://[64:ff9b::7f00:1]/",
    "http://inner.example/",
    "http://both.example/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/"
  ])("are judged like the first address: none leads to %s", (target) =>
    Effect.gen(function*() {
      const { heard, port } = yield* silent
      const start = yield* redirecting()
      const location = encodeURIComponent(target.replace("{port}", String(port)))
      assert.include(["refused_address", "invalid_url"], yield* reason(`http://start.example:${start}/${location}`))
      assert.strictEqual(heard.count, 0)
    }).pipe(Effect.provide(webOn({ allow: ["start.example"] }, {
      "start.example": [["127.0.0.1"]],
      "inner.example": [["192.168.1.1"]],
      "both.example": [["93.184.216.34", "127.0.0.1"]]
    }))))

  it.effect("carry no header but those that every host gets", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const elsewhere = yield* receiver(({ headers }, response) => {
        seen.push(Object.keys(headers).sort().join())
        response.end()
      })
      const start = yield* redirecting()
      yield* get(`http://127.0.0.1:${start}/${encodeURIComponent(`http://127.0.0.1:${elsewhere}/`)}`, { headers: { accept: "text/html" } })
      assert.deepStrictEqual(seen, ["accept,accept-encoding,connection,host"])
    }).pipe(Effect.provide(loopback)))
})

describe("bodies", () => {
  const packed = (bytes: Buffer) =>
    [
      ["gzip", zlib.gzipSync(bytes)],
      ["deflate", zlib.deflateSync(bytes)],
      ["br", zlib.brotliCompressSync(bytes)]
    ] as const

  it.effect("are read through each compression that is asked for", () =>
    Effect.gen(function*() {
      const text = "Zoë ".repeat(200)
      for (const [encoding, bytes] of packed(Buffer.from(text))) {
        const port = yield* receiver((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(bytes))
        assert.strictEqual((yield* get(`http://127.0.0.1:${port}/`)).text, text)
      }
    }).pipe(Effect.provide(loopback)))

  it.effect("are counted as they are without compression, and given up at the limit", () =>
    Effect.gen(function*() {
      for (const [encoding, bytes] of packed(Buffer.alloc(16 * 1024 * 1024))) {
        const port = yield* receiver((_, response) => response.writeHead(200, { "content-encoding": encoding }).end(bytes))
        const before = process.memoryUsage().external
        assert.strictEqual(yield* reason(`http://127.0.0.1:${port}/`, { maxBytes: 1_000_000 }), "response_too_large")
        assert.isBelow(process.memoryUsage().external - before, 8 * 1024 * 1024)
      }
    }).pipe(Effect.provide(loopback)))

  it.effect.each([["one byte less", 1024, undefined], ["one byte more", 1025, "response_too_large"]] as const)(
    "of the limit and %s",
    ([, size, expected]) =>
      Effect.gen(function*() {
        const port = yield* receiver((_, response) => response.end("x".repeat(size)))
        const result = yield* Effect.result(get(`http://127.0.0.1:${port}/`))
        assert.strictEqual(result._tag === "Failure" ? result.failure.reason : undefined, expected)
      }).pipe(Effect.provide(loopback))
  )

  it.effect.each(
    [
      ["an unknown encoding", { "content-encoding": "compress" }, Buffer.from("x")],
      ["two encodings", { "content-encoding": "gzip, gzip" }, zlib.gzipSync(zlib.gzipSync("x"))],
      ["a broken stream", { "content-encoding": "gzip" }, Buffer.from("no gzip at all")],
      ["a stream that is cut off", { "content-encoding": "gzip" }, zlib.gzipSync("x".repeat(5000)).subarray(0, 20)]
    ] as const
  )("with %s fail", ([, headers, bytes]) =>
    Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.writeHead(200, headers).end(bytes))
      assert.strictEqual(yield* reason(`http://127.0.0.1:${port}/`), "connection")
    }).pipe(Effect.provide(loopback)))

  it.effect("that stop are given up in time, with their connection", () =>
    Effect.gen(function*() {
      const [sent, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const port = yield* rawServer((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        socket.once("data", () =>
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234", () => Deferred.doneUnsafe(sent, Effect.void)))
      })
      const fiber = yield* Effect.forkChild(reason(`http://127.0.0.1:${port}/`))
      yield* Deferred.await(sent)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "timeout")
      yield* Deferred.await(closed)
    }).pipe(Effect.provide(loopback)))

  it.effect("that nobody reads cost no more than their headers", () =>
    Effect.gen(function*() {
      const finished = yield* Deferred.make<boolean>()
      const port = yield* receiver((_, response) => {
        response.on("close", () => Deferred.doneUnsafe(finished, Effect.succeed(response.writableFinished)))
        response.writeHead(200, { "content-type": "image/png" }).end(Buffer.alloc(50_000_000))
      })
      const request = { url: `http://127.0.0.1:${port}/`, headers: {}, timeout: "10 seconds", maxBytes: 1e9 } as const
      const type = yield* WebEgress.use((web) => web.read(request, ({ headers }) => Effect.succeed(headers["content-type"])))
      assert.strictEqual(type, "image/png")
      assert.isFalse(yield* Deferred.await(finished))
    }).pipe(Effect.provide(loopback)))
})

it.effect.each(["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0"])(
  "connects to nothing at %s unless the policy names it",
  (host) =>
    Effect.gen(function*() {
      const { heard, port } = yield* silent
      assert.strictEqual(yield* reason(`http://${host}:${port}/`), "refused_address")
      assert.strictEqual(heard.count, 0)
    }).pipe(Effect.provide(layer({ allow: [] })))
)
