import { assert, describe, it, layer } from "@effect/vitest"
import { EgressError } from "@svc/kernel/egress/model"
import * as Egress from "@svc/kernel/egress/service"
import { startProvider } from "@svc/testkit/provider"
import type { Provider } from "@svc/testkit/provider"
import { Context, DateTime, Effect, Layer, Result, Stream } from "effect"
import { createServer } from "node:net"
import type { Socket } from "node:net"
import { setImmediate } from "node:timers/promises"
import { AnyRail, AnyRequest, visa } from "./fixture.ts"
import type { RailName, RailOutcomeUnknown, RailRequest, RailUnreachable } from "./model.ts"
import { Rails } from "./rail.ts"
import type { Rail } from "./rail.ts"
import { neverSent, remoteSimulatorRails } from "./remote-simulator.ts"
import { simulatorRails, SimulatorUrl } from "./simulator.ts"
import { RailBooks } from "./statement.ts"

const egress = Egress.layer({ allow: ["127.0.0.1"] })

const railsAt = (url: string, timeout = 10_000) =>
  Layer.build(Layer.provide(remoteSimulatorRails({ url, timeout }), egress)).pipe(Effect.map(Context.get(Rails)))

const named = (rails: Rails["Service"], name: RailName): Rail => {
  const rail = rails.byName(name)
  assert(rail !== undefined)
  return rail
}

/** A receiver on a loopback port that does `act` once the request has arrived. */
const receiver = (act: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly server: ReturnType<typeof createServer>; readonly sockets: Set<Socket> }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.once("data", () => act(socket))
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          Effect.succeed({ url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`, server, sockets })
        )
      })
    }),
    ({ server, sockets }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )

const http = (status: string, body: string) => (socket: Socket) =>
  void socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

const reset = (socket: Socket) => void socket.resetAndDestroy()

const call = { key: "svc_2", reference: "sim_1", amount: 5, currency: "USD" }

/** The failure of every call that acts, which must be one and the same. */
const failureOf = Effect.fnUntraced(function*(rails: Rails["Service"]) {
  const rail = named(rails, "card_a")
  const acts: ReadonlyArray<Effect.Effect<unknown, RailUnreachable | RailOutcomeUnknown>> = [
    rail.authorize(visa),
    rail.capture(call),
    rail.refund(call),
    rail.void(call)
  ]
  const tags = yield* Effect.forEach(acts, (act) => Effect.match(act, { onFailure: ({ _tag }) => _tag, onSuccess: () => "answered" }))
  return Array.from(new Set(tags)).join()
})

// Whatever the body says, only a 200 is an answer.
const done = `{"_tag":"Done","reference":"r"}`

type Broken = readonly [what: string, act: (socket: Socket) => void, failure: string]
const broken: ReadonlyArray<Broken> = [
  ["is reset after it arrived", reset, "RailOutcomeUnknown"],
  ["is closed without an answer", (socket) => void socket.destroy(), "RailOutcomeUnknown"],
  ["is never answered", () => {}, "RailOutcomeUnknown"],
  ["is answered half", (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"_tag\":"), "RailOutcomeUnknown"],
  ["is answered with something else than HTTP", (socket) => void socket.end("hello\r\n\r\n"), "RailOutcomeUnknown"],
  ["is answered with something else than JSON", http("200 OK", "<html>"), "RailOutcomeUnknown"],
  ["is answered in a form not agreed", http("200 OK", `{"_tag":"Maybe"}`), "RailOutcomeUnknown"],
  [
    "is approved for an amount that is none",
    http("200 OK", `{"_tag":"Approved","reference":"r","amount":1.5,"captured":true}`),
    "RailOutcomeUnknown"
  ],
  [
    "is answered at too great length",
    http("200 OK", JSON.stringify({ _tag: "Done", reference: "r", more: "x".repeat(70_000) })),
    "RailOutcomeUnknown"
  ],
  ["is redirected", http("307 Temporary Redirect", done), "RailOutcomeUnknown"],
  ["is answered 500", http("500 Internal Server Error", done), "RailOutcomeUnknown"],
  ["is answered 409", http("409 Conflict", done), "RailOutcomeUnknown"],
  ["is answered 410", http("410 Gone", done), "RailOutcomeUnknown"],
  ["is refused unseen", http("503 Service Unavailable", done), "RailUnreachable"]
]

describe("a call that", () => {
  it.live.each(broken)("%s", ([, act, failure]) =>
    Effect.gen(function*() {
      const { url } = yield* receiver(act)
      assert.strictEqual(yield* failureOf(yield* railsAt(url, 300)), failure)
    }).pipe(Effect.scoped))

  it.live("finds nobody listening did not reach the provider", () =>
    Effect.gen(function*() {
      const { url } = yield* Effect.scoped(receiver(() => {}))
      assert.strictEqual(yield* failureOf(yield* railsAt(url)), "RailUnreachable")
    }).pipe(Effect.scoped))

  it.live.each<[string, string]>([
    ["an address outside the policy", "http://127.0.0.2:80"],
    ["a name that does not exist", "http://no-such-host.invalid"],
    ["what is not a URL", "nowhere"]
  ])("goes to %s did not reach the provider", ([, url]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* failureOf(yield* railsAt(url)), "RailUnreachable")
    }).pipe(Effect.scoped))

  it.live("breaks on a connection that served before is not repeated behind our back", () =>
    Effect.gen(function*() {
      let arrived = 0
      const answer = JSON.stringify({ _tag: "Done", reference: "r" })
      const { url } = yield* receiver((socket) => {
        arrived += 1
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`)
        // The second request on this connection is read and then cut off.
        socket.once("data", () => {
          arrived += 1
          reset(socket)
        })
      })
      const rail = named(yield* railsAt(url), "card_a")
      assert.strictEqual((yield* rail.capture(call))._tag, "Done")
      // The connection goes back to the pool in the next turn of the event loop.
      yield* Effect.promise(() => setImmediate())
      assert.strictEqual((yield* Effect.flip(rail.capture(call)))._tag, "RailOutcomeUnknown")
      assert.strictEqual(arrived, 2)
    }).pipe(Effect.scoped))
})

describe("a broken connection never reached the provider", () => {
  const connect = (code: string) => Object.assign(new Error(code), { code, syscall: "connect" })
  const read = Object.assign(new Error("ECONNRESET"), { code: "ECONNRESET", syscall: "read" })
  it.each<[what: string, error: ConstructorParameters<typeof EgressError>[0], never: boolean]>([
    ["when it was refused", { reason: "connection", message: "", cause: connect("ECONNREFUSED") }, true],
    ["when every address was refused", {
      reason: "connection",
      message: "",
      cause: new AggregateError([connect("ECONNREFUSED"), connect("EHOSTUNREACH")])
    }, true],
    ["but not when one of several attempts says otherwise", {
      reason: "connection",
      message: "",
      cause: new AggregateError([connect("ECONNREFUSED"), read])
    }, false],
    ["but not when several attempts say nothing", { reason: "connection", message: "", cause: new AggregateError([]) }, false],
    ["but not when it broke while reading", { reason: "connection", message: "", cause: read }, false],
    ["but not when nothing is known of it", { reason: "connection", message: "" }, false],
    ["when the resolver failed for the moment", { reason: "connection", message: "", cause: { _tag: "DnsError" } }, true],
    ["when the certificate is not trusted", { reason: "tls", message: "", cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } }, true],
    ["but not when TLS broke at some time", { reason: "tls", message: "", cause: { code: "EPROTO" } }, false],
    ["but not when TLS broke for an unknown reason", { reason: "tls", message: "" }, false],
    ["but not when the time ran out", { reason: "timeout", message: "" }, false],
    ["but not when the answer was too long", { reason: "response_too_large", message: "", status: 200 }, false]
  ])("%s", (_what, error, expected) => {
    assert.strictEqual(neverSent(new EgressError(error)), expected)
  })
})

class Running extends Context.Service<Running, Provider>()("test/Running") {}
const running = Layer.provideMerge(
  Layer.unwrap(Effect.map(Running, ({ url }) => Layer.provide(remoteSimulatorRails({ url }), egress))),
  Layer.effect(Running, startProvider(0))
)

layer(running)("the remote simulator", (it) => {
  it.effect.prop("answers as the built-in one", [AnyRail, AnyRequest], ([name, any]) =>
    Effect.gen(function*() {
      const { url } = yield* Running
      const inline = simulatorRails.find((rail) => rail.name === name)
      assert(inline !== undefined)
      // One key is one call at the provider, so each request of this property has its own.
      const request: RailRequest = { ...any, key: `svc_${crypto.randomUUID()}` }
      const told = yield* Effect.result(named(yield* Rails, name).authorize(request))
      const expected = yield* Effect.result(inline.authorize(request).pipe(Effect.provideService(SimulatorUrl, "x")))
      if (Result.isFailure(expected)) {
        assert.strictEqual(Result.isFailure(told) ? told.failure._tag : told.success._tag, expected.failure._tag)
      } else if (expected.success._tag === "RequiresAction") {
        assert.deepStrictEqual(told, Result.succeed({ ...expected.success, url: `${url}/actions/${request.key}` }))
      } else {
        assert.deepStrictEqual(told, expected)
      }
    }), { arbitrary: { runs: 200 } })
})

layer(Layer.empty, { excludeTestServices: true })("the statement of a provider elsewhere", (it) => {
  it.effect("has what it did, also where its answer was lost, of one merchant and one time, however much that is", () =>
    Effect.gen(function*() {
      const { url } = yield* startProvider(0)
      const rail = named(yield* railsAt(url), "card_a")
      const from = yield* DateTime.now
      const taken = (n: number, merchant: string) =>
        rail.authorize({ ...visa, key: `svc_${merchant}_${n}`, merchant, amount: 100 + n, capture: true })
      yield* Effect.forEach(Array.from({ length: 250 }, (_, n) => n), (n) => taken(n, "a"), { concurrency: 8 })
      yield* taken(0, "b")
      yield* Effect.promise(() => fetch(`${url}/faults`, { method: "POST", body: JSON.stringify({ kind: "reset_after" }) }))
      assert.strictEqual((yield* Effect.flip(taken(1, "b")))._tag, "RailOutcomeUnknown")
      const statement = (merchant: string, to: DateTime.Utc) =>
        Stream.runCollect(rail.statement!.lines({ merchant, from, to })).pipe(
          Effect.provideService(RailBooks, { lines: () => Stream.die("these books are elsewhere") })
        )
      const to = DateTime.add(yield* DateTime.now, { seconds: 1 })
      assert.deepStrictEqual(
        (yield* statement("a", to)).map(({ amount }) => amount).toSorted((a, b) => a - b),
        Array.from({ length: 250 }, (_, n) => 100 + n)
      )
      assert.deepStrictEqual((yield* statement("b", to)).map(({ amount, currency, type }) => [type, amount, currency]), [[
        "capture",
        100,
        "USD"
      ], ["capture", 101, "USD"]])
      assert.deepStrictEqual(yield* statement("a", from), [])
    }))
})
