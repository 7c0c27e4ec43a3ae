import { assert, layer } from "@effect/vitest"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import * as Egress from "@svc/kernel/egress/service"
import { InvalidState, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { verify } from "@svc/kernel/signatures/webhook-signature"
import { layerDatabase } from "@svc/testkit/database"
import { Clock, DateTime, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import Stripe from "stripe"
import { Attempts } from "../deliveries/attempts.ts"
import { DeliveryQueue } from "../deliveries/queue.ts"
import { Client, decode, emit, layer as layerFixture, openAccount, policy } from "../fixture.ts"
import { WebhookEndpointIssued, WebhookEndpointJson } from "./model.ts"
import { WebhookEndpoints } from "./service.ts"

const URL = "https://example.com/webhooks"
const issued = decode(WebhookEndpointIssued)
const shown = decode(WebhookEndpointJson)

const services = layerFixture(layerDatabase)

layer(services)("the webhook endpoint", (it) => {
  it.effect("shows its secret when it is made, and never again", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      const made = yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } })
      assert.strictEqual(made.status, 201)
      const endpoint = yield* issued(made)
      assert.match(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.strictEqual(endpoint.schedule, "standard")

      const read = yield* send(account, "GET", "/webhook_endpoint")
      assert.deepStrictEqual(yield* shown(read), { ...(yield* shown(read)), url: URL, version: 1, previous_secret_expires_at: null })
      const changed = yield* send(account, "PUT", "/webhook_endpoint", { body: { url: `${URL}/2`, schedule: "long" } })
      assert.strictEqual(changed.status, 200)
      assert.include(yield* shown(changed), { url: `${URL}/2`, schedule: "long", version: 2 })
      for (const { text } of [read, changed]) assert.notInclude(text, endpoint.secret)
    }))

  it.effect("a request that changes nothing leaves the version alone", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL, schedule: "long" } })
      const again = yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } })
      assert.include(yield* shown(again), { version: 1, schedule: "long" })
    }))

  it.effect("goes to an allowed private address for sandbox accounts only", () =>
    Effect.gen(function*() {
      const endpoints = yield* WebhookEndpoints
      const id = yield* openAccount
      const request = { url: "http://127.0.0.1:4242/webhooks" }
      assert.strictEqual((yield* Effect.flip(endpoints.put({ id, sandbox: false }, request)))._tag, "ValidationError")
      assert.isTrue((yield* endpoints.put({ id, sandbox: true }, request)).created)
    }))

  it.effect.each([
    { what: "what is no URL", url: "not a url" },
    { what: "another scheme", url: "ftp://example.com/" },
    { what: "a password", url: "http://user:secret@example.com/" },
    { what: "a private address", url: "http://10.0.0.1/" },
    { what: "a private address in another spelling", url: "http://[::ffff:10.0.0.1]/" },
    { what: "a metadata address", url: "http://169.254.169.254/latest/meta-data" },
    { what: "another port", url: "https://example.com:22/" },
    { what: "a local name", url: "http://localhost/" },
    { what: "loopback by a name that leads there", url: "http://localhost.example.localhost/" },
    { what: "an endless URL", url: `https://example.com/${"x".repeat(2100)}` }
  ])("refuses $what", ({ url }) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      const refused = yield* send(account, "PUT", "/webhook_endpoint", { body: { url } })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual((yield* decode(ValidationError)(refused)).code, "url")
      assert.strictEqual((yield* send(account, "GET", "/webhook_endpoint")).status, 404)
    }))

  it.effect.each([
    { body: {}, code: "url" },
    { body: { url: 5 }, code: "url" },
    { body: { url: URL, schedule: "hourly" }, code: "schedule" },
    { body: { url: URL, secret: "whsec_mine" }, code: "secret" },
    { body: { url: URL, version: 0 }, code: "version" }
  ])("names the field at fault: $code", ({ body, code }) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const refused = yield* send(yield* openAccount, "PUT", "/webhook_endpoint", { body })
      assert.strictEqual(refused.status, 400)
      assert.strictEqual((yield* decode(ValidationError)(refused)).code, code)
    }))

  it.effect("refuses a URL with a card number in it", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const refused = yield* send(yield* openAccount, "PUT", "/webhook_endpoint", { body: { url: `${URL}?card=4242424242424242` } })
      assert.strictEqual(refused.status, 400)
      assert.notInclude(refused.text, "4242424242424242")
    }))

  it.effect("keeps a change from overwriting one it has not seen", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } })
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: `${URL}/2`, version: 1 } })
      const stale = yield* send(account, "PUT", "/webhook_endpoint", { body: { url: `${URL}/3`, version: 1 } })
      assert.strictEqual(stale.status, 409)
      assert.deepStrictEqual((yield* decode(VersionConflict)(stale)).details, { version: 2 })
      const put = (headers: Readonly<Record<string, string>>, body: object) =>
        send(account, "PUT", "/webhook_endpoint", { headers, body: { url: `${URL}/4`, ...body } })
      assert.strictEqual((yield* put({ "if-match": "\"1\"" }, {})).status, 409)
      assert.strictEqual((yield* put({ "if-match": "2" }, { version: 1 })).status, 400)
      assert.strictEqual((yield* put({ "if-match": "*" }, {})).status, 400)
      assert.strictEqual((yield* put({ "if-match": "\"2\"" }, {})).status, 200)
    }))

  it.effect.each([
    { what: "rotates", method: "POST", path: "/webhook_endpoint/rotate_secret", done: 200 },
    { what: "removes", method: "DELETE", path: "/webhook_endpoint", done: 204 }
  ])("$what the version that If-Match names, and no other", ({ done, method, path }) =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } })
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: `${URL}/2` } })
      const ask = (version: string) => send(account, method, path, { headers: { "if-match": version } })
      const stale = yield* ask("\"1\"")
      assert.strictEqual(stale.status, 409)
      assert.deepStrictEqual((yield* decode(VersionConflict)(stale)).details, { version: 2 })
      assert.strictEqual((yield* ask("*")).status, 400)
      assert.strictEqual((yield* shown(yield* send(account, "GET", "/webhook_endpoint"))).version, 2)
      assert.strictEqual((yield* ask("\"2\"")).status, done)
      // The version it was done at is gone: it is not done twice.
      assert.include([404, 409], (yield* ask("\"2\"")).status)
    }))

  it.effect("many at once make one endpoint, and its secret is shown once", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, (_, n) => send(account, "PUT", "/webhook_endpoint", { body: { url: `${URL}/${n}` } })),
        { concurrency: 8 }
      )
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 1)
      assert.isTrue(answers.every(({ status }) => [200, 201, 409].includes(status)))
    }))

  it.effect("rotation shows the new secret and keeps the old one for 24 hours", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      yield* TestClock.adjust("90 seconds")
      const first = yield* issued(yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } }))
      const second = yield* issued(yield* send(account, "POST", "/webhook_endpoint/rotate_secret"))
      assert.notStrictEqual(second.secret, first.secret)
      assert(second.previous_secret_expires_at !== null)
      assert.strictEqual(second.previous_secret_expires_at.epochMilliseconds, 90_000 + 24 * 3_600_000)
      const ends = DateTime.formatIso(second.previous_secret_expires_at)
      const stored = yield* sql`SELECT secret, previous_secrets FROM webhook_endpoints WHERE account_id = ${account}`
      assert.deepStrictEqual(stored[0], { secret: second.secret, previous_secrets: [{ secret: first.secret, expires_at: ends }] })
    }))

  it.effect("after two rotations a delivery carries three signatures, and each secret has its own 24 hours", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const queue = yield* DeliveryQueue
      const { attempt } = yield* Attempts
      const account = yield* openAccount
      const received: Array<{ readonly header: string; readonly body: string }> = []
      const port = yield* receiver((request, response) => {
        let body = ""
        request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk)).on("end", () => {
          received.push({ header: String(request.headers["webhook-signature"]), body })
          response.writeHead(200).end()
        })
      })
      const rotate = Effect.flatMap(send(account, "POST", "/webhook_endpoint/rotate_secret"), issued)
      /** Which of the secrets a delivery made now is good for, by our verification and by Stripe's. */
      const goodFor = Effect.fnUntraced(function*(secrets: ReadonlyArray<string>) {
        yield* emit(account, [{ resource: "pi_1" }])
        const { deliveries } = yield* queue.claim([{ account, slots: 1 }])
        yield* queue.complete(yield* Effect.forEach(deliveries, attempt))
        const { body, header } = received.at(-1)!
        const at = yield* Clock.currentTimeMillis
        const ours = secrets.map((secret) => Result.isSuccess(verify({ header, body, secret, now: Math.floor(at / 1000) })))
        const stripes = secrets.map((secret) => {
          try {
            return Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, at).id.startsWith("evt_")
          } catch {
            return false
          }
        })
        assert.deepStrictEqual(ours, stripes)
        assert.strictEqual(header.split("v1=").length - 1, ours.filter(Boolean).length)
        return ours
      })
      const first = yield* issued(yield* send(account, "PUT", "/webhook_endpoint", { body: { url: `http://127.0.0.1:${port}/` } }))
      const second = yield* rotate
      yield* TestClock.adjust("6 hours")
      const third = yield* rotate
      const secrets = [first.secret, second.secret, third.secret]
      assert.deepStrictEqual(yield* goodFor(secrets), [true, true, true])
      yield* TestClock.adjust("18 hours")
      assert.deepStrictEqual(yield* goodFor(secrets), [false, true, true])
      yield* TestClock.adjust("6 hours")
      assert.deepStrictEqual(yield* goodFor(secrets), [false, false, true])
    }).pipe(Effect.provide(Attempts.layer.pipe(Layer.provide(Egress.layer(policy))))))

  it.effect("refuses a rotation while five secrets are valid, and says when the oldest ends", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const account = yield* openAccount
      const rotate = send(account, "POST", "/webhook_endpoint/rotate_secret")
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } })
      const oldest = yield* issued(yield* rotate)
      for (let times = 0; times < 3; times++) {
        yield* TestClock.adjust("1 hour")
        assert.strictEqual((yield* rotate).status, 200)
      }
      const refused = yield* rotate
      assert.strictEqual(refused.status, 409)
      const { details } = yield* decode(InvalidState)(refused)
      assert.strictEqual(details?.["oldest_expires_at"], DateTime.formatIso(oldest.previous_secret_expires_at!))
      yield* TestClock.adjust("21 hours")
      assert.strictEqual((yield* rotate).status, 200)
    }))

  it.effect("removal answers 204, then 404, and hastens what is on its way", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } })
      yield* emit(account, [{ resource: "pi_1" }])
      yield* sql`UPDATE webhook_deliveries SET status = 'retrying', due_at = '2100-01-01' WHERE account_id = ${account}`
      assert.strictEqual((yield* send(account, "DELETE", "/webhook_endpoint")).status, 204)
      const [delivery] = yield* sql<{ readonly due_at: string }>`SELECT due_at FROM webhook_deliveries WHERE account_id = ${account}`
      assert.isBelow(Date.parse(delivery?.due_at ?? ""), Date.parse("2100-01-01"))
      for (const [method, path] of [["DELETE", ""], ["GET", ""], ["POST", "/rotate_secret"]] as const) {
        assert.strictEqual((yield* send(account, method, `/webhook_endpoint${path}`)).status, 404)
      }
      // A version belongs to the endpoint that is gone.
      assert.strictEqual((yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL, version: 1 } })).status, 409)
      assert.strictEqual((yield* send(account, "PUT", "/webhook_endpoint", { body: { url: URL } })).status, 201)
    }))

  it.effect("is the account's own", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const [owner, other] = [yield* openAccount, yield* openAccount]
      yield* send(owner, "PUT", "/webhook_endpoint", { body: { url: URL } })
      for (const [method, path] of [["GET", ""], ["DELETE", ""], ["POST", "/rotate_secret"]] as const) {
        assert.strictEqual((yield* send(other, method, `/webhook_endpoint${path}`)).status, 404)
      }
      assert.strictEqual((yield* send(other, "PUT", "/webhook_endpoint", { body: { url: `${URL}/other` } })).status, 201)
      assert.strictEqual((yield* shown(yield* send(owner, "GET", "/webhook_endpoint"))).url, URL)
      assert.strictEqual((yield* send("nobody", "GET", "/webhook_endpoint")).status, 401)
    }))
})
