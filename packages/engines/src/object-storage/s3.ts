/** Objects in a store that speaks S3: addresses are `endpoint/bucket/key`, as every such store takes them. */
import { makeConfiguredServer } from "@svc/kernel/egress/configured"
import type { EgressResponse } from "@svc/kernel/egress/model"
import { type DateTime, Effect, type Redacted, type Scope } from "effect"
import { pathOf } from "./keys.ts"
import { type AccessKey, presign } from "./signature.ts"
import { type Bucket, type StoredObject, StoreUnavailable } from "./store.ts"

export interface S3Settings {
  /** Without a slash at the end. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted<string>
}

const OWN_REQUEST_SECONDS = 60
const TIMEOUT = "10 seconds"
/** A page of a thousand long keys. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

/** With `encoding-type=url` a key holds no character that XML would write in another way. */
const textOf = (xml: string, element: string): string => new RegExp(`<${element}>([^<]*)</${element}>`, "u").exec(xml)?.[1] ?? ""

const objectsIn = (xml: string): ReadonlyArray<StoredObject> =>
  Array.from(xml.matchAll(/<Contents>((?:[^<]|<(?!\/?Contents>))*)<\/Contents>/gu), ([, entry = ""]) => ({
    key: decodeURIComponent(textOf(entry, "Key").replaceAll("+", " ")),
    bytes: Number(textOf(entry, "Size")),
    modified_at: textOf(entry, "LastModified")
  }))

export const makeS3 = Effect.fnUntraced(
  function*(settings: S3Settings, accessKey: AccessKey): Effect.fn.Return<Bucket, never, Scope.Scope> {
    const bucketUrl = `${settings.endpoint}/${settings.bucket}`
    const server = yield* makeConfiguredServer(bucketUrl)
    const unavailable = new StoreUnavailable({ message: "The object store does not answer as it should. Try again later." })

    const request = Effect.fnUntraced(
      function*(method: "GET" | "PUT" | "DELETE", url: string, at: DateTime.Utc, headers: Readonly<Record<string, string>> = {}) {
        const signed = yield* presign(accessKey, { method, url, headers, seconds: OWN_REQUEST_SECONDS }, at)
        const response = yield* Effect.mapError(
          Effect.tapError(
            server({ url: signed, headers, body: "", timeout: TIMEOUT, maxResponseBytes: MAX_RESPONSE_BYTES, repeatable: true }, method),
            (error) => Effect.logWarning("the object store of S3_ENDPOINT does not answer", error)
          ),
          () => unavailable
        )
        if (response.status < 300 || response.status === 404) return response
        yield* Effect.logWarning(`the object store of S3_ENDPOINT answered ${method} with ${response.status}`)
        return yield* unavailable
      }
    )
    const isFound = ({ status }: EgressResponse): boolean => status !== 404

    const list: Bucket["list"] = Effect.fnUntraced(function*({ after, limit, prefix }, at) {
      const query = new URLSearchParams({ "list-type": "2", "encoding-type": "url", prefix, "max-keys": String(limit) })
      if (after !== undefined) query.set("start-after", after)
      const response = yield* request("GET", `${bucketUrl}?${query.toString()}`, at)
      if (!isFound(response)) return yield* unavailable
      const { body } = response
      const objects = objectsIn(body)
      return { objects, next: textOf(body, "IsTruncated") === "true" ? objects.at(-1)?.key : undefined }
    })

    return {
      name: settings.bucket,
      presign: ({ key, ...wanted }, at) => presign(accessKey, { ...wanted, url: `${bucketUrl}/${pathOf(key)}` }, at),
      find: (key, at) => Effect.map(list({ prefix: key, limit: 1 }, at), ({ objects: [first] }) => first?.key === key ? first : undefined),
      // S3 answers alike whether there was one.
      remove: (key, at) => Effect.map(request("DELETE", `${bucketUrl}/${pathOf(key)}`, at), isFound),
      list,
      copy: (from, to, at) =>
        Effect.map(
          request("PUT", `${bucketUrl}/${pathOf(to)}`, at, { "x-amz-copy-source": `/${settings.bucket}/${pathOf(from)}` }),
          isFound
        )
    }
  }
)
