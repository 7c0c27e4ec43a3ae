import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { calculateJwkThumbprint, compactVerify, flattenedVerify, importJWK } from "jose"
import { ed25519, signDetached, verifyDetached } from "./jws.ts"

/** RFC 8032, section 7.1, tests 1 to 3. */
const vectors = [
  {
    seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    message: "",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
  },
  {
    seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    message: "72",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
  },
  {
    seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    message: "af82",
    signature:
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
  }
] as const

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
const bytes = (text: string) => new TextEncoder().encode(text)

/** As somebody verifies it who has only the answer. */
const joseAccepts = (signed: ReturnType<typeof signDetached>, text: string) =>
  Effect.promise(async () => {
    const key = await importJWK({ ...signed.public_key }, "EdDSA")
    return flattenedVerify({ ...signed.jws, payload: bytes(text) }, key).then(({ protectedHeader }) => protectedHeader, () => undefined)
  })

describe("Ed25519", () => {
  it.for(vectors)("signs as RFC 8032 says: $message", ({ message, publicKey, seed, signature }) => {
    const key = ed25519(seed)
    assert.strictEqual(hex(key.publicKey), publicKey)
    assert.strictEqual(hex(key.sign(Buffer.from(message, "hex"))), signature)
  })

  it.effect("names its key as RFC 8037 does (A.2 and A.3)", () =>
    Effect.gen(function*() {
      const { kid, public_key } = signDetached(vectors[0].seed, "")
      assert.strictEqual(public_key.x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
      assert.strictEqual(kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
      assert.strictEqual(kid, yield* Effect.promise(() => calculateJwkThumbprint({ ...public_key })))
    }))
})

const Seed = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))
const Text = Schema.String.check(Schema.makeFilter((text: string) => text.isWellFormed()))

describe("the detached signature", () => {
  it.effect.prop("is one that jose verifies, over this text and no other", [Seed, Text], ([seed, text]) =>
    Effect.gen(function*() {
      const signed = signDetached(seed, text)
      assert.isTrue(verifyDetached(signed, text))
      assert.deepStrictEqual(yield* joseAccepts(signed, text), { alg: "EdDSA", b64: false, crit: ["b64"], kid: signed.kid })
      assert.isUndefined(yield* joseAccepts(signed, `${text} `))
      assert.isFalse(verifyDetached(signed, `${text} `))
    }), { arbitrary: { runs: 50 } })

  it.effect("is refused under another key, or with another header", () =>
    Effect.gen(function*() {
      const signed = signDetached(vectors[0].seed, "{}")
      const other = signDetached(vectors[1].seed, "{}")
      assert.isUndefined(yield* joseAccepts({ ...signed, public_key: other.public_key }, "{}"))
      const encoded = { alg: "EdDSA", kid: signed.kid }
      const header = Buffer.from(JSON.stringify(encoded)).toString("base64url")
      assert.isUndefined(yield* joseAccepts({ ...signed, jws: { ...signed.jws, protected: header } }, "{}"))
    }))

  it.effect("has an empty payload in its compact form, which is no JWS of that payload", () =>
    Effect.gen(function*() {
      const signed = signDetached(vectors[0].seed, "{}")
      assert.deepStrictEqual(signed.compact.split("."), [signed.jws.protected, "", signed.jws.signature])
      const key = yield* Effect.promise(() => importJWK({ ...signed.public_key }, "EdDSA"))
      const verified = yield* Effect.promise(() => compactVerify(signed.compact, key).then(() => true, () => false))
      assert.isFalse(verified)
    }))
})
