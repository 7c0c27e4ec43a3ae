import { assert, describe, it } from "@effect/vitest"
import { until } from "@svc/testkit/until"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import * as Dns from "effect/net/Dns"
import { TestClock } from "effect/testing"
import * as net from "node:net"
import type { EgressPolicy, EgressRequest } from "./model.ts"
import { type DnsScript, listen, rawServer, receiver, scriptedDns } from "./receiver.fixture.ts"
import { Egress, layer, layerNoDeps } from "./service.ts"

const egressOn = (policy: EgressPolicy, dns: Layer.Layer<Dns.Dns>) => Layer.provide(layerNoDeps(policy), dns)
const egress = (policy: EgressPolicy, script: DnsScript = {}) => egressOn(policy, scriptedDns(script).layer)
const resolver = (lookup: Parameters<typeof Dns.make>[0]["lookup"]) => Layer.succeed(Dns.Dns, Dns.make({ lookup }))
const loopback = egress({ allow: ["127.0.0.1"] })

const post = (url: string, more: Partial<EgressRequest> = {}) =>
  Egress.use((service) => service.post({ url, headers: {}, body: "{}", timeout: "10 seconds", maxResponseBytes: 1024, ...more }))
const failure = (url: string, more: Partial<EgressRequest> = {}) => Effect.flip(post(url, more))
const reason = (url: string, more: Partial<EgressRequest> = {}) => Effect.map(failure(url, more), (error) => error.reason)

describe("post", () => {
  it.effect("sends the body and the headers, and answers with status, headers and body", () =>
    Effect.gen(function*() {
      const port = yield* receiver((request, response) => {
        request.setEncoding("utf8").on("data", (body: string) => {
          response.writeHead(201, { "X-Seen": `${request.method} ${request.url}`, "set-cookie": ["a=1", "b=2"] })
          response.end(`${request.headers["webhook-id"]}|${request.headers["content-length"]}|${body}`)
        })
      })
      const answer = yield* post(`http://127.0.0.1:${port}/hooks?a=b#c`, { headers: { "Webhook-ID": "whq_1" }, body: "{\"name\":\"Zoë\"}" })
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.headers["x-seen"], "POST /hooks?a=b")
      assert.strictEqual(answer.headers["set-cookie"], "a=1, b=2")
      assert.strictEqual(answer.body, "whq_1|15|{\"name\":\"Zoë\"}")
    }).pipe(Effect.provide(loopback)))

  it.effect.each([200, 204, 302, 307, 308, 400, 404, 410, 429, 500, 503])(
    "answers with status %d and follows nothing",
    (status) =>
      Effect.gen(function*() {
        let followed = 0
        const elsewhere = yield* listen(net.createServer(() => followed++))
        const port = yield* receiver((_, response) => response.writeHead(status, { location: `http://127.0.0.1:${elsewhere}/` }).end())
        assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).status, status)
        assert.strictEqual(followed, 0)
      }).pipe(Effect.provide(loopback))
  )

  it.effect("keeps the framing and routing headers to itself", () =>
    Effect.gen(function*() {
      const port = yield* receiver((request, response) => response.end(JSON.stringify(request.headers)))
      const answer = yield* post(`http://127.0.0.1:${port}/`, {
        headers: {
          Host: "inner.example",
          "Content-Length": "9999",
          "Transfer-Encoding": "chunked",
          Connection: "close",
          Expect: "100-continue",
          Upgrade: "h2c",
          "X-Own": "1"
        }
      })
      assert.deepStrictEqual(JSON.parse(answer.body), {
        "x-own": "1",
        host: `127.0.0.1:${port}`,
        connection: "keep-alive",
        "content-length": "2"
      })
    }).pipe(Effect.provide(loopback)))

  it.effect.each([{ "x-a": "1\r\nx-b: 2" }, { "x a": "1" }, { "x-a": "\u20ac" }])(
    "dies of headers HTTP does not allow: %j",
    (headers) =>
      Effect.gen(function*() {
        let connections = 0
        const port = yield* listen(net.createServer(() => connections++))
        assert.isTrue(Exit.hasDies(yield* Effect.exit(post(`http://127.0.0.1:${port}/`, { headers }))))
        assert.strictEqual(connections, 0)
      }).pipe(Effect.provide(loopback))
  )

  it.effect("keeps one connection to an origin, for which DNS is asked once", () => {
    const dns = scriptedDns({ "receiver.example": [["127.0.0.1"]] })
    return Effect.gen(function*() {
      const connections = new Set<net.Socket>()
      const port = yield* receiver((request, response) => {
        connections.add(request.socket)
        response.end("ok")
      })
      for (let i = 0; i < 50; i++) yield* post(`http://receiver.example:${port}/`)
      assert.strictEqual(connections.size, 1)
      assert.deepStrictEqual(dns.asked, ["receiver.example"])
    }).pipe(Effect.provide(egressOn({ allow: ["receiver.example"] }, dns.layer)))
  })

  it.effect("closes its connections with its scope", () =>
    Effect.gen(function*() {
      const closed: Array<string | undefined> = []
      const port = yield* receiver((request, response) => {
        request.socket.on("close", () => closed.push(request.url))
        response.end()
      })
      // The older one, whose scope stays open, closes by itself when it has been idle for a while.
      yield* Effect.gen(function*() {
        yield* post(`http://127.0.0.1:${port}/open`)
        yield* Effect.provide(post(`http://127.0.0.1:${port}/closed`), egress({ allow: ["127.0.0.1"] }), { local: true })
        yield* until("both are closed", Effect.sync(() => closed.length === 2))
      }).pipe(Effect.provide(loopback, { local: true }))
      assert.deepStrictEqual(closed, ["/closed", "/open"])
    }))

  it.effect("resolves with the operating system when no other resolver is given", () =>
    Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.end("here"))
      assert.strictEqual((yield* post(`http://localhost:${port}/`)).body, "here")
    }).pipe(Effect.provide(layer({ allow: ["localhost"] }))))
})

describe("refusals", () => {
  it.effect.each(["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost", "0.0.0.0"])(
    "connects to nothing at %s",
    (host) =>
      Effect.gen(function*() {
        let connections = 0
        const port = yield* listen(net.createServer(() => connections++), "0.0.0.0")
        assert.strictEqual(yield* reason(`http://${host}:${port}/`), "refused_address")
        assert.strictEqual(connections, 0)
      }).pipe(Effect.provide(egress({ allow: [] }, { localhost: [["127.0.0.1"]] })))
  )

  it.effect("come before DNS is asked", () => {
    const dns = scriptedDns({})
    return Effect.gen(function*() {
      assert.strictEqual(yield* reason("ftp://receiver.example/"), "invalid_url")
      assert.strictEqual(yield* reason("https://receiver.example:22/"), "invalid_url")
      assert.deepStrictEqual(dns.asked, [])
    }).pipe(Effect.provide(egressOn({ allow: [] }, dns.layer)))
  })

  it.effect("of an answer that is not public", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* reason("https://receiver.example/"), "refused_address")
    }).pipe(Effect.provide(egress({ allow: [] }, { "receiver.example": [["10.0.0.1"]] }))))
})

describe("names", () => {
  it.effect("that do not exist are unresolvable", () =>
    Effect.gen(function*() {
      const error = yield* failure("https://receiver.example/")
      assert.strictEqual(error.reason, "unresolvable")
      assert.match(error.message, /receiver\.example does not exist/)
    }).pipe(Effect.provide(egress({ allow: [] }))))

  it.effect.each(["Temporary", "Timeout", "ServerFailure", "Refused", "Unknown"] as const)(
    "that cannot be resolved just now (%s) may be tried again",
    (cause) =>
      Effect.gen(function*() {
        const dns = resolver((hostname) => Effect.fail(new Dns.DnsError({ reason: cause, method: "lookup", hostname })))
        assert.strictEqual(yield* Effect.provide(reason("https://receiver.example/"), egressOn({ allow: [] }, dns)), "connection")
      })
  )
})

describe("broken connections", () => {
  it.effect("a closed port is a connection failure", () =>
    Effect.gen(function*() {
      const port = yield* Effect.scoped(rawServer(() => {}))
      assert.strictEqual(yield* reason(`http://127.0.0.1:${port}/`), "connection")
    }).pipe(Effect.provide(loopback)))

  it.effect.each<readonly [label: string, handle: (socket: net.Socket) => void]>([
    ["a reset", (socket) => socket.once("data", () => socket.resetAndDestroy())],
    ["a close", (socket) => socket.once("data", () => socket.end())],
    [
      "a reset in the body",
      (socket) =>
        socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", () => socket.resetAndDestroy()))
    ],
    ["a close in the body", (socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"))],
    ["an answer that is not HTTP", (socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.2\r\n"))],
    [
      "an answer with two lengths",
      (socket) => socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab"))
    ],
    [
      "a switch of protocols",
      (socket) =>
        socket.once("data", () => socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"))
    ]
  ])("%s is a connection failure", ([, handle]) =>
    Effect.gen(function*() {
      const port = yield* rawServer(handle)
      assert.strictEqual(yield* reason(`http://127.0.0.1:${port}/`), "connection")
    }).pipe(Effect.provide(loopback)))
})

describe("connections that died in the pool", () => {
  /** Answers the first request of the first connection and cuts the second; every other connection works. */
  const dyingServer = () => {
    const seen: Array<string> = []
    let first = true
    const port = rawServer((socket) => {
      const dies = first
      const name = first ? "first" : "later"
      first = false
      let requests = 0
      socket.on("data", () => {
        seen.push(name)
        if (dies && ++requests === 2) socket.resetAndDestroy()
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      })
    })
    return { port, seen }
  }

  it.effect("are replaced once when the request is repeatable", () =>
    Effect.gen(function*() {
      const server = dyingServer()
      const url = `http://127.0.0.1:${yield* server.port}/`
      assert.strictEqual((yield* post(url, { repeatable: true })).status, 200)
      assert.strictEqual((yield* post(url, { repeatable: true })).status, 200)
      assert.deepStrictEqual(server.seen, ["first", "first", "later"])
    }).pipe(Effect.provide(loopback)))

  it.effect("fail the request otherwise, since it may have arrived", () =>
    Effect.gen(function*() {
      const server = dyingServer()
      const url = `http://127.0.0.1:${yield* server.port}/`
      assert.strictEqual((yield* post(url)).status, 200)
      assert.strictEqual(yield* reason(url), "connection")
      assert.deepStrictEqual(server.seen, ["first", "first"])
    }).pipe(Effect.provide(loopback)))

  it.effect("are no excuse for a fresh connection that fails", () =>
    Effect.gen(function*() {
      let connections = 0
      const port = yield* rawServer((socket) => {
        connections++
        socket.once("data", () => socket.resetAndDestroy())
      })
      assert.strictEqual(yield* reason(`http://127.0.0.1:${port}/`, { repeatable: true }), "connection")
      assert.strictEqual(connections, 1)
    }).pipe(Effect.provide(loopback)))
})

describe("limits", () => {
  it.effect.each([0, 1, 1023, 1024])("reads a body of %d of 1024 bytes", (size) =>
    Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.end("x".repeat(size)))
      assert.strictEqual((yield* post(`http://127.0.0.1:${port}/`)).body.length, size)
    }).pipe(Effect.provide(loopback)))

  it.effect("refuses a body of one byte more", () =>
    Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.end("x".repeat(1025)))
      assert.strictEqual(yield* reason(`http://127.0.0.1:${port}/`), "response_too_large")
    }).pipe(Effect.provide(loopback)))

  it.effect("hangs up on a huge body, and keeps its status", () =>
    Effect.gen(function*() {
      const finished = yield* Deferred.make<boolean>()
      const port = yield* receiver((_, response) => {
        response.on("close", () => Deferred.doneUnsafe(finished, Effect.succeed(response.writableFinished)))
        response.writeHead(202).end(Buffer.alloc(50_000_000))
      })
      const error = yield* failure(`http://127.0.0.1:${port}/`)
      assert.deepStrictEqual([error.reason, error.status], ["response_too_large", 202])
      assert.isFalse(yield* Deferred.await(finished))
    }).pipe(Effect.provide(loopback)))

  it.effect.each<readonly [label: string, status: number | undefined, reply: string]>([
    ["an answer that breaks off", 200, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"],
    ["headers that break off", 500, "HTTP/1.1 500 No\r\nX-Half"],
    [
      "too many headers after an interim answer",
      204,
      `HTTP/1.1 103 Early\r\nLink: <a>\r\n\r\nHTTP/1.1 204 No\r\nX: ${"x".repeat(20_000)}\r\n\r\n`
    ],
    ["an interim answer alone", undefined, "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n"],
    ["half a status line", undefined, "HTTP/1.1 20"]
  ])("%s leaves the status %s", ([, status, reply]) =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => socket.once("data", () => socket.end(reply)))
      assert.strictEqual((yield* failure(`http://127.0.0.1:${port}/`)).status, status)
    }).pipe(Effect.provide(loopback)))

  it.effect("refuses endless headers", () =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) =>
        socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`))
      )
      assert.strictEqual(yield* reason(`http://127.0.0.1:${port}/`), "response_too_large")
    }).pipe(Effect.provide(loopback)))

  it.effect.each<readonly [label: string, reply: string]>([
    ["no answer", ""],
    ["half a status line", "HTTP/1.1 20"],
    ["half the headers", "HTTP/1.1 200 OK\r\nX-Half"],
    ["half the body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234"]
  ])("%s in time is a timeout, and hangs up", ([, reply]) =>
    Effect.gen(function*() {
      const [sent, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const port = yield* rawServer((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        socket.once("data", () => socket.write(reply, () => Deferred.doneUnsafe(sent, Effect.void)))
      })
      const fiber = yield* Effect.forkChild(failure(`http://127.0.0.1:${port}/path?token=secret`))
      yield* Deferred.await(sent)
      yield* TestClock.adjust("9999 millis")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error.reason, "timeout")
      assert.notInclude(error.message, "secret")
      yield* Deferred.await(closed)
    }).pipe(Effect.provide(loopback)))

  it.effect("a resolver that hangs is a timeout too", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const dns = resolver(() => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
      const fiber = yield* Effect.forkChild(Effect.provide(reason("https://receiver.example/"), egressOn({ allow: [] }, dns)))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "timeout")
    }))

  it.effect("interruption hangs up", () =>
    Effect.gen(function*() {
      const [arrived, closed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const port = yield* receiver((request) => {
        request.socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        Deferred.doneUnsafe(arrived, Effect.void)
      })
      const fiber = yield* Effect.forkChild(post(`http://127.0.0.1:${port}/`))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    }).pipe(Effect.provide(loopback)))

  it.effect("holds 2,000 requests at once to 256 connections of one origin", () =>
    Effect.gen(function*() {
      const connections = new Set<net.Socket>()
      const port = yield* receiver((request, response) => {
        connections.add(request.socket)
        response.end("ok")
      })
      const answers = yield* Effect.forEach(Array.from({ length: 2000 }), () => post(`http://127.0.0.1:${port}/`), {
        concurrency: "unbounded"
      })
      assert.isTrue(answers.every(({ status, body }) => status === 200 && body === "ok"))
      assert.isAtMost(connections.size, 256)
    }).pipe(Effect.provide(loopback)))
})
