/** How each door of MCP shapes what the gate answers, and what it holds callers to. */
import { assert, describe, it, layer } from "@effect/vitest"
import { MOST_KIB } from "@svc/doors/mcp/body"
import { Limits } from "@svc/doors/mcp/limits"
import { Patience } from "@svc/server/listener"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { until } from "../until.ts"
import { field } from "./conformance/parts.ts"
import {
  begun,
  behindProxy,
  bell,
  BOTH,
  call,
  doors,
  eventsOf,
  finished,
  goOn,
  initialize,
  interrupted,
  post,
  PUBLIC_URL,
  send,
  session
} from "./doors-fixture.ts"
import { base } from "./listener.ts"

const limitedTo = (few: Partial<(typeof Limits)["Service"]>) =>
  doors.pipe(Layer.provide(Layer.unwrap(Effect.map(Limits, (limits) => Layer.succeed(Limits, { ...limits, ...few })))))

const few = limitedTo({
  sessions: 3,
  runs: 2,
  answers: 2,
  answerSize: 1_000,
  replay: 2_000,
  room: 1_000,
  roomWithin: Duration.seconds(1),
  keepAlive: Duration.seconds(1),
  hold: Duration.seconds(1)
})

/** Waits until so many calls with this argument have reached their tool. */
const hasBegun = (who: string, times = 1) =>
  until(`${who} begins`, Effect.sync(() => begun.filter((args) => field(args, "who") === who).length >= times))
/** Waits until a call with this argument is in the list. */
const isIn = (list: ReadonlyArray<unknown>, who: string) =>
  until(`${who} ends`, Effect.sync(() => list.some((args) => field(args, "who") === who)))

const modern = (method: string, params: object, headers: Readonly<Record<string, string>> = {}) =>
  post({
    jsonrpc: "2.0",
    id: 1,
    method,
    params: {
      _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
      ...params
    }
  }, {
    ...BOTH,
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...headers
  })

describe("the doors of MCP", () => {
  it.live("close when the service stops, whoever still reads", () =>
    Effect.gen(function*() {
      const patience = Layer.succeed(Patience, { answer: Duration.seconds(25), stop: Duration.seconds(60) })
      const streams = yield* Effect.scoped(Effect.gen(function*() {
        const context = yield* Layer.build(doors.pipe(Layer.provide(patience)))
        const { url, headers } = yield* Effect.provideContext(Effect.all({ url: base, headers: session() }), context)
        return yield* Effect.forEach(
          ["/mcp", "/v1/mcp/sse"],
          (path) => Effect.promise(() => fetch(`${url}${path}`, { headers: { ...headers, accept: "text/event-stream" } }))
        )
      }))
      // A stream that is not ended in time is cut off after a minute, and cannot be read to its end.
      const texts = yield* Effect.promise(() => Promise.all(streams.map((stream) => stream.text().catch(() => "cut off"))))
      assert.lengthOf(texts, 2)
      for (const text of texts) assert.notInclude(text, "cut off")
    }), 120_000)

  layer(doors, { excludeTestServices: true, timeout: "60 seconds" })("without a session", (it) => {
    it.effect("answer HEAD where GET opens a stream, and keep nothing open for it", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        for (const path of ["/mcp", "/v1/mcp/sse"]) {
          const { status } = yield* send(path, { method: "HEAD", headers: { ...headers, accept: "text/event-stream" } })
          assert.strictEqual(status, 200, path)
        }
      }))

    it.effect.each(["*/*", "text/html", "application/json", "text/event-stream"])("answer %s as JSON", (accept) =>
      Effect.gen(function*() {
        for (const path of ["/mcp", "/v1/mcp"]) {
          const { body, headers, status } = yield* post(call("any", { a: 1 }, {}, "x"), { accept }, path)
          assert.deepStrictEqual([status, headers.get("content-type"), headers.get("x-svc-request-cost")], [200, "application/json", "1"])
          assert.strictEqual(field(body, "id"), "x")
          assert.deepStrictEqual(field(body, "result", "structuredContent"), {
            name: "any",
            args: { a: 1 },
            url: `${PUBLIC_URL}${path}`
          })
        }
      }))

    it.effect("ask for a payment by 402, with a header line for each challenge", () =>
      Effect.gen(function*() {
        const url = yield* base
        const { body, headers, status } = yield* post(call("pay"))
        assert.strictEqual(status, 402)
        assert.deepInclude(body, { error: "Payment Required", price: "0.01", status: 402 })
        assert.deepStrictEqual([headers.get("content-type"), headers.get("cache-control"), headers.get("payment-required")], [
          "application/problem+json",
          "no-store",
          "eyJ4NDAyVmVyc2lvbiI6Mn0="
        ])
        assert.match(headers.get("request-id") ?? "", /^req_/)
        const lines = yield* Effect.promise(() =>
          new Promise<ReadonlyArray<string>>((resolve, reject) => {
            void import("node:http").then(({ request }) =>
              request(`${url}/mcp`, { method: "POST" }, (answer) => {
                answer.resume()
                resolve(
                  answer.rawHeaders.filter((_, at) => at % 2 === 1 && answer.rawHeaders[at - 1]?.toLowerCase() === "www-authenticate")
                )
              }).on("error", reject).end(JSON.stringify(call("pay")))
            )
          })
        )
        assert.deepStrictEqual(lines, ["Payment id=\"ch_1\", method=\"stripe\"", "Payment id=\"ch_2\", method=\"evm\""])
      }))

    it.effect("tell refusals of ours by the status of HTTP too, and those of the protocol not", () =>
      Effect.gen(function*() {
        const auth = yield* post(call("auth"))
        assert.deepStrictEqual([
          auth.status,
          auth.headers.get("www-authenticate"),
          field(auth.body, "error", "code"),
          field(auth.body, "error", "data", "code")
        ], [401, "Bearer realm=\"svc\"", 4010, "AUTH_REQUIRED"])
        const wrong = yield* post(call("arguments"))
        assert.deepStrictEqual([wrong.status, field(wrong.body, "error", "code")], [200, -32602])
        const pending = yield* post(call("pending"))
        assert.deepStrictEqual([
          pending.status,
          pending.headers.get("location"),
          field(pending.body, "result", "structuredContent", "pending")
        ], [202, "/v1/calls/call_1", true])
        const broken = yield* post(call("broken"))
        assert.deepStrictEqual([broken.status, field(broken.body, "error", "code")], [200, -32603])
        assert.notInclude(broken.text, "secret")
      }))

    it.effect("answer each of a batch, and ask for payment in it", () =>
      Effect.gen(function*() {
        const { body, status } = yield* post([
          call("any", {}, {}, 1),
          { jsonrpc: "2.0", method: "notifications/initialized" },
          call("pay", {}, {}, null),
          7,
          call("auth", {}, {}, "c")
        ])
        assert.strictEqual(status, 200)
        const answers = Array.isArray(body) ? body : []
        assert.lengthOf(answers, 4)
        const paid = answers.find((one) => field(one, "result", "isError") === true)
        assert.deepStrictEqual([
          field(paid, "id"),
          field(paid, "result", "structuredContent", "x402Version"),
          field(paid, "result", "_meta", "org.paymentauth/payment-required", "challenges")
        ], [null, 2, [{ id: "ch_1", method: "stripe" }]])
        assert.deepStrictEqual((yield* post([])).status, 400)
        assert.deepStrictEqual((yield* post(Array.from({ length: 51 }, () => call("any")))).status, 400)
        assert.deepStrictEqual((yield* post([{ jsonrpc: "2.0", method: "notifications/initialized" }])).status, 202)
      }))

    it.effect.each([
      { sent: "{", status: 400, code: -32700 },
      { sent: "", status: 400, code: -32700 },
      { sent: "7", status: 400, code: -32600 },
      { sent: "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", status: 400, code: -32600 },
      { sent: "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", status: 400, code: -32600 },
      { sent: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"no/such\"}", status: 200, code: -32601 },
      { sent: "{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"ping\"}", status: 400, code: -32600 },
      { sent: "{\"jsonrpc\":\"2.0\",\"id\":-9007199254740992,\"method\":\"ping\"}", status: 400, code: -32600 },
      { sent: `${"[".repeat(70)}${"]".repeat(70)}`, status: 400, code: -32600 },
      {
        sent: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"any","arguments":${"{\"a\":".repeat(90)}1${
          "}".repeat(90)
        }}}`,
        status: 400,
        code: -32600
      },
      { sent: `"${"x".repeat(MOST_KIB * 1024)}"`, status: 413, code: -32600 }
    ])("refuse what is none of their messages ($code, $status)", ({ code, sent, status }) =>
      Effect.gen(function*() {
        const answer = yield* post(sent)
        assert.deepStrictEqual([answer.status, field(answer.body, "error", "code")], [status, code])
      }))

    it.effect("take parameters, arguments and cursors that are empty for none", () =>
      Effect.gen(function*() {
        for (const params of ["null", "[]", "{}"]) {
          for (const method of ["ping", "tools/list"]) {
            const told = yield* post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)
            assert.deepStrictEqual([told.status, field(told.body, "error")], [200, undefined], `${method} ${params}`)
          }
        }
        for (const args of [null, []]) {
          const told = yield* post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "any", arguments: args, _meta: args } })
          assert.deepStrictEqual(field(told.body, "result", "structuredContent", "args"), {})
        }
        const list = (cursor: unknown) => post({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor } })
        assert.isArray(field((yield* list(null)).body, "result", "tools"))
        assert.strictEqual(field((yield* list("x")).body, "error", "code"), -32602)
        for (const params of ["[1]", "\"x\"", "7", "false"]) {
          const told = yield* post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`)
          assert.deepStrictEqual([told.status, field(told.body, "error", "code")], [400, -32600], params)
        }
      }))

    it.effect("are the same with a slash at the end", () =>
      Effect.gen(function*() {
        for (const path of ["/mcp/", "/v1/mcp/", "/mcp/?a=b"]) {
          assert.strictEqual((yield* post(call("any"), {}, path)).status, 200, path)
        }
        assert.strictEqual((yield* post(call("any"), {}, "/mcp//")).status, 404)
        assert.strictEqual((yield* post(call("any"), {}, "/v1/mcp/sse/")).status, 404)
      }))

    it.effect("echo whole characters alone", () =>
      Effect.gen(function*() {
        const ask = (message: string) => Effect.map(post(message), ({ body, status, text }) => ({ body, status, text }))
        const long = yield* ask(`{"jsonrpc":"2.0","id":1,"method":"${"x".repeat(79)}😀"}`)
        assert.match(String(field(long.body, "error", "message")), /^There is no method x{79}\. This/u)
        const half = yield* ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\\ud800\"}")
        assert.match(String(field(half.body, "error", "message")), /^There is no method x\ufffd\. This/u)
        const id = yield* ask("{\"jsonrpc\":\"2.0\",\"id\":\"\\ud800\",\"method\":\"ping\"}")
        assert.deepStrictEqual([id.status, field(id.body, "error", "code"), field(id.body, "id")], [400, -32600, null])
        const twice = yield* ask(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"${"x".repeat(79)}😀":1,"${"x".repeat(79)}😀":2}}`)
        assert.include(String(field(twice.body, "error", "message")), `"${"x".repeat(79)}" stands twice`)
        for (const { text } of [long, half, id, twice]) assert.notMatch(text, /\\ud[89a-f]/u)
      }))

    it.effect("answer an id as it came, and refuse one that would come back as another", () =>
      Effect.gen(function*() {
        for (const id of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0, 1.5, "9007199254740993", null]) {
          assert.strictEqual(field((yield* post({ jsonrpc: "2.0", id, method: "ping" })).body, "id"), id)
        }
        const changed = yield* post("{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,\"method\":\"ping\"}")
        assert.match(String(field(changed.body, "error", "message")), /send it as a string/)
      }))

    it.effect("refuse a name that stands twice, and run nothing", () =>
      Effect.gen(function*() {
        const before = finished.length
        const refused = yield* post(
          "{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"tools/call\",\"params\":{\"name\":\"slow\",\"arguments\":{\"amount\":1,\"amount\":100}}}"
        )
        assert.deepStrictEqual([refused.status, field(refused.body, "error", "code"), field(refused.body, "id")], [400, -32600, "d"])
        assert.match(String(field(refused.body, "error", "message")), /"amount" stands twice/)
        assert.strictEqual(finished.length, before)
      }))

    it.effect("refuse initialize in a batch, also alone in it", () =>
      Effect.gen(function*() {
        const headers = yield* session("2025-03-26")
        for (const more of [{}, headers]) {
          const { body, headers: told } = yield* post([initialize("2025-03-26")], { ...BOTH, ...more })
          const answer: unknown = Array.isArray(body) ? body[0] : body
          assert.deepStrictEqual([field(answer, "error", "code"), field(answer, "result")], [-32600, undefined])
          if (!("mcp-session-id" in more)) assert.isNull(told.get("mcp-session-id"))
        }
      }))

    it.effect("refuse bytes that are no text, and bodies that are compressed", () =>
      Effect.gen(function*() {
        const bytes = yield* send("/mcp", { method: "POST", body: new Uint8Array([0x22, 0xff, 0x22]) })
        assert.deepStrictEqual([bytes.status, field(bytes.body, "error", "code")], [400, -32700])
        assert.strictEqual((yield* post(call("any"), { "content-encoding": "gzip" })).status, 415)
      }))

    it.effect("finish a call whose caller has gone", () =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(post(call("slow", { who: "left" })))
        yield* hasBegun("left")
        yield* Fiber.interrupt(fiber)
        yield* isIn(finished, "left")
      }))

    it.effect("let pages of this machine and of their own address call, and no other ones", () =>
      Effect.gen(function*() {
        for (const origin of ["https://evil.example", "null", "http://localhost.evil.example", "http://127.0.0.1.evil.example"]) {
          assert.strictEqual((yield* post(call("any"), { origin })).status, 403, origin)
          assert.strictEqual((yield* send("/v1/mcp/sse", { headers: { origin } })).status, 403, origin)
        }
        const own = yield* post(call("any"), { origin: new URL(PUBLIC_URL).origin })
        assert.deepStrictEqual([own.status, own.headers.get("access-control-allow-origin")], [200, "https://tools.example.com"])
        const page = yield* post(call("any"), { origin: "http://localhost:5173" })
        assert.deepStrictEqual([page.status, page.headers.get("access-control-allow-origin")], [200, "http://localhost:5173"])
        for (const name of ["Mcp-Session-Id", "WWW-Authenticate", "Payment-Receipt"]) {
          assert.include(page.headers.get("access-control-expose-headers") ?? "", name)
        }
        const preflight = yield* send("/v1/mcp", {
          method: "OPTIONS",
          headers: {
            origin: "http://localhost:5173",
            "access-control-request-method": "POST",
            "access-control-request-headers": "x-svc-key, mcp-session-id"
          }
        })
        assert.deepStrictEqual([preflight.status, preflight.headers.get("access-control-allow-headers")], [
          204,
          "x-svc-key, mcp-session-id"
        ])
      }))
  })

  layer(doors, { excludeTestServices: true, timeout: "60 seconds" })("with a session", (it) => {
    it.effect.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("speak %s", (revision) =>
      Effect.gen(function*() {
        const opened = yield* post(initialize(revision), BOTH)
        assert.strictEqual(field(opened.body, "result", "protocolVersion"), revision)
        const headers = { ...BOTH, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-03-26" }
        assert.strictEqual((yield* post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers)).status, 202)
        assert.strictEqual((yield* post(call("any"), headers)).status, 200)
        const batch = yield* post([call("any", {}, {}, 1), call("pay", {}, {}, 2)], headers)
        assert.strictEqual(batch.status, revision <= "2025-03-26" ? 200 : 400)
        assert.strictEqual((yield* post(call("any"), { ...headers, "mcp-protocol-version": "1999-01-01" })).status, 400)
        assert.strictEqual((yield* send("/mcp", { method: "DELETE", headers })).status, 200)
        assert.strictEqual((yield* post(call("any"), headers)).status, 404)
      }))

    it.effect("ask for payment in the result, or by 402 from those who say that they pay so", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        const told = yield* post(call("pay"), headers)
        assert.deepStrictEqual([
          told.status,
          field(told.body, "result", "isError"),
          field(told.body, "result", "structuredContent", "x402Version")
        ], [200, true, 2])
        const paying = yield* post(call("pay"), { ...headers, "accept-payment": "stripe/charge" })
        assert.strictEqual(paying.status, 402)
        assert.deepStrictEqual((yield* post(call("auth"), headers)).status, 200)
      }))

    it.effect("belong to the key that opened them", () =>
      Effect.gen(function*() {
        const mine = yield* session("2025-11-25", { authorization: "Bearer agk_test_mine" })
        assert.strictEqual((yield* post(call("any"), mine)).status, 200)
        assert.strictEqual((yield* post(call("any"), { ...mine, authorization: "Bearer agk_test_other" })).status, 404)
        assert.strictEqual((yield* post(call("any"), { ...BOTH, "mcp-session-id": mine["mcp-session-id"] })).status, 404)
        assert.strictEqual(
          (yield* send("/mcp", { method: "DELETE", headers: { "mcp-session-id": mine["mcp-session-id"], "x-svc-key": "agk_test_other" } }))
            .status,
          404
        )
        // A payment stands where the key stood.
        assert.strictEqual((yield* post(call("any"), { ...mine, authorization: "Payment e30" })).status, 200)
      }))

    it.effect("take the first key that comes, where none opened them, and no second one", () =>
      Effect.gen(function*() {
        const nobody = yield* session()
        const status = (headers: Readonly<Record<string, string>> = {}) =>
          Effect.map(post({ jsonrpc: "2.0", id: 1, method: "ping" }, { ...nobody, ...headers }), (told) => told.status)
        assert.strictEqual(yield* status(), 200)
        assert.strictEqual(yield* status({ authorization: "Bearer agk_test_mine" }), 200)
        assert.strictEqual(yield* status({ authorization: "Bearer agk_test_other" }), 404)
        assert.strictEqual(yield* status(), 404)
        assert.strictEqual(yield* status({ "x-svc-key": " agk_test_mine " }), 200)
        assert.strictEqual(yield* status({ authorization: "Payment e30, Bearer agk_test_mine" }), 200)
        assert.strictEqual(yield* status({ authorization: "Payment e30" }), 200)
      }))

    it.effect("have as many streams as their client opens, of which the latest carries what is said", () =>
      Effect.gen(function*() {
        const url = yield* base
        const headers = { ...(yield* session()), accept: "text/event-stream" }
        const stop = new AbortController()
        const open = Effect.promise(async () => {
          const { body } = await fetch(`${url}/mcp`, { headers, signal: stop.signal })
          const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
          // The stream begins with a comment.
          await reader?.read()
          return reader
        })
        const readers = [yield* open, yield* open]
        const ends = readers.map((reader) => reader?.read().then(({ done }) => done, () => true) ?? Promise.resolve(true))
        assert.strictEqual((yield* post(call("any"), headers)).status, 200)
        const first = yield* Effect.promise(() => Promise.race([...ends, Promise.resolve("both are open")]))
        assert.strictEqual(first, "both are open")
        stop.abort()
        yield* Effect.promise(() => Promise.all(ends))
      }))

    it.effect("answer as a stream once there is something to say before the end", () =>
      Effect.gen(function*() {
        const headers = yield* session("2025-06-18")
        const quick = yield* post(call("any"), headers)
        assert.strictEqual(quick.headers.get("content-type"), "application/json")
        const told = yield* post(call("progress", {}, { _meta: { progressToken: "p" } }), headers)
        assert.deepStrictEqual(told.events.slice(0, 2).map(({ data }) => field(data, "params")), [{
          progressToken: "p",
          progress: 1,
          total: 2
        }, { progressToken: "p", progress: 2, total: 2 }])
        assert.strictEqual(field(told.body, "id"), 1)
        const streamed = yield* post(call("any"), { ...headers, accept: "text/event-stream" })
        assert.strictEqual(field(streamed.body, "result", "isError"), false)
        const json = yield* post(call("progress", {}, { _meta: { progressToken: "p" } }), { ...headers, accept: "application/json" })
        assert.strictEqual(json.headers.get("content-type"), "application/json")
        const large = yield* post(call("large"), { ...headers, accept: "text/event-stream" })
        assert.isAbove(large.text.length, 2_000_000)
      }))

    it.effect("go on with a stream that broke, from the event on that the reader has", () =>
      Effect.gen(function*() {
        const headers = yield* session("2025-11-25")
        const whole = yield* post(call("progress", {}, { _meta: { progressToken: 1 } }), headers)
        const ids = Array.from(whole.text.matchAll(/^id: (.+)$/gmu), ([, id = ""]) => id)
        assert.lengthOf(ids, 4)
        const again = yield* send("/mcp", { headers: { ...headers, accept: "text/event-stream", "last-event-id": ids[1] ?? "" } })
        assert.deepStrictEqual(again.events.map(({ id }) => id), ids.slice(2))
        assert.deepStrictEqual(again.body, whole.body)
        for (const unknown of ["9.9", "x", "1.99", `${ids[0]}.1`]) {
          assert.strictEqual(
            (yield* send("/mcp", { headers: { ...headers, accept: "text/event-stream", "last-event-id": unknown } })).status,
            400,
            unknown
          )
        }
        const other = yield* session("2025-11-25")
        assert.strictEqual(
          (yield* send("/mcp", { headers: { ...other, accept: "text/event-stream", "last-event-id": ids[1] ?? "" } })).status,
          400
        )
      }))

    it.effect("end a call that is cancelled, by its session alone", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        const other = yield* session()
        const waiting = yield* Effect.forkChild(post(call("forever", { who: "cancelled" }, {}, "w"), headers))
        yield* hasBegun("cancelled")
        const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "w" } }
        assert.strictEqual((yield* post(cancel, other)).status, 202)
        // Nothing may happen in this time: a slow machine can only let a fault pass.
        yield* Effect.sleep("100 millis")
        assert.notDeepInclude(interrupted, { who: "cancelled" })
        assert.strictEqual((yield* post(cancel, headers)).status, 202)
        assert.strictEqual((yield* Fiber.join(waiting)).status, 202)
        assert.deepInclude(interrupted, { who: "cancelled" })

        // Who waits for the answer of the same call is cancelled with it.
        const same = () => Effect.forkChild(post(call("forever", { who: "both" }, {}, 10), headers))
        const both = [yield* same(), yield* same()]
        yield* hasBegun("both", 2)
        yield* post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 10 } }, headers)
        for (const one of both) assert.strictEqual((yield* Fiber.join(one)).status, 202)
      }))

    it.effect("answer the same request again, and neither run nor charge it", () =>
      Effect.gen(function*() {
        const runs = (who: string) => finished.filter((args) => field(args, "who") === who).length
        const headers = yield* session()
        const told = yield* post(call("slow", { who: "lost" }, {}, 7), headers)
        const again = yield* post(call("slow", { who: "lost" }, {}, 7), headers)
        assert.deepStrictEqual(field(again.body, "result", "structuredContent"), field(told.body, "result", "structuredContent"))
        assert.deepStrictEqual([field(told.body, "result", "_meta"), told.headers.get("x-svc-request-cost")], [undefined, "1"])
        assert.deepStrictEqual([
          field(again.body, "result", "_meta", "svc/replayed"),
          field(again.body, "id"),
          again.headers.get("x-svc-request-cost")
        ], [true, 7, "0"])
        assert.strictEqual(runs("lost"), 1)
        // What is paid with is no part of the call.
        yield* post(call("slow", { who: "lost" }, { _meta: { "org.paymentauth/credential": {} } }, 7), {
          ...headers,
          authorization: "Payment e30"
        })
        assert.strictEqual(runs("lost"), 1)

        const together = yield* Effect.all([
          post(call("slow", { who: "two" }, {}, 8), headers),
          post(call("slow", { who: "two" }, {}, 8), headers)
        ], { concurrency: 2 })
        assert.deepStrictEqual(together.map(({ body }) => [field(body, "id"), field(body, "result", "isError")]), [[8, false], [8, false]])
        assert.strictEqual(runs("two"), 1)
      }))

    it.effect("run what differs in id, arguments, terms or session, and what has no id of its own", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        const runs = Effect.fnUntraced(function*(who: string, sent: object, more: Readonly<Record<string, string>> = headers) {
          const before = finished.filter((args) => field(args, "who") === who).length
          yield* post(sent, more)
          return finished.filter((args) => field(args, "who") === who).length - before
        })
        assert.strictEqual(yield* runs("a", call("slow", { who: "a" }, {}, 1)), 1)
        assert.strictEqual(yield* runs("a", call("slow", { who: "a" }, {}, 2)), 1)
        assert.strictEqual(yield* runs("a", call("slow", { who: "a" }, {}, "1")), 1)
        assert.strictEqual(yield* runs("b", call("slow", { who: "b" }, {}, 1)), 1)
        assert.strictEqual(yield* runs("a", call("slow", { who: "a" }, { _meta: { "svc/idempotency_key": "k" } }, 1)), 1)
        assert.strictEqual(yield* runs("a", call("slow", { who: "a" }, {}, 1), { ...headers, "x-agent-mode": "lite" }), 1)
        assert.strictEqual(yield* runs("a", call("slow", { who: "a" }, {}, 1), yield* session()), 1)
        for (const _ of [1, 2]) assert.strictEqual(yield* runs("c", call("slow", { who: "c" }, {}, null)), 1)
        assert.strictEqual(yield* runs("a", call("slow", { who: "a" }, {}, 1)), 0)
      }))

    it.effect("want a session for a stream, and a stream for GET", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send("/mcp", { headers: { accept: "text/event-stream" } })).status, 405)
        assert.strictEqual((yield* send("/mcp", { headers: { accept: "text/event-stream", "mcp-session-id": "none" } })).status, 404)
        assert.strictEqual((yield* send("/mcp", { headers: { ...(yield* session()), accept: "application/json" } })).status, 406)
      }))
  })

  layer(doors, { excludeTestServices: true, timeout: "60 seconds" })("with two addresses", (it) => {
    it.effect("answer over the stream of the session alone, until it closes", () =>
      Effect.gen(function*() {
        const url = yield* base
        const key = { authorization: "Bearer agk_test_mine" }
        const stop = new AbortController()
        const stream = yield* Effect.promise(() =>
          fetch(`${url}/v1/mcp/sse`, { headers: { ...key, accept: "text/event-stream" }, signal: stop.signal })
        )
        const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
        const next = Effect.promise(async () => (await reader?.read())?.value ?? "")
        const told = /^event: endpoint\ndata: (\S+)\n\n/u.exec(yield* next)?.[1] ?? ""
        assert.match(told, /^\/base\/v1\/mcp\/messages\?session_id=[\w-]{43}$/)
        const path = behindProxy(told)
        assert.strictEqual((yield* post(call("any"), {}, path)).status, 404)
        assert.strictEqual((yield* post(call("any"), { authorization: "Bearer other" }, path)).status, 404)
        assert.strictEqual((yield* post(call("any"), key, "/v1/mcp/messages?session_id=none")).status, 404)
        assert.deepStrictEqual((yield* post(call("pay", {}, {}, "p"), { ...key, "accept-payment": "stripe/charge" }, path)).status, 202)
        const [paid] = eventsOf(yield* next)
        assert.deepStrictEqual([field(paid?.data, "id"), field(paid?.data, "result", "structuredContent", "x402Version")], ["p", 2])
        const asSession = { ...BOTH, ...key, "mcp-session-id": path.split("=")[1] ?? "" }
        assert.strictEqual((yield* post(call("any"), asSession)).status, 404)
        stop.abort()
        yield* until("its session ends", Effect.map(post(call("any"), key, path), ({ status }) => status === 404))
      }))

    it.effect("take the key of the first POST where the stream was opened without one, as stock clients do, and no other key", () =>
      Effect.gen(function*() {
        const url = yield* base
        const stop = new AbortController()
        const stream = yield* Effect.promise(() => fetch(`${url}/sse`, { headers: { accept: "text/event-stream" }, signal: stop.signal }))
        const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
        const next = Effect.promise(async () => (await reader?.read())?.value ?? "")
        const path = behindProxy(/^data: (\S+)$/mu.exec(yield* next)?.[1] ?? "")
        const status = (key?: string) =>
          Effect.map(post(call("any"), key === undefined ? {} : { authorization: `Bearer ${key}` }, path), (told) => told.status)
        assert.strictEqual(yield* status("agk_test_mine"), 202)
        assert.include(yield* next, "\"isError\":false")
        assert.strictEqual(yield* status("agk_test_other"), 404)
        assert.strictEqual(yield* status(), 404)
        assert.strictEqual(yield* status("agk_test_mine"), 202)
        stop.abort()
      }))
  })

  layer(few, { excludeTestServices: true, timeout: "60 seconds" })("hold callers to limits:", (it) => {
    it.effect("calls of a session at once", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        const waiting = yield* Effect.forEach([1, 2], (id) => Effect.forkChild(post(call("wait", { who: "first" }, {}, id), headers)))
        yield* hasBegun("first", 2)
        const third = yield* post(call("any", {}, {}, 3), headers)
        assert.strictEqual(field(third.body, "error", "data", "code"), "RATE_LIMITED")
        yield* Deferred.succeed(bell, undefined)
        for (const one of waiting) assert.strictEqual((yield* Fiber.join(one)).status, 200)
        assert.strictEqual(field((yield* post(call("any"), headers)).body, "result", "isError"), false)
      }))

    it.effect("answers that are kept for the same request: the oldest give way", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        const isReplayed = Effect.fnUntraced(function*(id: number, more: object = {}) {
          return field((yield* post(call("any", { id, ...more }, {}, id), headers)).body, "result", "_meta", "svc/replayed") === true
        })
        assert.deepStrictEqual(yield* Effect.forEach([1, 1, 2, 3, 2, 3, 1], (id) => isReplayed(id)), [
          false,
          true,
          false,
          false,
          true,
          true,
          false
        ])
        // Too large to be kept.
        assert.deepStrictEqual([yield* isReplayed(4, { text: "x".repeat(1_000) }), yield* isReplayed(4, { text: "x".repeat(1_000) })], [
          false,
          false
        ])
      }))

    it.effect("sessions, of which idle ones end for new ones", () =>
      Effect.gen(function*() {
        const opened = yield* Effect.forEach([1, 2, 3, 4], () => session())
        const [first = {}, , , last = {}] = opened
        assert.strictEqual((yield* post(call("any"), first)).status, 404)
        assert.strictEqual((yield* post(call("any"), last)).status, 200)
      }))

    it.effect("events that are kept for those who come back", () =>
      Effect.gen(function*() {
        const headers = yield* session("2025-06-18")
        const told = yield* post(call("large", {}, {}), { ...headers, accept: "text/event-stream" })
        assert.isAbove(told.text.length, 2_000_000)
        assert.strictEqual(
          (yield* send("/mcp", { headers: { ...headers, accept: "text/event-stream", "last-event-id": "1.0" } })).status,
          400
        )
      }))

    it.effect("calls whose answers nobody reads, of which none is lost that was taken", () =>
      Effect.gen(function*() {
        const url = yield* base
        const stream = yield* Effect.promise((signal) => fetch(`${url}/v1/mcp/sse`, { headers: { accept: "text/event-stream" }, signal }))
        const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
        let heard = ""
        const hears = (said: string) =>
          Effect.promise(async () => {
            while (!heard.includes(said) || !heard.endsWith("\n\n")) {
              const read = await reader?.read()
              if (read?.value === undefined) throw new Error("the stream has ended")
              heard += read.value
            }
          })
        yield* hears("event: endpoint")
        const path = behindProxy(/^data: (\S+)$/mu.exec(heard)?.[1] ?? "")
        const ask = (id: number) => Effect.map(post(call("large", {}, {}, id), {}, path), ({ status }) => status)
        // What the operating system takes for a reader differs; it is far less than forty answers.
        let taken = 0
        let status = yield* ask(taken)
        while (status === 202 && taken < 40) status = yield* ask(++taken)
        assert.strictEqual(status, 429)
        yield* hears(`"id":${taken - 1},`)
        assert.strictEqual(yield* ask(taken), 202)
        yield* hears(`"id":${taken},`)
        assert.deepStrictEqual(
          eventsOf(heard).flatMap(({ data }) => typeof data === "string" ? [] : [field(data, "id")]),
          Array.from({ length: taken + 1 }, (_, id) => id)
        )
        yield* Effect.promise(async () => reader?.cancel())
      }), 180_000)

    it.effect("silence: a stream says something every while, and a long call becomes one", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        const url = yield* base
        const long = yield* Effect.promise(() => fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(call("long")) }))
        // The call ends after its answer has begun.
        yield* Deferred.succeed(goOn, undefined)
        assert.strictEqual(long.headers.get("content-type"), "text/event-stream")
        const [answer] = eventsOf(yield* Effect.promise(() => long.text())).slice(-1)
        assert.strictEqual(field(answer?.data, "result", "isError"), false)
        const heard = yield* Effect.promise(async () => {
          const response = await fetch(`${url}/mcp`, { headers: { ...headers, accept: "text/event-stream" } })
          let text = ""
          for await (const chunk of response.body ?? []) {
            text += new TextDecoder().decode(chunk)
            if (text.split(": \n\n").length > 3) break
          }
          return text
        })
        assert.lengthOf(heard.split(": \n\n"), 4)
        assert.deepStrictEqual(eventsOf(heard), [])
      }), 180_000)
  })

  layer(limitedTo({ answerAge: Duration.seconds(1) }), { excludeTestServices: true, timeout: "60 seconds" })("let go of", (it) => {
    it.effect("answers that are old, also where they are asked for again and again", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        const again = Effect.map(
          post(call("any", {}, {}, 1), headers),
          ({ body }) => field(body, "result", "_meta", "svc/replayed") === undefined
        )
        assert.isTrue(yield* again)
        yield* until("the answer is too old", again)
      }))
  })

  layer(limitedTo({ idle: Duration.seconds(1) }), { excludeTestServices: true, timeout: "60 seconds" })("end", (it) => {
    it.effect("sessions that nobody uses", () =>
      Effect.gen(function*() {
        const headers = yield* session()
        // Each question is a use, so it comes after more time than a session may be idle.
        const hasEnded = Effect.map(Effect.delay(post(call("any"), headers), "3 seconds"), ({ status }) => status === 404)
        yield* until("the session ends", hasEnded)
      }), 180_000)
  })

  layer(doors, { excludeTestServices: true, timeout: "60 seconds" })("of 2026-07-28", (it) => {
    it.effect("answer without a session, and ask for payment in the result", () =>
      Effect.gen(function*() {
        const told = yield* modern("tools/call", { name: "any" }, { "mcp-name": "any" })
        assert.deepStrictEqual([told.status, told.headers.get("mcp-session-id"), field(told.body, "result", "resultType")], [
          200,
          null,
          "complete"
        ])
        const paid = yield* modern("tools/call", { name: "pay" }, { "mcp-name": "=?base64?cGF5?=" })
        assert.deepStrictEqual([paid.status, field(paid.body, "result", "isError")], [200, true])
        assert.strictEqual(
          (yield* modern("tools/call", { name: "pay" }, { "mcp-name": "pay", "accept-payment": "evm/charge" })).status,
          402
        )
      }))

    it.effect.each([
      { why: "another method in the header", headers: { "mcp-method": "tools/list", "mcp-name": "any" }, status: 400, code: -32020 },
      { why: "another name in the header", headers: { "mcp-name": "other" }, status: 400, code: -32020 },
      { why: "no name in the header", headers: {}, status: 400, code: -32020 },
      {
        why: "another revision in the header",
        headers: { "mcp-name": "any", "mcp-protocol-version": "2025-11-25" },
        status: 400,
        code: -32020
      }
    ])("refuse $why", ({ code, headers, status }) =>
      Effect.gen(function*() {
        const told = yield* modern("tools/call", { name: "any" }, headers)
        assert.deepStrictEqual([told.status, field(told.body, "error", "code"), field(told.body, "id")], [status, code, 1])
      }))

    it.effect("end a call when its stream is closed", () =>
      Effect.gen(function*() {
        const url = yield* base
        yield* Effect.promise(async () => {
          const stop = new AbortController()
          const body = JSON.stringify({
            ...call("forever"),
            params: {
              name: "forever",
              arguments: { who: "closed" },
              _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }
            }
          })
          await fetch(`${url}/mcp`, {
            method: "POST",
            signal: stop.signal,
            body,
            headers: {
              accept: "text/event-stream",
              "mcp-protocol-version": "2026-07-28",
              "mcp-method": "tools/call",
              "mcp-name": "forever"
            }
          })
          stop.abort()
        })
        yield* isIn(interrupted, "closed")
      }))
  })
})
