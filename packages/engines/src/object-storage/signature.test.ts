/** Our signatures are those of AWS: its published example, and its own signer. */
import { Sha256 } from "@aws-crypto/sha256-js"
import { assert, describe, it } from "@effect/vitest"
import { SignatureV4 } from "@smithy/signature-v4"
import { DateTime, Effect } from "effect"
import { type AccessKey, type Headers, presign, type SignedRequest, verify } from "./signature.ts"

const key: AccessKey = { id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1" }
const at = DateTime.makeUnsafe("2013-05-24T00:00:00.000Z")
const later = (seconds: number) => DateTime.add(at, { seconds })

/** A URL by AWS's own signer. Without headers to sign, the body is not signed either, which the SDK says in the query. */
const byAws = async (method: string, url: string, headers: Headers = {}): Promise<string> => {
  const { hostname, host, pathname, protocol, port, searchParams } = new URL(url)
  const signer = new SignatureV4({
    service: "s3",
    region: key.region,
    credentials: { accessKeyId: key.id, secretAccessKey: key.secret },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false
  })
  const signed = await signer.presign({
    method,
    protocol,
    hostname,
    ...(port === "" ? {} : { port: Number(port) }),
    path: pathname,
    headers: { host, ...(Object.keys(headers).length === 0 ? { "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" } : headers) },
    query: Object.fromEntries(searchParams)
  }, {
    signingDate: DateTime.toDateUtc(at),
    expiresIn: 600,
    unhoistableHeaders: new Set(Object.keys(headers)),
    signableHeaders: new Set(["host", ...Object.keys(headers)]),
    unsignableHeaders: new Set()
  })
  const query = new URLSearchParams(Object.entries(signed.query ?? {}).map(([name, value]) => [name, String(value)]))
  return `${protocol}//${host}${pathname}?${query.toString()}`
}

const check = (request: SignedRequest, moment = later(60)) => Effect.result(verify(key, request, moment))
const signatureIn = (url: string) => new URL(url).searchParams.get("X-Amz-Signature")

describe("a signed URL", () => {
  it.effect("is the one that AWS publishes", () =>
    Effect.gen(function*() {
      const url = yield* presign(key, { method: "GET", url: "https://examplebucket.s3.amazonaws.com/test.txt", seconds: 86_400 }, at)
      // https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
      assert.strictEqual(signatureIn(url), "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
    }))

  it.effect.each<readonly [method: string, path: string, headers: Headers]>([
    ["GET", "accounts/acct_1/report.csv", {}],
    ["PUT", "accounts/acct_1/a%20b%2Bc/%C3%BC%27%28%2A%29%21.txt", {}],
    ["PUT", "accounts/acct_1/typed", { "content-type": "text/csv", "content-length": "12", "x-amz-content-sha256": "0".repeat(64) }]
  ])("of %s %s is the one of AWS's signer, and each accepts the other's", ([method, path, headers]) =>
    Effect.gen(function*() {
      // The SDK signs these two as well.
      const query = "X-Amz-Content-Sha256=UNSIGNED-PAYLOAD&x-id=Object"
      const url = `http://tools.test:4001/s3/objects/${path}${Object.keys(headers).length === 0 ? `?${query}` : ""}`
      const [ours, theirs] = [
        yield* presign(key, { method, url, headers, seconds: 600 }, at),
        yield* Effect.promise(() => byAws(method, url, headers))
      ]
      assert.strictEqual(signatureIn(ours), signatureIn(theirs))
      for (const one of [ours, theirs]) assert.strictEqual((yield* check({ method, url: one, headers }))._tag, "Success")
    }))

  it.effect("is refused after any change, and once its time has passed", () =>
    Effect.gen(function*() {
      const headers = { "content-type": "text/csv" }
      const request = { method: "PUT", url: "https://tools.test/s3/objects/accounts/a/b", headers }
      const url = yield* presign(key, { ...request, seconds: 600 }, at)
      const signed = { method: "PUT", url, headers }
      const signature = signatureIn(url) ?? ""
      const otherDigit = `${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}`
      const refused: ReadonlyArray<SignedRequest> = [
        { ...signed, url: url.replace(signature, otherDigit) },
        // As many characters, but more bytes.
        { ...signed, url: url.replace(signature, "%C3%A9".repeat(signature.length)) },
        { ...signed, url: url.replace("/a/b", "/a/c") },
        { ...signed, url: url.replace("tools.test", "other.test") },
        { ...signed, url: url.replace("X-Amz-Expires=600", "X-Amz-Expires=601") },
        { ...signed, url: `${url}&x=1` },
        { ...signed, url: `${url}&X-Amz-Expires=86400` },
        { ...signed, url: url.replace("content-type%3Bhost", "host") },
        { ...signed, method: "GET" },
        { ...signed, headers: { "content-type": "text/html" } },
        { ...signed, headers: {} },
        { ...signed, headers: { ...headers, "x-amz-acl": "public-read" } },
        { ...signed, url: request.url }
      ]
      assert.strictEqual((yield* check(signed))._tag, "Success")
      for (const one of refused) assert.strictEqual((yield* check(one))._tag, "Failure", `${one.method} ${one.url}`)
      assert.strictEqual((yield* check(signed, later(599)))._tag, "Success")
      assert.strictEqual((yield* check(signed, later(600)))._tag, "Failure")
      assert.strictEqual((yield* check(signed, later(-600)))._tag, "Failure")
      const longLived = yield* presign(key, { ...request, seconds: 86_401 }, at)
      assert.strictEqual((yield* check({ ...signed, url: longLived }))._tag, "Failure")
    }))
})
