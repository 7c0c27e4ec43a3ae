import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, describe, it } from "@effect/vitest"
import { unusableSetting } from "@svc/kernel/parts/settings"
import { Config, ConfigProvider, Effect, FileSystem, Layer, Result, Schema } from "effect"
import { Keyring, makeKey, readKeys, type RingKey } from "./keyring.ts"
import { EncryptionKeys, keyFileIn, keysOfFile } from "./settings.ts"

const keysOf = (text: string): ReadonlyArray<RingKey> => Result.getOrThrow(readKeys(text))
const [old, fresh] = [makeKey("2026a"), makeKey("2026b")]

describe("a ring of keys", () => {
  it.effect.prop(
    "opens what it sealed, also after another key came first, and never twice the same",
    [Schema.String],
    ([any]) =>
      Effect.gen(function*() {
        // Half a pair of surrogates is no text, and no request may send one.
        const text = any.toWellFormed()
        const before = Keyring.make(keysOf(old))
        const after = Keyring.make(keysOf(`${fresh},${old}`))
        const sealed = before.seal(text, "ti_1")
        assert.strictEqual(yield* after.open(sealed, "ti_1"), text)
        assert.strictEqual(yield* after.open(after.seal(text, "ti_1"), "ti_1"), text)
        assert.notStrictEqual(before.seal(text, "ti_1").box, sealed.box)
        assert.deepStrictEqual([sealed.key, after.seal(text, "ti_1").key], ["2026a", "2026b"])
      })
  )

  it.effect("opens no box of another row, of another key of that name, or with a bit changed", () =>
    Effect.gen(function*() {
      const ring = Keyring.make(keysOf(old))
      const sealed = ring.seal("DE89370400440532013000", "ti_1")
      const bytes = Buffer.from(sealed.box, "base64url")
      for (let at = 0; at < bytes.length; at++) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 1
        yield* Effect.flip(ring.open({ key: sealed.key, box: changed.toString("base64url") }, "ti_1"))
      }
      yield* Effect.flip(ring.open(sealed, "ti_2"))
      yield* Effect.flip(Keyring.make(keysOf(makeKey("2026a"))).open(sealed, "ti_1"))
      const { message } = yield* Effect.flip(Keyring.make(keysOf(fresh)).open(sealed, "ti_1"))
      assert.include(message, "2026a")
      for (const box of ["", "AA", "!!"]) yield* Effect.flip(ring.open({ key: "2026a", box }, "ti_1"))
    }))

  it("reads settings, and says of others what they must be without showing them", () => {
    assert.deepStrictEqual(keysOf(` ${fresh} , ${old} `).map(({ id }) => id), ["2026b", "2026a"])
    for (const wrong of ["", ",", "2026a", `2026a:${"A".repeat(42)}`, `${old},${old}`, `A B:${"A".repeat(43)}=`, `${old};${fresh}`]) {
      assert.isTrue(Result.isFailure(readKeys(wrong)), wrong)
    }
  })

  it.effect("a setting that cannot be read is refused in one line that shows nothing of it", () =>
    Effect.gen(function*() {
      const secret = "c2VjcmV0IHRoYXQgbXVzdCBub3QgYmUgc2hvd24"
      const error = yield* Effect.flip(
        Config.all({ keys: EncryptionKeys }).parse(ConfigProvider.fromEnvRecord({ ENCRYPTION_KEYS: `2026a:${secret}` }))
      )
      const line = unusableSetting(error) ?? ""
      assert.match(line, /^ENCRYPTION_KEYS must be keys such as/u)
      assert.notInclude(line + String(error) + JSON.stringify(error), secret)
      assert.isUndefined(yield* EncryptionKeys.parse(ConfigProvider.fromEnvRecord({})))
    }))

  it.effect("of a local start is in a file for its owner alone, which many starts at once make one time", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = keyFileIn(`${yield* fs.makeTempDirectoryScoped()}/data`)
      const made = yield* Effect.all(Array.from({ length: 10 }, () => keysOfFile(file)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(made.map(([key]) => key?.id)).size, 1)
      assert.strictEqual((yield* fs.stat(file)).mode & 0o077, 0)
      yield* fs.writeFileString(file, "nonsense")
      assert.include((yield* Effect.flip(keysOfFile(file))).message, file)
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer))))
})
