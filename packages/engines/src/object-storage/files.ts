/**
 * Objects in files of this machine. Each is one file, which begins with a block that says what it holds, so that object and facts appear
 * together, by one rename. Owner and key are stored by their hash: no path is made of what a caller wrote.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { iso } from "@svc/kernel/values/time"
import { type DateTime, Effect, FileSystem, Option, Path, type PlatformError, Schema, Semaphore, Stream } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { diskNameOf, ownerOf, pathOf } from "./keys.ts"
import { type AccessKey, presign } from "./signature.ts"
import { type Bucket, ObjectRefused, type StoredObject, StoreUnavailable } from "./store.ts"

export const BUCKET = "objects"

/** Objects of one owner: a list reads the head of each. */
const MAX_OBJECTS = 10_000
/** A key of 1024 bytes takes at most six times as many in JSON. */
const HEAD_BYTES = 8192
const CHUNK_BYTES = 64 * 1024
const FILES_AT_ONCE = 32
/** Longer than any upload may take: a file of that age has lost its process. */
const ABANDONED_MILLIS = 3_600_000

const Head = Schema.Struct({
  key: Schema.String,
  bytes: Schema.Natural,
  content_type: Schema.String,
  content_sha256: Schema.String,
  modified_at: Schema.String
})
type Head = typeof Head.Type

const decodeHead = Schema.decodeUnknownEffect(fromJsonText(Head))
/** Throws, a defect, when the facts do not fit: cut off, they could never be read. */
const encodeHead = (head: Head): Uint8Array => {
  const text = JSON.stringify(head)
  const bytes = Buffer.byteLength(text)
  if (bytes > HEAD_BYTES) throw new RangeError(`the facts of an object take ${bytes} bytes`)
  return Buffer.from(text + " ".repeat(HEAD_BYTES - bytes))
}

export interface Upload {
  readonly key: string
  readonly body: Stream.Stream<Uint8Array, ObjectRefused | PlatformError.PlatformError>
  readonly content_type: string
  /** Where the sender said so beforehand. */
  readonly bytes?: number | undefined
  readonly content_sha256?: string | undefined
  readonly at: DateTime.Utc
}

export interface OpenObject {
  readonly head: Head
  readonly body: Stream.Stream<Uint8Array, PlatformError.PlatformError>
}

export interface FileSettings {
  readonly folder: string
  /** Where the routes of the store are reached, without a slash at the end. */
  readonly url: string
  readonly accessKey: AccessKey
  /** Bytes of one object. */
  readonly maxObjectBytes: number
  /** Bytes of all objects of one owner. */
  readonly maxOwnerBytes: number
}

const mib = (bytes: number): string => `${Math.floor(bytes / 1024 ** 2)} MiB`

const isAbsent = ({ reason }: PlatformError.PlatformError): boolean => reason._tag === "NotFound"

const isDiskFull = ({ reason: { cause } }: PlatformError.PlatformError): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ENOSPC" || cause.code === "EDQUOT")

const diskFull = new ObjectRefused({ reason: "disk_full", message: "The disk of the object store is full. The operator has to make room." })

/** What the disk says that nobody foresaw is for the operator, and in the log. */
const failed = (error: PlatformError.PlatformError): Effect.Effect<never, StoreUnavailable> =>
  Effect.andThen(
    Effect.logError("the object store cannot read or write its files", error),
    new StoreUnavailable({ message: "The object store cannot read or write its files at the moment. Try again later." })
  )

const reading = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>): Effect.Effect<A, StoreUnavailable, R> =>
  Effect.catch(effect, failed)

/** Refuses a size, known beforehand or reached. `used` is what the owner keeps and sends besides. */
const checkSize = ({ maxObjectBytes, maxOwnerBytes }: FileSettings, bytes: number, used: number): Effect.Effect<void, ObjectRefused> => {
  if (bytes > maxObjectBytes) {
    return Effect.fail(
      new ObjectRefused({ reason: "too_large", message: `The object is larger than ${mib(maxObjectBytes)}. Send a smaller one.` })
    )
  }
  return used + bytes <= maxOwnerBytes ? Effect.void : Effect.fail(
    new ObjectRefused({
      reason: "over_quota",
      message: `The account may keep ${mib(maxOwnerBytes)}, and this object would pass that. Delete others first (operation delete).`
    })
  )
}

interface Usage {
  readonly objects: number
  readonly bytes: number
}

/** Uploads of one owner that are under way: what they sent and what is stored must not pass the quota together. */
interface Incoming {
  uploads: number
  bytes: number
  /** How many became visible meanwhile. */
  stored: number
  /** Held while usage is read and checked, and until the upload that it allows is visible. */
  readonly lock: Semaphore.Semaphore
}

const makeQuota = (settings: FileSettings) => {
  const incoming = new Map<string, Incoming>()

  const enter = (owner: string): Incoming => {
    const all = incoming.get(owner) ?? { uploads: 0, bytes: 0, stored: 0, lock: Semaphore.makeUnsafe(1) }
    incoming.set(owner, all)
    all.uploads += 1
    return all
  }

  /** Counts one upload for as long as the scope is open. `usage` reads what the owner keeps besides. */
  return Effect.fnUntraced(function*<E>(owner: string, usage: Effect.Effect<Usage, E>) {
    let size = 0
    let used: Usage = { objects: 0, bytes: 0 }
    let readAfter: number | undefined
    const all = yield* Effect.acquireRelease(Effect.sync(() => enter(owner)), (entered) =>
      Effect.sync(() => {
        entered.bytes -= size
        entered.uploads -= 1
        if (entered.uploads === 0) incoming.delete(owner)
      }))
    /** Usage is read again when an upload was stored since. */
    const check = Effect.fnUntraced(function*(bytes: number) {
      if (readAfter !== all.stored) {
        used = yield* usage
        readAfter = all.stored
      }
      if (used.objects >= MAX_OBJECTS) {
        return yield* new ObjectRefused({ reason: "too_many", message: `The account has ${MAX_OBJECTS} objects. Delete some first.` })
      }
      yield* checkSize(settings, bytes, used.bytes + all.bytes - size)
    })
    const locked = all.lock.withPermits(1)
    return {
      announce: (bytes: number) => locked(check(bytes)),
      add: (bytes: number) => {
        all.bytes += bytes
        size += bytes
        return locked(check(size))
      },
      /** Makes the upload visible, if it still fits. Interrupted, a rename would go on without the lock. */
      store: <A, E2>(rename: Effect.Effect<A, E2>) =>
        locked(Effect.uninterruptible(Effect.gen(function*() {
          readAfter = undefined
          yield* check(size)
          yield* rename
          all.bytes -= size
          size = 0
          all.stored += 1
        })))
    }
  })
}

export const makeFiles = Effect.fnUntraced(function*(settings: FileSettings) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const uploads = path.join(settings.folder, "uploads")
  yield* fs.makeDirectory(uploads, { recursive: true, mode: 0o700 })

  const folderOf = (key: string): string => path.join(settings.folder, diskNameOf(ownerOf(key)))
  const fileOf = (key: string): string => path.join(folderOf(key), diskNameOf(key))
  const unlessAbsent = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>) =>
    Effect.catchIf(effect, isAbsent, () => Effect.undefined)
  const namesIn = (folder: string) => Effect.map(unlessAbsent(fs.readDirectory(folder)), (names) => names ?? [])

  const removeAbandoned = Effect.fnUntraced(function*(at: DateTime.Utc) {
    for (const name of yield* namesIn(uploads)) {
      const info = yield* unlessAbsent(fs.stat(path.join(uploads, name)))
      const age = at.epochMilliseconds - (Option.getOrUndefined(info?.mtime ?? Option.none())?.getTime() ?? at.epochMilliseconds)
      if (age > ABANDONED_MILLIS) yield* fs.remove(path.join(uploads, name), { force: true })
    }
  })

  const countUpload = makeQuota(settings)

  /** What the owner keeps besides the object of this key. */
  const usageBeside = Effect.fnUntraced(function*(key: string) {
    const others = (yield* namesIn(folderOf(key))).filter((name) => name !== diskNameOf(key))
    const sizes = yield* Effect.forEach(others, (name) => unlessAbsent(fs.stat(path.join(folderOf(key), name))), {
      concurrency: FILES_AT_ONCE
    })
    return { objects: others.length, bytes: sizes.reduce((sum, info) => sum + Math.max(0, Number(info?.size ?? 0) - HEAD_BYTES), 0) }
  })

  const put = Effect.fnUntraced(
    function*({ at, body, bytes: announced, content_sha256: expected, content_type, key }: Upload) {
      const upload = yield* countUpload(ownerOf(key), usageBeside(key))
      yield* upload.announce(announced ?? 0)
      let size = 0

      const draft = path.join(uploads, randomUUID())
      yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(draft, { force: true })))
      const file = yield* fs.open(draft, { flag: "wx", mode: 0o600 })
      yield* file.writeAll(new Uint8Array(HEAD_BYTES))
      const digest = createHash("sha256")
      yield* Stream.runForEach(body, (chunk) => {
        digest.update(chunk)
        size += chunk.length
        return Effect.andThen(upload.add(chunk.length), file.writeAll(chunk))
      })
      const content_sha256 = digest.digest("hex")
      if (announced !== undefined && announced !== size) {
        return yield* new ObjectRefused({ reason: "broken_off", message: `${size} of ${announced} bytes came. Send the object again.` })
      }
      if (expected !== undefined && expected !== content_sha256) {
        return yield* new ObjectRefused({ reason: "mismatch", message: `The bytes have the SHA-256 ${content_sha256}, not ${expected}.` })
      }
      const head: Head = { key, bytes: size, content_type, content_sha256, modified_at: iso(at) }
      yield* file.seek(0n, "start")
      yield* file.writeAll(encodeHead(head))
      yield* file.sync
      yield* fs.makeDirectory(folderOf(key), { recursive: true, mode: 0o700 })
      yield* upload.store(fs.rename(draft, fileOf(key)))
      return head
    },
    Effect.scoped,
    Effect.catchTag(
      "PlatformError",
      (error): Effect.Effect<never, ObjectRefused | StoreUnavailable> => isDiskFull(error) ? Effect.fail(diskFull) : failed(error)
    )
  )

  const openFile = Effect.fnUntraced(function*(place: string) {
    const file = yield* fs.open(place, { flag: "r" })
    const block = Option.getOrElse(yield* file.readAlloc(HEAD_BYTES), () => new Uint8Array())
    const head = yield* Effect.orDie(decodeHead(Buffer.from(block).toString("utf8")))
    const next = Effect.map(
      file.readAlloc(CHUNK_BYTES),
      (chunk) => Option.match(chunk, { onNone: () => undefined, onSome: (bytes) => [bytes, undefined] as const })
    )
    return { head, body: Stream.unfold(undefined, () => next) } satisfies OpenObject
  })

  /** The object, for as long as the scope is open: also while another takes its place. */
  const open = (key: string) => reading(unlessAbsent(openFile(fileOf(key))))

  const headOf = (place: string) =>
    Effect.map(Effect.scoped(unlessAbsent(openFile(place))), (found): StoredObject | undefined => {
      if (found === undefined) return undefined
      const { content_type: _, ...head } = found.head
      return head
    })

  const bucket: Bucket = {
    name: BUCKET,
    presign: ({ key, ...request }, at) => presign(settings.accessKey, { ...request, url: `${settings.url}/${BUCKET}/${pathOf(key)}` }, at),
    find: (key) => reading(headOf(fileOf(key))),
    remove: (key) => reading(Effect.map(unlessAbsent(Effect.as(fs.remove(fileOf(key)), true)), (removed) => removed ?? false)),
    list: ({ after = "", limit, prefix }) =>
      reading(Effect.gen(function*() {
        const names = yield* namesIn(folderOf(prefix))
        const heads = yield* Effect.forEach(names, (name) => headOf(path.join(folderOf(prefix), name)), { concurrency: FILES_AT_ONCE })
        const objects = heads.filter((head) => head !== undefined)
          .filter(({ key }) => key.startsWith(prefix) && key > after)
          .sort((one, other) => one.key < other.key ? -1 : 1)
        return { objects: objects.slice(0, limit), next: objects.length > limit ? objects[limit - 1]?.key : undefined }
      })),
    copy: (from, to, at) =>
      Effect.scoped(Effect.gen(function*() {
        const source = yield* open(from)
        if (source === undefined) return false
        const { bytes, content_type } = source.head
        yield* put({ key: to, body: source.body, content_type, bytes, at })
        return true
      }))
  }
  return { bucket, put, open, removeAbandoned }
})

export type ObjectFiles = Effect.Success<ReturnType<typeof makeFiles>>
