/** The contract and the reference: what is sent, to whom in which encoding, and what a browser may do with the page. */
import { assert, describe, it, layer } from "@effect/vitest"
import { layer as service } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { get } from "node:http"
import type { IncomingHttpHeaders } from "node:http"
import { buffer } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { paths } from "./documents.ts"
import { pathOf } from "./reference/chapters.ts"
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
    })
  )
})

/** Of a page of the reference, as it is sent. */
const MOST_BYTES = 16_384

const decoded = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body } as const

describe("the encoding of an answer", () => {
  it.for(
    [
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
    ] as const
  )("for %j is %s", ([accepted, expected]) => {
    assert.strictEqual(encodingFor(accepted), expected)
  })
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the documents", (it) => {
  it.effect.each([["/docs", "text/html; charset=utf-8"], ["/openapi.json", "application/json"]] as const)(
    "%s is the same in every encoding, and small",
    ([path, type]) =>
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
      })
  )

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

  it.effect("the reference is pages without scripts, small, which load nothing", () =>
    Effect.gen(function*() {
      for (const path of paths) {
        const { body, headers, status } = yield* ask(path, { "accept-encoding": "br" })
        assert.strictEqual(status, 200, path)
        assert.isBelow(body.length, MOST_BYTES, path)
        assert.match(String(headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/)
        assert.notInclude(String(headers["content-security-policy"]), "script-src")
        assert.notMatch(decoded.br(body).toString("utf8"), /<(script|link|img|iframe)\b/)
      }
    }))

  it.effect("every operation, object and type of event of the contract stands in the reference, and each link of it leads somewhere", () =>
    Effect.gen(function*() {
      const pages = new Map<string, string>()
      for (const path of paths) pages.set(path, (yield* ask(path)).body.toString("utf8"))
      const contract = JSON.parse((yield* ask("/openapi.json")).body.toString("utf8"))
      const sections = Array.from(pages, ([path, text]) => Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => `${path}#${id}`)).flat()
      assert.strictEqual(new Set(sections).size, sections.length, "an id stands twice in a page")
      for (const tag of contract.tags) assert.include(pages.get(pathOf(tag.name)), `<h1>${tag.name}</h1>`, "a tag without a chapter")
      for (
        const methods of Object.values<Record<string, { readonly operationId: string; readonly tags: ReadonlyArray<string> }>>(
          contract.paths
        )
      ) {
        for (const { operationId, tags } of Object.values(methods)) {
          assert.include(sections, `${pathOf(tags[0] ?? "")}#${operationId}`)
        }
      }
      for (const type of Object.keys(contract.webhooks)) assert.include(pages.get("/docs/events"), `<code>${type}</code>`)
      for (const [path, text] of pages) {
        for (const [, href = ""] of text.matchAll(/ href="([^"]+)"/g)) {
          const target = href.startsWith("#") ? `${path}${href}` : href
          assert.isTrue(target === "/openapi.json" || pages.has(target) || sections.includes(target), `${path} links to ${href}`)
        }
      }
    }))
})
