import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, FileSystem, Layer, type Scope, Stream } from "effect"
import { type FileSettings, makeFiles, type Upload } from "./files.ts"
import { keyIn, keyProblem, pathOf } from "./keys.ts"
import { ObjectRefused } from "./store.ts"

const at = DateTime.makeUnsafe("2026-11-23T00:00:00.000Z")
const disk = Layer.merge(NodeFileSystem.layer, NodePath.layer)

const bytes = (text: string) => Stream.make(Buffer.from(text))
const text = (key: string, content: string): Upload => ({ key, body: bytes(content), content_type: "text/plain", at })

const store = Effect.fnUntraced(function*(limits: Partial<FileSettings> = {}) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "svc-objects-" })
  const accessKey = { id: "svc", secret: "secret", region: "us-east-1" }
  const files = yield* makeFiles({ folder, url: "https://tools.test/s3", accessKey, maxObjectBytes: 100, maxOwnerBytes: 150, ...limits })
  /** All files below the folder. */
  const kept = Effect.map(fs.readDirectory(folder, { recursive: true }), (names) => names.filter((name) => /\/[0-9a-f-]{36,}$/u.test(name)))
  return { files, folder, kept, list: (prefix: string) => files.bucket.list({ prefix, limit: 10 }, at) }
})

const content = (key: string) =>
  Effect.fnUntraced(function*(files: Effect.Success<ReturnType<typeof makeFiles>>) {
    const object = yield* files.open(key)
    return object === undefined ? undefined : Buffer.concat(yield* Stream.runCollect(object.body)).toString("utf8")
  }, Effect.scoped)

const test = <A, E>(body: Effect.Effect<A, E, FileSystem.FileSystem | Layer.Success<typeof disk> | Scope.Scope>) =>
  body.pipe(Effect.scoped, Effect.provide(disk))

describe("objects in files", () => {
  it.effect("are found, replaced, copied, listed in the order of their keys and removed", () =>
    test(Effect.gen(function*() {
      const { files, list } = yield* store()
      for (const key of ["accounts/a/c", "accounts/a/b/ü'(1).txt", "accounts/b/c"]) yield* files.put(text(key, key))
      yield* files.put(text("accounts/a/c", "replaced"))
      assert.strictEqual(yield* content("accounts/a/c")(files), "replaced")
      assert.isTrue(yield* files.bucket.copy("accounts/a/c", "accounts/a/d", at))
      assert.isFalse(yield* files.bucket.copy("accounts/a/absent", "accounts/a/d", at))
      assert.deepStrictEqual((yield* list("accounts/a/")).objects.map(({ key }) => key), [
        "accounts/a/b/ü'(1).txt",
        "accounts/a/c",
        "accounts/a/d"
      ])
      const page = yield* files.bucket.list({ prefix: "accounts/a/", limit: 2 }, at)
      assert.strictEqual(page.next, "accounts/a/c")
      const rest = yield* files.bucket.list({ prefix: "accounts/a/", after: page.next, limit: 2 }, at)
      assert.deepStrictEqual([rest.objects.map(({ key }) => key), rest.next], [["accounts/a/d"], undefined])
      assert.isTrue(yield* files.bucket.remove("accounts/a/c", at))
      assert.isFalse(yield* files.bucket.remove("accounts/a/c", at))
      assert.isUndefined(yield* content("accounts/a/c")(files))
      assert.strictEqual(yield* content("accounts/b/c")(files), "accounts/b/c")
    })))

  it.effect("appear whole or not at all", () =>
    test(Effect.gen(function*() {
      const { files, kept, list } = yield* store()
      yield* files.put(text("accounts/a/c", "before"))
      const lost = new ObjectRefused({ reason: "broken_off", message: "lost" })
      const refused: ReadonlyArray<readonly [ObjectRefused["reason"], Partial<Upload>]> = [
        ["broken_off", { body: Stream.concat(bytes("half"), Stream.fail(lost)) }],
        ["broken_off", { body: bytes("half"), bytes: 8 }],
        ["mismatch", { content_sha256: "0".repeat(64) }],
        ["too_large", { body: Stream.make(Buffer.alloc(60), Buffer.alloc(60)) }]
      ]
      for (const [reason, change] of refused) {
        const error = yield* Effect.flip(files.put({ ...text("accounts/a/c", "after"), ...change }))
        assert.strictEqual(error instanceof ObjectRefused && error.reason, reason)
      }
      const endless = { ...text("accounts/a/c", ""), body: Stream.concat(bytes("half"), Stream.never) }
      const fiber = yield* Effect.forkChild(files.put(endless))
      yield* Effect.repeat(kept, { until: (names) => names.length === 2 })
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* content("accounts/a/c")(files), "before")
      assert.lengthOf(yield* kept, 1)
      assert.lengthOf((yield* list("accounts/a/")).objects, 1)
    })))

  it.effect("stay within the quota of their owner, uploads at one time together", () =>
    test(Effect.gen(function*() {
      const { files } = yield* store()
      const hundred = (key: string): Upload => ({ ...text(key, ""), body: Stream.make(Buffer.alloc(50), Buffer.alloc(50)) })
      const both = yield* Effect.all(["accounts/a/1", "accounts/a/2"].map((key) => Effect.result(files.put(hundred(key)))), {
        concurrency: "unbounded"
      })
      assert.include(both.map(({ _tag }) => _tag), "Failure")
      yield* files.put(hundred("accounts/b/1"))
      // In the place of one that is there, only the difference counts.
      yield* files.put(hundred("accounts/b/1"))
      const second = yield* Effect.flip(files.put({ ...hundred("accounts/b/2"), bytes: 100, body: Stream.die("is not read") }))
      assert.strictEqual(second instanceof ObjectRefused && second.reason, "over_quota")
      yield* files.bucket.remove("accounts/b/1", at)
      yield* files.put(hundred("accounts/b/2"))
    })))

  it.effect("stay within the quota when uploads under way finish one after another", () =>
    test(Effect.gen(function*() {
      const { files, kept, list } = yield* store()
      const names = ["1", "2", "3", "4", "5", "6"]
      const uploads = yield* Effect.forEach(names, (name) =>
        Effect.gen(function*() {
          const rest = yield* Deferred.make<void>()
          const later = Stream.fromEffect(Effect.as(Deferred.await(rest), Buffer.alloc(60)))
          const body = Stream.concat(Stream.make(Buffer.alloc(10)), later)
          const fiber = yield* Effect.forkChild(Effect.result(files.put({ ...text(`accounts/a/${name}`, ""), body })))
          return { rest, fiber }
        }))
      yield* Effect.repeat(kept, { until: (drafts) => drafts.length === names.length })
      const reasons: Array<string> = []
      for (const { fiber, rest } of uploads) {
        yield* Deferred.succeed(rest, undefined)
        const result = yield* Fiber.join(fiber)
        reasons.push(result._tag === "Success" ? "stored" : result.failure instanceof ObjectRefused ? result.failure.reason : "failed")
      }
      const { objects } = yield* list("accounts/a/")
      assert.isAtMost(objects.reduce((sum, object) => sum + object.bytes, 0), 150)
      assert.deepStrictEqual([...new Set(reasons)].sort(), ["over_quota", "stored"])
      assert.lengthOf(yield* kept, reasons.filter((reason) => reason === "stored").length)
      // None of the refused ones counts any longer.
      yield* files.put({ ...text("accounts/a/7", ""), body: Stream.make(Buffer.alloc(150 - 70 * objects.length)) })
    })))

  it.effect("leave no upload of a process that is gone", () =>
    test(Effect.gen(function*() {
      const { files, folder, kept } = yield* store()
      const fs = yield* FileSystem.FileSystem
      const draft = `${folder}/uploads/00000000-0000-0000-0000-000000000000`
      yield* fs.writeFileString(draft, "half")
      const { mtime } = yield* fs.stat(draft)
      const now = DateTime.makeUnsafe(mtime._tag === "Some" ? mtime.value : 0)
      yield* files.removeAbandoned(DateTime.add(now, { minutes: 59 }))
      assert.lengthOf(yield* kept, 1)
      yield* files.removeAbandoned(DateTime.add(now, { minutes: 61 }))
      assert.lengthOf(yield* kept, 0)
    })))
})

describe("a key", () => {
  it.each(["a/../b", "a/./b", "a//b", "a/", "/a", "", "..", "a\u0000b", "a\nb", "\uD800", "ü".repeat(513)])("%j is refused", (key) => {
    assert.isString(keyProblem(key))
    if (key.isWellFormed()) assert.isUndefined(keyIn(pathOf(key)))
  })

  it.each(["a b+c", "a%2Fb", "ü'(*)!;,:@&=$?#", "a/.b/..c", "C:\\x"])("%j is spelled in one way", (key) => {
    assert.isUndefined(keyProblem(key))
    assert.strictEqual(keyIn(pathOf(key)), key)
    assert.strictEqual(new URL(`https://tools.test/${pathOf(key)}`).pathname, `/${pathOf(key)}`)
  })

  it.each(["a%2fb", "%61", "a+b%", "a b", "a%2E%2E"])("in the spelling %j is not taken", (path) => {
    assert.isUndefined(keyIn(path))
  })
})
