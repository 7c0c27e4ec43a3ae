/** The two large documents: what is sent, to whom in which encoding, and what a browser may do with the page. */
import { assert, describe, it, layer } from "@effect/vitest"
import { layer as service } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { createHash } from "node:crypto"
import { get } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { encodingFor } from "./shared-answer.ts"

/** The bytes of an answer as they were sent. */
const ask = Effect.fnUntraced(function*(path: string, headers: Readonly<Record<string, string>> = {}) {
  const { address } = yield* HttpServer.HttpServer
  const url = new URL(path, HttpServer.formatAddress(address))
  return yield* Effect.promise(() =>
    new Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }>((resolve, reject) => {
      get(url, { headers, agent: false }, (answer) => {
        buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }), reject)
      }).on("error", reject)
    }))
})

const decoded = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body } as const

describe("the encoding of an answer", () => {
  it.for([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP", "gzip"],
    ["gzip;q=0.5, br;q=0", "gzip"],
    ["gzip;q=0.000, br; q=0.0", "identity"],
    ["br;q=0.001", "br"],
    ["deflate, zstd", "identity"],
    ["identity", "identity"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["*;q=0", "identity"],
    ["gzip, *;q=0", "gzip"]
  ] as const)("for %j is %s", ([accepted, expected]) => {
    assert.strictEqual(encodingFor(accepted), expected)
  })
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the documents", (it) => {
  it.effect.each([["/docs", "text/html; charset=utf-8"], ["/openapi.json", "application/json"]] as const)("%s is the same in every encoding, and small", ([path, type]) =>
    Effect.gen(function*() {
      const plain = yield* ask(path)
      assert.deepStrictEqual([plain.status, plain.headers["content-type"], plain.headers["content-encoding"]], [200, type, undefined])
      const tags = new Set([plain.headers.etag])
      for (const encoding of ["br", "gzip"] as const) {
        const answer = yield* ask(path, { "accept-encoding": encoding })
        assert.strictEqual(answer.headers["content-encoding"], encoding)
        assert.isTrue(decoded[encoding](answer.body).equals(plain.body))
        assert.strictEqual(answer.headers["content-length"], String(answer.body.length))
        assert.isBelow(answer.body.length, plain.body.length / 3)
        tags.add(answer.headers.etag)
      }
      assert.strictEqual(tags.size, 3)
    }))

  it.effect.each(["/docs", "/openapi.json"])("%s is sent once to who keeps it", (path) =>
    Effect.gen(function*() {
      const first = yield* ask(path, { "accept-encoding": "br" })
      const etag = first.headers.etag ?? ""
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = yield* ask(path, { "accept-encoding": "br", "if-none-match": condition })
        assert.deepStrictEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag], condition)
      }
      for (const [encoding, condition] of [["gzip", etag], ["br", `"other"`], ["br", etag.slice(1, -1)]] as const) {
        assert.strictEqual((yield* ask(path, { "accept-encoding": encoding, "if-none-match": condition })).status, 200)
      }
      for (const { headers } of [first, yield* ask(path, { "accept-encoding": "br", "if-none-match": etag })]) {
        assert.deepInclude(headers, { vary: "accept-encoding", "cache-control": "no-cache", "x-content-type-options": "nosniff" })
      }
    }))

  it.effect("/docs lets a browser run the scripts it holds, ask this service, and nothing else", () =>
    Effect.gen(function*() {
      const { body, headers } = yield* ask("/docs")
      const policy = new Map(String(headers["content-security-policy"]).split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1)]))
      const scripts = Array.from(body.toString("utf8").matchAll(/<script[^>]*>([^]*?)<\/script>/g), ([, script = ""]) => script)
      assert.strictEqual(scripts.length, 2)
      assert.deepStrictEqual(policy.get("script-src"), scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`))
      for (const [directive, sources] of [["default-src", ["'none'"]], ["connect-src", ["'self'"]], ["frame-ancestors", ["'none'"]], ["base-uri", ["'none'"]]] as const) {
        assert.deepStrictEqual(policy.get(directive), [...sources])
      }
    }))
})
