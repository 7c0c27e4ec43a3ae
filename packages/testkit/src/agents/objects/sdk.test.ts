/** URLs that AWS's own SDK signs, on our store in files: they open what they name, and with one changed digit nothing. */
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { afterAll, assert, layer } from "@effect/vitest"
import { Site } from "@svc/tool-kit/services/site"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { jsonOf } from "../../contract/service.ts"
import { type Caller, grantCredits, layerWith, openCaller } from "../service.ts"
import { call } from "../tenants/rows.ts"

const folder = mkdtempSync(join(tmpdir(), "svc-sdk-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const Bucket = "objects"

/** With the key that the store made for itself at its start. */
const client = Effect.map(Site, ({ tools_url }) =>
  new S3Client({
    endpoint: `${tools_url}/s3`,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "svc", secretAccessKey: readFileSync(join(folder, "objects/access-key"), "utf8") }
  }))

/** The URL is signed for the public address, which a proxy would carry here. */
const use = Effect.fnUntraced(function*(method: string, url: string, body?: string) {
  const { address } = yield* HttpServer.HttpServer
  const { pathname, search } = new URL(url)
  const { port } = new URL(HttpServer.formatAddress(address))
  return yield* Effect.promise(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method, ...(body === undefined ? {} : { body }) })
    return { status: answer.status, text: await answer.text() }
  })
})

const byTool = Effect.fnUntraced(function*(who: Caller, args: object) {
  const { result } = jsonOf(yield* call(who, "svc_object_storage", args, { "X-Agent-Mode": "engineer" })) as {
    readonly result: { readonly structuredContent: Readonly<Record<string, unknown>> }
  }
  return result.structuredContent
})

/** The same URL, one digit of its signature another. */
const forged = (url: string): string =>
  url.replace(/(X-Amz-Signature=[0-9a-f]{20})([0-9a-f])/u, (_, before: string, digit: string) => before + (digit === "0" ? "1" : "0"))

layer(layerWith({ DATA_DIR: folder }), { excludeTestServices: true, timeout: "60 seconds" })("URLs of the AWS SDK", (it) => {
  it.effect("put and get an object, which the tool lists, copies and deletes", () =>
    Effect.gen(function*() {
      const who = yield* openCaller("SDK")
      yield* grantCredits(who, 1_000)
      const s3 = yield* client
      const Key = `accounts/${who.id}/a b+c/ü'(*)!.txt`
      const put = yield* Effect.promise(() => getSignedUrl(s3, new PutObjectCommand({ Bucket, Key }), { expiresIn: 600 }))
      const get = yield* Effect.promise(() => getSignedUrl(s3, new GetObjectCommand({ Bucket, Key }), { expiresIn: 600 }))
      for (const [method, url] of [["PUT", forged(put)], ["GET", forged(get)], ["GET", put], ["PUT", get]] as const) {
        const { status } = yield* use(method, url, method === "PUT" ? "forged" : undefined)
        assert.strictEqual(status, 403, `${method} ${url}`)
      }
      assert.strictEqual((yield* use("GET", get)).status, 404, "nothing was put by what was refused")
      assert.strictEqual((yield* use("PUT", put, "from the SDK")).status, 200)
      assert.deepStrictEqual(yield* use("GET", get), { status: 200, text: "from the SDK" })

      const key = Key.slice(`accounts/${who.id}/`.length)
      assert.deepNestedInclude(yield* byTool(who, { operation: "list" }), { "objects[0].key": key, "objects[0].bytes": 12 })
      assert.notProperty(yield* byTool(who, { operation: "copy", key: "copy", source_key: key }), "error")
      const copy = new GetObjectCommand({ Bucket, Key: `accounts/${who.id}/copy` })
      const copied = yield* Effect.promise(() => getSignedUrl(s3, copy, { expiresIn: 600 }))
      assert.strictEqual((yield* use("GET", copied)).text, "from the SDK")
      // URLs put and get: what deletes is asked of the tool, under its key and its rules.
      const deleting = yield* Effect.promise(() => getSignedUrl(s3, new DeleteObjectCommand({ Bucket, Key }), { expiresIn: 600 }))
      assert.include([404, 405], (yield* use("DELETE", deleting)).status)
      assert.strictEqual((yield* use("GET", get)).status, 200)
      assert.deepInclude(yield* byTool(who, { operation: "delete", key }), { deleted: true })
      assert.strictEqual((yield* use("GET", get)).status, 404)
    }))

  it.effect("open nothing for another's key, region or address", () =>
    Effect.gen(function*() {
      const { config } = yield* client
      const endpoint = `${(yield* Site).tools_url}/s3`
      const credentials = yield* Effect.promise(() => config.credentials())
      const others = [
        { endpoint, region: "us-east-1", credentials: { ...credentials, secretAccessKey: "another" } },
        { endpoint, region: "us-east-1", credentials: { ...credentials, accessKeyId: "another" } },
        { endpoint, region: "eu-west-1", credentials },
        { endpoint: "http://elsewhere.example/s3", region: "us-east-1", credentials }
      ]
      for (const other of others) {
        const s3 = new S3Client({ ...other, forcePathStyle: true })
        const url = yield* Effect.promise(() => getSignedUrl(s3, new PutObjectCommand({ Bucket, Key: "accounts/a/b" })))
        assert.strictEqual((yield* use("PUT", url, "x")).status, 403)
      }
    }))
})
