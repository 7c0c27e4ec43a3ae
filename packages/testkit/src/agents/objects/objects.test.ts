/** Objects of accounts through the tool server: URLs that the tool signs, used by an ordinary HTTP client. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { createHash } from "node:crypto"
import { connect } from "node:net"
import { jsonOf } from "../../contract/service.ts"
import { type Caller, grantCredits, layerWith, openCaller } from "../service.ts"
import { call } from "../tenants/rows.ts"

const engineer = { "X-Agent-Mode": "engineer" }

interface Answer {
  readonly bucket: string
  readonly scoped_key: string
  readonly headers?: Readonly<Record<string, string>>
  readonly deduplicated?: boolean
  readonly url: string
  readonly deleted?: boolean
  readonly next_cursor?: string
  readonly objects: ReadonlyArray<{ readonly key: string; readonly bytes: number }>
  readonly error: { readonly message: string }
}

const ask = Effect.fnUntraced(function*(who: Caller, args: object, headers: Readonly<Record<string, string>> = {}) {
  const answer = yield* call(who, "svc_object_storage", args, headers)
  const { isError, structuredContent } = jsonOf(answer)["result"] as { isError: boolean; structuredContent: Answer }
  return { ...structuredContent, isError, cents: Number(answer.headers["x-svc-request-cost"]) }
})

const portOf = Effect.map(HttpServer.HttpServer, ({ address }) => Number(new URL(HttpServer.formatAddress(address)).port))

/** The URL is signed for the public address, which a proxy would carry here. */
const use = Effect.fnUntraced(function*(method: string, url: string, init: RequestInit = {}) {
  const { pathname, search } = new URL(url)
  const port = yield* portOf
  return yield* Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { ...init, method })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})

const opened = Effect.fnUntraced(function*(name: string) {
  const who = yield* openCaller(name)
  yield* grantCredits(who, 10_000)
  return who
})

const MIB = 1024 ** 2

layer(layerWith({ OBJECTS_ACCOUNT_MIB: "3", OBJECTS_MAX_MIB: "2" }), { excludeTestServices: true, timeout: "60 seconds" })(
  "objects",
  (it) => {
    it.effect("go in and come out by signed URLs, as downloads that no browser runs", () =>
      Effect.gen(function*() {
        const who = yield* opened("in and out")
        const key = "pages/ü (1).html"
        const put = yield* ask(who, { operation: "put", key })
        assert.deepInclude(put, { isError: false, bucket: "objects", scoped_key: `accounts/${who.id}/${key}` })
        const html = "<script>alert(1)</script>"
        assert.strictEqual((yield* use("PUT", put.url, { body: html, headers: { "content-type": "text/html" } })).status, 200)
        const get = yield* ask(who, { operation: "get", key })
        const download = yield* use("GET", get.url)
        assert.deepStrictEqual([download.status, download.text], [200, html])
        assert.deepStrictEqual(
          ["content-type", "content-length", "x-content-type-options", "content-disposition", "content-security-policy"].map((name) =>
            download.headers.get(name)
          ),
          ["text/html", "25", "nosniff", "attachment; filename*=UTF-8''%C3%BC%20%281%29.html", "default-src 'none'; sandbox"]
        )
        const digit = get.url.endsWith("0") ? "1" : "0"
        for (const [method, url] of [["GET", put.url], ["PUT", get.url], ["GET", `${get.url.slice(0, -1)}${digit}`]] as const) {
          const refused = yield* use(method, url, method === "PUT" ? { body: "x" } : {})
          assert.deepStrictEqual([refused.status, JSON.parse(refused.text).error], [403, "forbidden"])
        }
        assert.strictEqual((yield* use("GET", (yield* ask(who, { operation: "get", key: "absent" })).url)).status, 404)
      }))

    it.effect("that are larger than a request may be pass as streams, within the quota", () =>
      Effect.gen(function*() {
        const who = yield* opened("large")
        const put = yield* ask(who, { operation: "put", key: "large" })
        const body = Buffer.alloc(2 * MIB, "x")
        assert.strictEqual((yield* use("PUT", put.url, { body })).status, 200)
        assert.strictEqual((yield* use("GET", (yield* ask(who, { operation: "get", key: "large" })).url)).text.length, body.length)
        const more = yield* use("PUT", (yield* ask(who, { operation: "put", key: "more" })).url, { body })
        assert.deepStrictEqual([more.status, JSON.parse(more.text).message.slice(0, 28)], [413, "The account may keep 3 MiB, "])
        const huge = yield* use("PUT", put.url, { body: Buffer.alloc(2 * MIB + 1) })
        assert.strictEqual(huge.status, 413)
      }))

    it.effect("of a type that no header needs are refused, and harm no other", () =>
      Effect.gen(function*() {
        const who = yield* opened("types")
        const put = yield* ask(who, { operation: "put", key: "typed" })
        const long = yield* use("PUT", put.url, { body: "x", headers: { "content-type": `text/${"\"".repeat(5000)}` } })
        assert.deepStrictEqual([long.status, JSON.parse(long.text).message], [
          400,
          "body: Its Content-Type has more than 255 characters. Send the object again."
        ])
        assert.strictEqual((yield* use("PUT", put.url, { body: "x", headers: { "content-type": `text/${"\"".repeat(250)}` } })).status, 200)
        assert.lengthOf((yield* ask(who, { operation: "list" }, engineer)).objects, 1)
      }))

    it.effect("whose upload breaks off are not there", () =>
      Effect.gen(function*() {
        const who = yield* opened("broken")
        const { url } = yield* ask(who, { operation: "put", key: "broken" })
        const { pathname, search } = new URL(url)
        const port = yield* portOf
        yield* Effect.promise(() =>
          new Promise<void>((resolve) => {
            const socket = connect(port, "127.0.0.1", () => {
              socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf of it`, () => socket.destroy())
            })
            socket.on("close", () => resolve())
          })
        )
        const { objects } = yield* ask(who, { operation: "list" }, engineer)
        assert.deepStrictEqual(objects, [])
        assert.strictEqual((yield* use("GET", (yield* ask(who, { operation: "get", key: "broken" })).url)).status, 404)
      }))

    it.effect("take only what was signed in engineer mode, are stored once by their content, listed, copied and deleted", () =>
      Effect.gen(function*() {
        const who = yield* opened("engineer")
        const body = "a,b\n1,2\n"
        const content_sha256 = createHash("sha256").update(body).digest("hex")
        const policy = { operation: "put", content_sha256, ext: "csv", content_type: "text/csv", content_length: body.length }
        const put = yield* ask(who, policy, engineer)
        const headers = { "content-type": "text/csv", "content-length": "8", "x-amz-content-sha256": content_sha256 }
        assert.deepInclude(put, { scoped_key: `accounts/${who.id}/sha256/${content_sha256}.csv`, headers })
        const { "content-length": _, ...sent } = headers
        assert.strictEqual((yield* use("PUT", put.url, { body, headers: { ...sent, "content-type": "text/html" } })).status, 403)
        assert.strictEqual((yield* use("PUT", put.url, { body: `${body}3`, headers: sent })).status, 403)
        assert.strictEqual((yield* use("PUT", put.url, { body: "a,b\n1,3\n", headers: sent })).status, 400)
        assert.strictEqual((yield* use("PUT", put.url, { body, headers: sent })).status, 200)
        assert.deepInclude(yield* ask(who, policy, engineer), { deduplicated: true, isError: false })

        const source_key = `sha256/${content_sha256}.csv`
        assert.isFalse((yield* ask(who, { operation: "copy", key: "copy.csv", source_key }, engineer)).isError)
        const first = yield* ask(who, { operation: "list", limit: 1 }, engineer)
        const second = yield* ask(who, { operation: "list", limit: 1, cursor: first.next_cursor }, engineer)
        assert.deepStrictEqual([...first.objects, ...second.objects].map(({ bytes, key }) => [key, bytes]), [
          ["copy.csv", 8],
          [source_key, 8]
        ])
        assert.isUndefined(second.next_cursor)
        assert.deepInclude(yield* ask(who, { operation: "delete", key: "copy.csv" }, engineer), { deleted: true, cents: 5 })
        assert.deepInclude(yield* ask(who, { operation: "delete", key: "copy.csv" }, engineer), { deleted: false, cents: 0 })
      }))

    it.effect("are refused by name where the mode or the key does not fit", () =>
      Effect.gen(function*() {
        const who = yield* opened("refused")
        for (
          const [args, words] of [
            [{ operation: "list" }, "operation list: only in engineer mode"],
            [{ operation: "delete", key: "a" }, "operation delete: only in engineer mode"],
            [{ operation: "copy", key: "a", source_key: "b" }, "operation copy: only in engineer mode"],
            [{ operation: "put", key: "a", content_type: "text/csv" }, "content_type: only in engineer mode"],
            [{ operation: "put", key: "../acct_other/a" }, "key has an empty segment, or one that is . or .."],
            [{ operation: "get" }, "key: the operation needs it"]
          ] as const
        ) {
          const refused = yield* ask(who, args)
          assert.isTrue(refused.isError)
          assert.include(refused.error.message, words)
        }
        const copy = yield* ask(who, { operation: "copy", key: "a", source_key: "absent" }, engineer)
        assert.include(copy.error.message, "source_key: the account has no object of this key")
      }))
  }
)

const S3 = { S3_ENDPOINT: "https://s3.example.com", S3_BUCKET: "files", S3_ACCESS_KEY_ID: "AKID", S3_SECRET_ACCESS_KEY: "secret" }

layer(layerWith(S3), { excludeTestServices: true, timeout: "60 seconds" })("objects in a store of the operator's", (it) => {
  it.effect("have URLs of that store, and no route here", () =>
    Effect.gen(function*() {
      const who = yield* opened("s3")
      const { bucket, url } = yield* ask(who, { operation: "put", key: "a b" })
      assert.strictEqual(bucket, "files")
      assert.isTrue(url.startsWith(`https://s3.example.com/files/accounts/${who.id}/a%20b?`))
      assert.include(url, "X-Amz-Credential=AKID%2F")
      assert.strictEqual((yield* use("PUT", "http://tools.svc.test/s3/objects/accounts/a/b", { body: "x" })).status, 404)
    }))
})
