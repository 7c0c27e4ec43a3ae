import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as net from "node:net"
import type { EgressPolicy, EgressRequest } from "./model.ts"
import { type DnsScript, listen, receiver, scriptedDns } from "./receiver.fixture.ts"
import { makeSend } from "./transport.ts"

// The port rule stands before the transport, so that here a name may have the port of a test's server.
const request: Omit<EgressRequest, "url"> = { headers: {}, body: "{}", timeout: "10 seconds", maxResponseBytes: 1024 }
const sender = (policy: EgressPolicy, script: DnsScript) =>
  Effect.map(
    Effect.provide(makeSend(policy), scriptedDns(script).layer),
    (send) => (url: string) => send(new URL(url), { ...request, url })
  )

describe("the socket's own look-up", () => {
  it.effect.each<readonly [label: string, allow: ReadonlyArray<string>, answers: ReadonlyArray<string>]>([
    ["loopback", [], ["127.0.0.1"]],
    ["a mapped loopback", [], ["::ffff:127.0.0.1"]],
    ["loopback through NAT64", [], ["64:ff9b::7f00:1"]],
    ["any address of this machine", [], ["0.0.0.0"]],
    ["the one address allowed, from a name that is not", ["127.0.0.1"], ["127.0.0.1"]],
    ["another loopback address than the one allowed", ["127.0.0.1/32"], ["127.0.0.2"]],
    ["an address allowed for another port", ["127.0.0.1:1"], ["127.0.0.1"]],
    ["loopback after an allowed address", ["127.0.0.1/32"], ["127.0.0.1", "127.0.0.2"]],
    ["loopback before an allowed address", ["127.0.0.1/32"], ["127.0.0.2", "127.0.0.1"]],
    ["a private address beside an allowed one", ["127.0.0.1/32"], ["127.0.0.1", "10.0.0.1"]],
    ["a private IPv6 address beside an allowed IPv4 one", ["127.0.0.1/32"], ["127.0.0.1", "fd00::1"]]
  ])("connects to nothing when a name answers %s", ([, allow, answers]) =>
    Effect.gen(function*() {
      let connections = 0
      const port = yield* listen(net.createServer(() => connections++), "0.0.0.0")
      const send = yield* sender({ allow }, { "evil.example": [answers] })
      assert.strictEqual((yield* Effect.flip(send(`http://evil.example:${port}/`))).reason, "refused_address")
      assert.strictEqual((yield* Effect.flip(send(`https://evil.example:${port}/`))).reason, "refused_address")
      assert.strictEqual(connections, 0)
    }))

  it.effect("judges a name anew for every connection, so that a changed answer gains nothing", () =>
    Effect.gen(function*() {
      let connections = 0
      const port = yield* listen(
        net.createServer((socket) => {
          connections++
          socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
        }),
        "0.0.0.0"
      )
      const send = yield* sender({ allow: ["127.0.0.1/32"] }, { "evil.example": [["127.0.0.1"], ["127.0.0.2"]] })
      assert.strictEqual((yield* send(`http://evil.example:${port}/`)).status, 200)
      assert.strictEqual((yield* Effect.flip(send(`http://evil.example:${port}/`))).reason, "refused_address")
      assert.strictEqual(connections, 1)
    }))

  it.effect("stays on a checked connection whatever the name answers later", () =>
    Effect.gen(function*() {
      const seen: Array<string | undefined> = []
      const port = yield* receiver((incoming, response) => {
        seen.push(incoming.socket.localAddress)
        response.end()
      })
      const send = yield* sender({ allow: ["127.0.0.1/32"] }, { "evil.example": [["127.0.0.1"], ["127.0.0.2"]] })
      yield* send(`http://evil.example:${port}/`)
      yield* send(`http://evil.example:${port}/`)
      assert.deepStrictEqual(seen, ["127.0.0.1", "127.0.0.1"])
    }))

  it.effect("tries the next address when one does not answer", () =>
    Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.end("second"))
      const send = yield* sender({ allow: ["127.0.0.1/32", "::1/128"] }, { "receiver.example": [["::1", "127.0.0.1"]] })
      assert.strictEqual((yield* send(`http://receiver.example:${port}/`)).body, "second")
    }))
})
