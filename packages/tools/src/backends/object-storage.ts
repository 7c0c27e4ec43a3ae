/** Objects of an account, in files of this machine or in the operator's own store. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { makeFiles } from "@svc/engines/object-storage/files"
import { keyProblem } from "@svc/engines/object-storage/keys"
import { LocalObjects } from "@svc/engines/object-storage/local"
import { makeS3 } from "@svc/engines/object-storage/s3"
import type { Headers } from "@svc/engines/object-storage/signature"
import type { Bucket, ObjectRefused, StoreUnavailable } from "@svc/engines/object-storage/store"
import { readOrMakeKey } from "@svc/kernel/signatures/signing-key"
import { iso, realNow } from "@svc/kernel/values/time"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { FetchFailed, InvalidPath, InvalidRequest } from "@svc/tool-kit/services/errors"
import { type ObjectAnswer, type ObjectRequest, ObjectStore, type ObjectStoreApi } from "@svc/tool-kit/services/object-store"
import { Site } from "@svc/tool-kit/services/site"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { ObjectSettings } from "./settings.ts"

const PAGE = 100

const failed = ({ message }: StoreUnavailable) => new FetchFailed({ message, retryable: true })
const refused = ({ message }: ObjectRefused) => new InvalidRequest({ message })

const prefixOf = (call: Call): string => `accounts/${accountOf(call).id}/`

/** A key below the account's prefix. */
const scoped = Effect.fnUntraced(function*(call: Call, field: string, key: string | undefined) {
  if (key === undefined) return yield* new InvalidRequest({ message: `${field}: the operation needs it.` })
  const scopedKey = `${prefixOf(call)}${key}`
  const problem = keyProblem(scopedKey)
  return problem === undefined ? scopedKey : yield* new InvalidPath({ message: `${field} ${problem}.` })
})

/** The key of an object that is named by what it holds, so that the same content is stored once. */
const contentKey = ({ content_sha256, ext }: ObjectRequest): string | undefined =>
  content_sha256 === undefined ? undefined : `sha256/${content_sha256}${ext === undefined ? "" : `.${ext}`}`

/** What the uploader has to send, because it is signed: a PUT with another type, length or content is refused. */
const policyOf = ({ content_length, content_sha256, content_type }: ObjectRequest): Headers => ({
  ...(content_type === undefined ? {} : { "content-type": content_type }),
  ...(content_length === undefined ? {} : { "content-length": String(content_length) }),
  ...(content_sha256 === undefined ? {} : { "x-amz-content-sha256": content_sha256 })
})

const makeStore = (bucket: Bucket): ObjectStoreApi => {
  const about = (operation: ObjectAnswer["operation"], scoped_key: string) => ({ operation, bucket: bucket.name, scoped_key })

  const sign = Effect.fnUntraced(
    function*(operation: "get" | "put", key: string, { seconds, headers = {} }: { readonly seconds: number; readonly headers?: Headers }) {
      const at = yield* realNow
      const url = yield* bucket.presign({ method: operation.toUpperCase(), key, headers, seconds }, at)
      const expires_at = iso(DateTime.add(at, { seconds }))
      return { ...about(operation, key), url, expires_at, ...(Object.keys(headers).length === 0 ? {} : { headers }) }
    }
  )

  /** Whether the object is there with the content that the caller is about to send. */
  const isStored = Effect.fnUntraced(function*(scopedKey: string, { content_sha256, key }: ObjectRequest) {
    if (content_sha256 === undefined) return false
    const object = yield* bucket.find(scopedKey, yield* realNow)
    // A store that tells no hash is believed where the key itself is made of one.
    return object !== undefined && (object.content_sha256 === content_sha256 || (object.content_sha256 === undefined && key === undefined))
  })

  const put = Effect.fnUntraced(function*(request: ObjectRequest, call: Call) {
    const scopedKey = yield* scoped(call, "key", request.key ?? contentKey(request))
    return (yield* isStored(scopedKey, request))
      ? { ...about("put", scopedKey), deduplicated: true }
      : yield* sign("put", scopedKey, { seconds: request.ttl_seconds, headers: policyOf(request) })
  })

  const copy = Effect.fnUntraced(function*({ key, source_key }: ObjectRequest, call: Call) {
    const from = yield* scoped(call, "source_key", source_key)
    const to = yield* scoped(call, "key", key)
    if (yield* bucket.copy(from, to, yield* realNow)) return about("copy", to)
    return yield* new InvalidRequest({ message: "source_key: the account has no object of this key." })
  })

  /** A cursor is the key, without the account's prefix, after which the next page begins. */
  const list = Effect.fnUntraced(function*({ cursor, key = "", limit = PAGE }: ObjectRequest, call: Call) {
    const account = prefixOf(call)
    const after = cursor === undefined ? undefined : `${account}${Buffer.from(cursor, "base64url").toString()}`
    const { next, objects } = yield* bucket.list({ prefix: `${account}${key}`, after, limit }, yield* realNow)
    return {
      ...about("list", `${account}${key}`),
      objects: objects.map((object) => ({ ...object, key: object.key.slice(account.length) })),
      ...(next === undefined ? {} : { next_cursor: Buffer.from(next.slice(account.length)).toString("base64url") })
    }
  })

  const answer = Effect.fnUntraced(function*(request: ObjectRequest, call: Call) {
    switch (request.operation) {
      case "get":
        return yield* sign("get", yield* scoped(call, "key", request.key), { seconds: request.ttl_seconds })
      case "put":
        return yield* put(request, call)
      case "copy":
        return yield* copy(request, call)
      case "list":
        return yield* list(request, call)
      case "delete": {
        const scopedKey = yield* scoped(call, "key", request.key)
        return { ...about("delete", scopedKey), deleted: yield* bucket.remove(scopedKey, yield* realNow) }
      }
    }
  })

  return {
    run: (request, call) =>
      answer(request, call).pipe(
        Effect.map((given): ObjectAnswer => given),
        Effect.catchTags({ StoreUnavailable: (error) => failed(error), ObjectRefused: (error) => refused(error) })
      )
  }
}

/** The key of the store in files: made with the first start, and the same for every process on this folder. */
const localKey = Effect.fnUntraced(function*(folder: string) {
  const secret = yield* readOrMakeKey(`${folder}/access-key`, () => randomBytes(32).toString("base64url"))
  return { id: "svc", secret, region: "us-east-1" }
})

const open = Effect.gen(function*() {
  const { dataDir, s3, ...limits } = yield* ObjectSettings
  if (s3 !== undefined) {
    const { accessKeyId: id, region, secretAccessKey } = s3
    return { bucket: yield* makeS3(s3, { id, region, secret: Redacted.value(secretAccessKey) }), local: undefined }
  }
  const folder = `${dataDir}/objects`
  const accessKey = yield* localKey(folder)
  const files = yield* makeFiles({ folder, url: `${(yield* Site).tools_url}/s3`, accessKey, ...limits })
  yield* Effect.ignore(files.removeAbandoned(yield* realNow))
  return { bucket: files.bucket, local: { files, accessKey } }
})

export const layer = Layer.effectContext(
  Effect.map(
    open,
    ({ bucket, local }) => Context.make(ObjectStore, { get: Effect.succeed(makeStore(bucket)) }).pipe(Context.add(LocalObjects, local))
  )
).pipe(Layer.provide([NodeFileSystem.layer, NodePath.layer]))
