/**
 * M14, as it happens: whoever points the tool server at an address that is not public gets a refusal, and no connection is made. Every tool
 * is called with such addresses in each of its texts, and what the installation itself calls, the facilitator of payments, is held to the
 * same.
 */
import { assert, layer } from "@effect/vitest"
import { listen, receiver, scriptedDns } from "@svc/kernel/egress/receiver.fixture"
import * as Egress from "@svc/kernel/egress/service"
import * as Facilitator from "@svc/paywall/payment/facilitator"
import { stablecoin, transferOf } from "@svc/paywall/payment/fixture"
import { all } from "@svc/tools/catalog/index"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { createServer, Socket } from "node:net"
import { send, ServerLog } from "../../contract/service.ts"
import { grantCredits, layerWith, openCaller } from "../service.ts"

/** Spellings of addresses that are nobody's but one's own, or a network's. `{port}` is where somebody listens who should hear nothing. */
const addresses = [
  "http://127.0.0.1:{port}/",
  "http://localhost:{port}/",
  "http://2130706433:{port}/",
  "http://0x7f.1:{port}/",
  "http://127.1:{port}/",
  "http://[::1]:{port}/",
  "http://[::ffff:127.0.0.1]:{port}/",
  "http://0.0.0.0:{port}/",
  "http://[::]:{port}/",
  "http://localhost.:{port}/",
  "http://10.0.0.1/",
  "http://192.168.1.1/",
  "http://172.16.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://100.100.100.200/",
  "http://[fd00:ec2::254]/",
  "http://[fe80::1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://metadata.google.internal/",
  "https://github.com@127.0.0.1:{port}/a/b",
  "https://127.0.0.1:{port}/github.com/a/b",
  "file:///etc/passwd",
  "gopher://127.0.0.1:{port}/"
]

/** Every address that this process tries to connect to while `use` runs. A name that is refused once it is resolved comes to none. */
const connectionsOf = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const tried: Array<string> = []
    const { connect } = Socket.prototype
    const put = (value: unknown) => Object.defineProperty(Socket.prototype, "connect", { value, configurable: true, writable: true })
    put(function(this: Socket, ...args: Parameters<typeof connect>): Socket {
      this.on("connectionAttempt", (ip: string, port: number) => tried.push(`${ip}:${port}`))
      return connect.apply(this, args)
    })
    return Effect.map(Effect.ensuring(use, Effect.sync(() => put(connect))), () => tried)
  })

const payment = {
  _tag: "Stablecoin",
  protocol: "x402-v1",
  signed: { scheme: "exact", authorization: transferOf(`0x${"ab".repeat(32)}`) },
  signature: `0x${"11".repeat(65)}`
} as const
const transfer = { payment, stablecoin, cents: 5 }

const facilitatorAt = (url: string, out: Layer.Layer<Egress.Egress>) =>
  Effect.flatMap(Facilitator.Facilitator, ({ settle, verify }) => Effect.all([verify(transfer), settle(transfer, 5)])).pipe(
    Effect.provide(Facilitator.remote(url).pipe(Layer.provide(out)))
  )

/** The example with an address in the place of each text that could be one, one after the other. */
const pointed = (example: unknown, url: string): ReadonlyArray<unknown> => {
  if (typeof example === "string") return [url]
  if (Array.isArray(example)) return example.flatMap((item, at) => pointed(item, url).map((changed) => example.with(at, changed)))
  if (typeof example !== "object" || example === null) return []
  return Object.entries(example).flatMap(([name, value]) => pointed(value, url).map((changed) => ({ ...example, [name]: changed })))
}

layer(layerWith({ EGRESS_ALLOW: "none" }), { excludeTestServices: true, timeout: "60 seconds" })("addresses that are not public", (it) => {
  it.effect("are connected to by no tool, wherever they stand in its arguments", () =>
    Effect.scoped(Effect.gen(function*() {
      let heard = 0
      const port = yield* listen(
        createServer((socket) => {
          heard++
          socket.destroy()
        }),
        "0.0.0.0"
      )
      const caller = yield* openCaller("pointing")
      yield* grantCredits(caller, 1_000_000)
      const own = new URL(HttpServer.formatAddress((yield* HttpServer.HttpServer).address)).port
      // The first opens what the process keeps open anyway.
      yield* send("POST", "/mcp", {
        key: caller.key,
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "svc_web_search", arguments: { operation: "search", query: "a" } }
        }
      })
      const calls = all.flatMap(({ examples, name }) =>
        addresses.flatMap((address, at) => {
          const ways = examples.flatMap((example) => pointed(example, address.replace("{port}", String(port))))
          // Each address somewhere, and each place with some address.
          return ways.filter((_, place) => place % addresses.length === at % Math.max(1, Math.min(ways.length, addresses.length))).map((
            args
          ) => ({ name, args }))
        })
      )
      assert.isAbove(calls.length, 500)
      const tried = yield* connectionsOf(Effect.forEach(calls, ({ args, name }) =>
        Effect.map(
          send("POST", "/mcp", {
            key: caller.key,
            body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
          }),
          ({ status, text }) => assert.isBelow(status, 500, text)
        ), { concurrency: 8, discard: true }))
      // The test asks the server, and the server its database.
      const elsewhere = tried.filter((to) => !to.endsWith(`:${own}`) && !to.includes("/.s.PGSQL."))
      assert.deepStrictEqual([heard, Array.from(new Set(elsewhere))], [0, []])
      assert.deepStrictEqual((yield* ServerLog).lines.splice(0), [])
    })), 600_000)

  it.effect("would be seen", () =>
    Effect.scoped(Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.end("{}"))
      const tried = yield* connectionsOf(facilitatorAt(`http://localhost:${port}`, Egress.layer({ allow: ["localhost"] })))
      assert.isNotEmpty(tried.filter((to) => to.endsWith(`:${port}`)))
    })))

  it.effect.each(addresses)("are no facilitator: %s", (address) =>
    Effect.scoped(Effect.gen(function*() {
      const port = yield* listen(createServer((socket) => socket.destroy()), "0.0.0.0")
      const tried = yield* connectionsOf(Effect.gen(function*() {
        const [verdict, settlement] = yield* facilitatorAt(address.replace("{port}", String(port)), Egress.layer({ allow: [] }))
        // Nothing was sent, so nothing can have moved: never "unknown".
        assert.deepStrictEqual([verdict._tag, settlement._tag], ["Unreachable", "Refused"])
      }))
      assert.deepStrictEqual(tried, [])
    })))

  it.effect.each([[["127.0.0.1"]], [["10.0.0.1"]], [["93.184.216.34", "169.254.169.254"]], [["::ffff:127.0.0.1"]], [["fd00::1"]]])(
    "nor are names that resolve to them: %j",
    (answers) => {
      const dns = scriptedDns({ "facilitator.example": answers })
      return Effect.gen(function*() {
        const tried = yield* connectionsOf(Effect.gen(function*() {
          const [verdict, settlement] = yield* facilitatorAt(
            "https://facilitator.example/",
            Layer.provide(Egress.layerNoDeps({ allow: [] }), dns.layer)
          )
          assert.deepStrictEqual([verdict._tag, settlement._tag], ["Unreachable", "Refused"])
        }))
        assert.deepStrictEqual(tried, [])
        // Asked once a connection: there is no second answer that could differ from the one that was looked at.
        assert.deepStrictEqual(dns.asked, ["facilitator.example", "facilitator.example"])
      })
    }
  )

  it.effect("nor is anybody followed who sends there", () =>
    Effect.scoped(Effect.gen(function*() {
      let followed = 0
      const elsewhere = yield* listen(createServer(() => followed++))
      const port = yield* receiver((_, response) => response.writeHead(307, { location: `http://127.0.0.1:${elsewhere}/` }).end())
      const [verdict, settlement] = yield* facilitatorAt(`http://127.0.0.1:${port}`, Egress.layer({ allow: [`127.0.0.1:${port}`] }))
      assert.deepStrictEqual([verdict._tag, settlement._tag, followed], ["Unreachable", "Unknown", 0])
    })))
})
