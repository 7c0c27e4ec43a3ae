import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Redacted } from "effect"
import { calculateJwkThumbprint } from "jose"
import { generateKeyPairSync } from "node:crypto"
import { isSignedBy, isSigningKey, layerFile, layerOf, SigningKey } from "./signing-key.ts"

const pemOf = (type: "ed25519" | "x25519") =>
  type === "ed25519"
    ? generateKeyPairSync("ed25519", {
      privateKeyEncoding: { format: "pem", type: "pkcs8" },
      publicKeyEncoding: { format: "pem", type: "spki" }
    }).privateKey
    : generateKeyPairSync("x25519", {
      privateKeyEncoding: { format: "pem", type: "pkcs8" },
      publicKeyEncoding: { format: "pem", type: "spki" }
    }).privateKey

const keyOf = (text: string) => Effect.provide(SigningKey, layerOf(Redacted.make(text)))
const keyIn = (file: string) => Effect.provide(SigningKey, layerFile(file))

describe("the signing key", () => {
  it.effect("is one key, however it is written, and is named by its thumbprint", () =>
    Effect.gen(function*() {
      const pem = pemOf("ed25519")
      const base64 = pem.replace(/-----[^-]+-----|\n/gu, "")
      const { publicKey, sign } = yield* keyOf(pem)
      for (const text of [base64, pem.replaceAll("\n", "\\n")]) assert.deepStrictEqual((yield* keyOf(text)).publicKey, publicKey)
      assert.strictEqual(publicKey.kid, yield* Effect.promise(() => calculateJwkThumbprint(publicKey)))
      const signature = sign("what was said")
      assert.isTrue(isSignedBy(publicKey, "what was said", signature))
      assert.isFalse(isSignedBy(publicKey, "what was not", signature))
      assert.isFalse(isSignedBy((yield* keyOf(pemOf("ed25519"))).publicKey, "what was said", signature))
    }))

  it("is no other kind of key, and no other text", () => {
    assert.isTrue(isSigningKey(pemOf("ed25519")))
    for (const text of [pemOf("x25519"), "secret", "", "AAAA"]) assert.isFalse(isSigningKey(text))
  })

  it.effect("of a local start is made once, for its owner's eyes, also by several at a time", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = `${yield* fs.makeTempDirectoryScoped()}/below/key.pem`
      const [one, ...others] = yield* Effect.all(Array.from({ length: 8 }, () => keyIn(file)), { concurrency: "unbounded" })
      for (const other of [...others, yield* keyIn(file)]) assert.deepStrictEqual(other.publicKey, one?.publicKey)
      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* fs.readDirectory(file.slice(0, -"/key.pem".length)), ["key.pem"])
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  it.effect("is not made anew where a file holds none", () =>
    Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const file = `${yield* fs.makeTempDirectoryScoped()}/key.pem`
      yield* fs.writeFileString(file, "nothing of the kind")
      assert.include((yield* Effect.flip(keyIn(file))).message, "holds no Ed25519 private key")
    }).pipe(Effect.provide(NodeFileSystem.layer)))
})
