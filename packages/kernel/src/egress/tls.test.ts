import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as https from "node:https"
import * as tls from "node:tls"
import { selfSigned } from "./certificate.fixture.ts"
import { listen, receiver, scriptedDns } from "./receiver.fixture.ts"
import { Egress, layerNoDeps } from "./service.ts"

const NAME = "receiver.example"
const OTHER = "other.example"
const valid = selfSigned(NAME, new Date("2020-01-01T00:00:00Z"), new Date("2049-01-01T00:00:00Z"))
const expired = selfSigned(NAME, new Date("2020-01-01T00:00:00Z"), new Date("2020-02-01T00:00:00Z"))

/** The process trusts this certificate while the scope is open. */
const trusting = (cert: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = tls.getCACertificates("default")
      tls.setDefaultCACertificates([...before, cert])
      return before
    }),
    (before) => Effect.sync(() => tls.setDefaultCACertificates(before))
  )

const secureReceiver = (pair: { readonly cert: string; readonly key: string }) => {
  const seen: Array<string | undefined> = []
  const server = https.createServer(pair, (request, response) => {
    seen.push(request.headers.host)
    response.end("ok")
  })
  return Effect.map(listen(server.on("tlsClientError", () => {})), (port) => ({ port, seen }))
}

const post = (url: string) =>
  Egress.use((egress) => egress.post({ url, headers: {}, body: "{}", timeout: "10 seconds", maxResponseBytes: 1024 }))
const reason = (url: string) => Effect.map(Effect.flip(post(url)), (error) => error.reason)

const egress = layerNoDeps({ allow: [NAME, OTHER] }).pipe(
  Layer.provide(scriptedDns({ [NAME]: [["127.0.0.1"]], [OTHER]: [["127.0.0.1"]] }).layer)
)

describe("https", () => {
  it.effect("reaches a receiver whose certificate is trusted and names it", () =>
    Effect.gen(function*() {
      yield* trusting(valid.cert)
      const { port, seen } = yield* secureReceiver(valid)
      assert.strictEqual((yield* post(`https://${NAME}:${port}/`)).body, "ok")
      assert.deepStrictEqual(seen, [`${NAME}:${port}`])
    }).pipe(Effect.provide(egress)))

  it.effect("sends nothing to a receiver of another name", () =>
    Effect.gen(function*() {
      yield* trusting(valid.cert)
      const { port, seen } = yield* secureReceiver(valid)
      assert.strictEqual(yield* reason(`https://${OTHER}:${port}/`), "tls")
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.provide(egress)))

  it.effect("sends nothing to a receiver nobody vouches for, also when the environment asks for it", () =>
    Effect.gen(function*() {
      const { port, seen } = yield* secureReceiver(valid)
      assert.strictEqual(yield* reason(`https://${NAME}:${port}/`), "tls")
      yield* Effect.acquireRelease(
        Effect.sync(() => {
          process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
        }),
        () =>
          Effect.sync(() => {
            delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
          })
      )
      assert.strictEqual(yield* reason(`https://${NAME}:${port}/`), "tls")
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.provide(egress)))

  it.effect("sends nothing to a receiver whose certificate has expired", () =>
    Effect.gen(function*() {
      yield* trusting(expired.cert)
      const { port, seen } = yield* secureReceiver(expired)
      assert.strictEqual(yield* reason(`https://${NAME}:${port}/`), "tls")
      assert.deepStrictEqual(seen, [])
    }).pipe(Effect.provide(egress)))

  it.effect("names the trouble when the port speaks plain HTTP", () =>
    Effect.gen(function*() {
      const port = yield* receiver((_, response) => response.end())
      assert.strictEqual(yield* reason(`https://${NAME}:${port}/`), "tls")
    }).pipe(Effect.provide(egress)))
})
