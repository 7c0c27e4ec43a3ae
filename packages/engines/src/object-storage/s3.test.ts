/** The store of the operator: a server that checks the signature of each request, and answers as S3 does. */
import { assert, it } from "@effect/vitest"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import { DateTime, Effect, Redacted } from "effect"
import { makeS3 } from "./s3.ts"
import { verify } from "./signature.ts"
import { StoreUnavailable } from "./store.ts"

const key = { id: "id", secret: "secret", region: "eu-central-1" }
const at = DateTime.makeUnsafe("2026-11-23T00:00:00.000Z")

const page = `<?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated>
  <Contents><Key>accounts/a/b%26+c</Key><LastModified>2026-11-22T00:00:00.000Z</LastModified><Size>7</Size></Contents></ListBucketResult>`

const store = Effect.gen(function*() {
  const seen: Array<string> = []
  let status = 200
  const port = yield* receiver((request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const { method = "", url = "" } = request
    seen.push(`${method} ${url.split("X-Amz")[0]}`)
    Effect.runPromise(Effect.exit(verify(key, { method, url: `http://${headers["host"]}${url}`, headers }, at))).then(({ _tag }) => {
      const answered = _tag === "Success" ? status : 403
      response.writeHead(answered).end(answered === 200 && method === "GET" ? page : "")
    })
  })
  const endpoint = `http://127.0.0.1:${port}`
  const bucket = yield* makeS3(
    { endpoint, bucket: "files", region: key.region, accessKeyId: key.id, secretAccessKey: Redacted.make(key.secret) },
    key
  )
  return { bucket, seen, endpoint, answer: (next: number) => void (status = next) }
})

it.live("a store that speaks S3 is asked with signed requests, in a private network, too", () =>
  Effect.gen(function*() {
    const { answer, bucket, endpoint, seen } = yield* store
    const object = { key: "accounts/a/b& c", bytes: 7, modified_at: "2026-11-22T00:00:00.000Z" }
    assert.deepStrictEqual(yield* bucket.list({ prefix: "accounts/a/", limit: 1 }, at), { objects: [object], next: object.key })
    assert.deepStrictEqual(yield* bucket.find(object.key, at), object)
    assert.isUndefined(yield* bucket.find("accounts/a/other", at))
    assert.isTrue(yield* bucket.copy(object.key, "accounts/a/d", at))
    assert.isTrue(yield* bucket.remove("accounts/a/d", at))
    const url = yield* bucket.presign({ method: "PUT", key: object.key, seconds: 60 }, at)
    assert.isTrue(url.startsWith(`${endpoint}/files/accounts/a/b%26%20c?X-Amz-`))
    assert.deepStrictEqual(seen.map((line) => line.split("?")[0]), [
      "GET /files",
      "GET /files",
      "GET /files",
      "PUT /files/accounts/a/d",
      "DELETE /files/accounts/a/d"
    ])
    answer(404)
    assert.isFalse(yield* bucket.copy(object.key, "accounts/a/d", at))
    for (const status of [403, 500]) {
      answer(status)
      assert.instanceOf(yield* Effect.flip(bucket.remove("accounts/a/d", at)), StoreUnavailable)
    }
  }).pipe(Effect.scoped))
