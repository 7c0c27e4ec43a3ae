import { assert, describe, it } from "@effect/vitest"
import { EgressError, type EgressPolicy, type EgressRequest } from "@svc/kernel/egress/model"
import { rawServer, receiver, scriptedDns } from "@svc/kernel/egress/receiver.fixture"
import * as Egress from "@svc/kernel/egress/service"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import type * as Dns from "effect/net/Dns"
import { TestClock } from "effect/testing"
import Stripe from "stripe"
import { Attempts, headersOf, signingSecrets } from "./attempts.ts"
import type { ClaimedDelivery } from "./queue.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

const delivery = (url: string, more: Partial<NonNullable<ClaimedDelivery["endpoint"]>> = {}, attempts = 0): ClaimedDelivery => ({
  account_id: "acct_1",
  id: "whq_1",
  token: "token",
  resource_id: "pi_1",
  attempts,
  present: null,
  event: {
    account_id: "acct_1",
    seq: 3,
    id: "evt_1",
    type: "payment_intent.captured",
    resource_version: 2,
    api_version: "2026-11-01",
    data: "{\"id\":\"pi_1\",\"name\":\"Zoë\"}",
    metadata: null,
    created_at: "2026-01-01T00:00:00.000Z"
  },
  endpoint: { url, schedule: "standard", secret, previous_secrets: [], ...more }
})
const body =
  "{\"id\":\"evt_1\",\"type\":\"payment_intent.captured\",\"created_at\":\"2026-01-01T00:00:00.000Z\",\"api_version\":\"2026-11-01\"," +
  "\"account_id\":\"acct_1\",\"event_seq\":3,\"resource_version\":2,\"data\":{\"id\":\"pi_1\",\"name\":\"Zoë\"}}"

const over = (egress: Layer.Layer<Egress.Egress>) => Layer.provide(Attempts.layer, egress)
const policy: EgressPolicy = { allow: ["127.0.0.1"] }
const onLoopback = over(Egress.layer(policy))
const withDns = (dns: Layer.Layer<Dns.Dns>) => over(Layer.provide(Egress.layerNoDeps(policy), dns))
const attempt = (claimed: ClaimedDelivery) => Attempts.use((attempts) => attempts.attempt(claimed))

/** Remembers what was posted and answers 200. */
const recorded = () => {
  const requests: Array<EgressRequest> = []
  return {
    requests,
    layer: over(Layer.succeed(Egress.Egress, {
      post: (request) =>
        Effect.sync(() => {
          requests.push(request)
          return { status: 200, headers: {}, body: "" }
        })
    }))
  }
}

interface Received {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** A receiver that answers with `status`, and what it received. */
const accepting = Effect.fnUntraced(function*(status: number, headers: Readonly<Record<string, string>> = {}) {
  const received: Array<Received> = []
  const port = yield* receiver((request, response) => {
    let text = ""
    request.setEncoding("utf8")
    request.on("data", (chunk: string) => (text += chunk))
    request.on("end", () => {
      received.push({ headers: request.headers, body: text })
      response.writeHead(status, headers).end("thanks")
    })
  })
  return { received, url: `http://127.0.0.1:${port}/hooks` }
})

describe("an attempt", () => {
  it.effect("is what Stripe's library verifies, and a changed body is not", () =>
    Effect.gen(function*() {
      const { received, url } = yield* accepting(200)
      yield* TestClock.adjust("50 minutes")
      const done = yield* attempt(delivery(url))
      assert.deepInclude(done, { status: "delivered", outcome: "delivered", id: "whq_1", token: "token" })
      assert.deepInclude(done.attempt, { response_status: 200, error: null, started_at: "1970-01-01T00:50:00.000Z" })
      const [request] = received
      assert(request !== undefined)
      assert.strictEqual(request.body, body)
      assert.include(request.headers, {
        "content-type": "application/json",
        "webhook-id": "whq_1",
        "webhook-event-id": "evt_1",
        "webhook-timestamp": "3000"
      })
      const signature = String(request.headers["webhook-signature"])
      const verify = (text: string) => Stripe.webhooks.constructEvent(text, signature, secret, 300, undefined, 3000_000)
      assert.strictEqual(verify(request.body).id, "evt_1")
      assert.throws(() => verify(request.body.replace("pi_1", "pi_2")))
    }).pipe(Effect.provide(onLoopback)))

  it("signs exactly as published", () => {
    const vector =
      "{\"id\":\"evt_0001\",\"type\":\"payment_intent.captured\",\"created_at\":\"2026-01-01T00:00:00.000Z\",\"api_version\":\"2026-01-01\",\"data\":{\"id\":\"pi_0001\"}}"
    const claimed = delivery("https://example.com/")
    assert(claimed.endpoint !== null)
    const headers = headersOf(claimed, claimed.endpoint, vector, 1_767_225_600_999)
    assert.strictEqual(headers["Webhook-Timestamp"], "1767225600")
    assert.strictEqual(headers["Webhook-Signature"], "t=1767225600,v1=0724072b28000c350bc30eebdc2c257471fe3c23841eefebae797d9d3fe63c7b")
  })

  it.effect("is signed anew each time, over the same bytes and under the same id", () =>
    Effect.gen(function*() {
      const { layer, requests } = recorded()
      yield* Effect.gen(function*() {
        yield* attempt(delivery("https://example.com/"))
        yield* TestClock.adjust("30 seconds")
        yield* attempt(delivery("https://example.com/", {}, 1))
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(requests.map((request) => request.body), [body, body])
      assert.deepStrictEqual(requests.map(({ headers }) => [headers["Webhook-ID"], headers["Webhook-Timestamp"]]), [["whq_1", "0"], [
        "whq_1",
        "30"
      ]])
      assert.notStrictEqual(requests[0]?.headers["Webhook-Signature"], requests[1]?.headers["Webhook-Signature"])
      assert.deepInclude(requests[0], { maxResponseBytes: 65_536, repeatable: true })
    }))

  it.effect("carries two signatures for a day after a rotation", () =>
    Effect.gen(function*() {
      const { received, url } = yield* accepting(200)
      const rotated = delivery(url, { previous_secrets: [{ secret: "whsec_old", expires_at: "1970-01-02T00:00:00.000Z" }] })
      yield* TestClock.adjust("23 hours")
      yield* attempt(rotated)
      yield* TestClock.adjust("1 hour")
      yield* attempt(rotated)
      const [during, after] = received
      const verify = (request: Received | undefined, key: string, seconds: number) =>
        Stripe.webhooks.constructEvent(
          request?.body ?? "",
          String(request?.headers["webhook-signature"]),
          key,
          300,
          undefined,
          seconds * 1000
        ).id
      assert.strictEqual(verify(during, secret, 82_800), "evt_1")
      assert.strictEqual(verify(during, "whsec_old", 82_800), "evt_1")
      assert.strictEqual(verify(after, secret, 86_400), "evt_1")
      assert.throws(() => verify(after, "whsec_old", 86_400))
      const ended = { secret: "whsec_older", expires_at: "1970-01-01T00:00:00.000Z" }
      assert.deepStrictEqual(signingSecrets(delivery(url, { previous_secrets: [ended] }).endpoint!, 0), [secret])
    }).pipe(Effect.provide(onLoopback)))

  it.effect("says when the next one is due", () =>
    Effect.gen(function*() {
      const { url } = yield* accepting(503)
      const asked = yield* accepting(503, { "retry-after": "45" })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* attempt(delivery(url)), { status: "retrying", outcome: "http_503", due_at: "1970-01-01T00:01:30.000Z" })
      assert.deepInclude(yield* attempt(delivery(asked.url)), { status: "retrying", due_at: "1970-01-01T00:01:45.000Z" })
      assert.deepInclude(yield* attempt(delivery(url, {}, 3)), { status: "failed", due_at: "1970-01-01T00:01:00.000Z" })
      assert.deepInclude(yield* attempt(delivery(url, { schedule: "long" }, 1)), { status: "retrying", due_at: "1970-01-01T00:06:00.000Z" })
    }).pipe(Effect.provide(onLoopback)))

  it.effect("takes ten seconds at most", () =>
    Effect.gen(function*() {
      const arrived = yield* Deferred.make<void>()
      const port = yield* receiver(() => Deferred.doneUnsafe(arrived, Exit.void))
      const waiting = yield* Effect.forkChild(attempt(delivery(`http://127.0.0.1:${port}/`)))
      yield* Deferred.await(arrived)
      yield* TestClock.adjust("9999 millis")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      const done = yield* Fiber.join(waiting)
      assert.deepInclude(done, { status: "retrying", outcome: "timeout", due_at: "1970-01-01T00:00:30.000Z" })
      assert.deepInclude(done.attempt, { duration_ms: 10_000, response_status: null })
    }).pipe(Effect.provide(onLoopback)))

  it.effect("that is reset, or finds nobody listening, is retried", () =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => socket.on("data", () => socket.resetAndDestroy()))
      assert.deepInclude(yield* attempt(delivery(`http://127.0.0.1:${port}/`)), { status: "retrying", outcome: "connection_failed" })
      const gone = yield* Effect.scoped(receiver(() => {}))
      assert.deepInclude(yield* attempt(delivery(`http://127.0.0.1:${gone}/`)), { status: "retrying", outcome: "connection_failed" })
    }).pipe(Effect.provide(onLoopback)))

  it.effect("to a name that does not exist, or leads inside, is final", () =>
    Effect.gen(function*() {
      const dns = scriptedDns({ "inside.example.com": [["10.0.0.1"]] })
      const to = (host: string) => Effect.provide(attempt(delivery(`http://${host}/`)), withDns(dns.layer))
      assert.deepInclude(yield* to("nowhere.example.com"), { status: "failed", outcome: "unresolvable_host" })
      assert.deepInclude(yield* to("inside.example.com"), { status: "failed", outcome: "refused_address" })
      assert.deepInclude(yield* to("169.254.169.254"), { status: "failed", outcome: "refused_address" })
      assert.deepInclude(yield* to("example.com:22"), { status: "failed", outcome: "invalid_url" })
    }))

  it.effect("with a flood for an answer goes by its status", () =>
    Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.writeHead(200).end("x".repeat(200_000)))
      assert.deepInclude(yield* attempt(delivery(`http://127.0.0.1:${port}/`)), { status: "delivered", outcome: "delivered" })
    }).pipe(Effect.provide(onLoopback)))

  it.effect.each<readonly [label: string, status: number, rest: string]>([
    ["a body that breaks off", 200, "Content-Length: 10\r\n\r\n12345"],
    ["a chunk that is none", 202, "Transfer-Encoding: chunked\r\n\r\nnothing\r\n"],
    ["20 KB of headers", 200, `X-Long: ${"x".repeat(20_000)}\r\n\r\n`],
    ["a body that breaks off", 503, "Content-Length: 10\r\n\r\n12345"]
  ])("with %s goes by its status %d", ([, status, rest]) =>
    Effect.gen(function*() {
      const port = yield* rawServer((socket) => socket.once("data", () => socket.end(`HTTP/1.1 ${status} Said\r\n${rest}`)))
      const done = yield* attempt(delivery(`http://127.0.0.1:${port}/`))
      assert.deepInclude(done, status === 503 ? { status: "retrying", outcome: "http_503" } : { status: "delivered", outcome: "delivered" })
      assert.deepInclude(done.attempt, { response_status: status })
    }).pipe(Effect.provide(onLoopback)))

  // In the world's time: that the receiver has sent its status does not say that it has arrived.
  it.live("with an answer that never ends goes by its status once the time is over", () =>
    Effect.gen(function*() {
      const answers = [
        "Content-Length: 10\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "X-Half"
      ]
      const done = yield* Effect.forEach(answers, (rest) =>
        Effect.gen(function*() {
          const port = yield* rawServer((socket) => socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\n${rest}`)))
          return yield* attempt(delivery(`http://127.0.0.1:${port}/`))
        }), { concurrency: "unbounded" })
      for (const one of done) {
        assert.deepInclude(one, { status: "delivered", outcome: "delivered" })
        assert.deepInclude(one.attempt, { response_status: 200, error: null })
      }
    }).pipe(Effect.provide(onLoopback)), 60_000)

  it.effect("logs errors that can be stored, whatever is in them", () =>
    Effect.gen(function*() {
      const message = `\u0000\uD800\n${"x".repeat(1000)}`
      const failing = over(Layer.succeed(Egress.Egress, { post: () => Effect.fail(new EgressError({ reason: "connection", message })) }))
      const done = yield* Effect.provide(attempt(delivery("https://example.com/")), failing)
      assert.strictEqual(done.attempt?.error, ` \uFFFD ${"x".repeat(497)}`)
    }))

  it.effect("is not made without an endpoint", () =>
    Effect.gen(function*() {
      const { layer, requests } = recorded()
      const done = yield* Effect.provide(attempt({ ...delivery("https://example.com/"), endpoint: null }), layer)
      assert.deepInclude(done, { status: "failed", outcome: "endpoint_removed", attempt: null })
      assert.deepStrictEqual(requests, [])
    }))

  it.effect("survives a fault of ours, but not for ever", () =>
    Effect.gen(function*() {
      const broken = over(Layer.succeed(Egress.Egress, { post: () => Effect.die(new Error("a bug")) }))
      const first = yield* Effect.provide(attempt(delivery("https://example.com/")), broken)
      assert.deepInclude(first, { status: "retrying", outcome: "internal_error" })
      assert.notInclude(first.attempt?.error, "a bug")
      assert.deepInclude(yield* Effect.provide(attempt(delivery("https://example.com/", {}, 3)), broken), { status: "failed" })
    }))
})
