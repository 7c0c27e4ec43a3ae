import { assert, describe, it } from "@effect/vitest"
import { unusableSetting } from "@svc/kernel/parts/settings"
import { SigningKey, SigningKeyUnusable } from "@svc/kernel/signatures/signing-key"
import { ConfigProvider, Effect } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServerConfig } from "./config.ts"
import { signingKeyOf } from "./signing.ts"

const keyOf = (environment: Readonly<Record<string, string>>) =>
  Effect.flatMap(ServerConfig, (config) => Effect.provide(SigningKey, signingKeyOf(config))).pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...environment })))
  )

const { privateKey } = generateKeyPairSync("ed25519", {
  privateKeyEncoding: { format: "pem", type: "pkcs8" },
  publicKeyEncoding: { format: "pem", type: "spki" }
})

describe("LEDGER_SIGNING_KEY", () => {
  it.effect("may be left unset on a local start, which makes a key and keeps it", () =>
    Effect.gen(function*() {
      const DATA_DIR = mkdtempSync(join(tmpdir(), "svc-signing-"))
      assert.deepStrictEqual((yield* keyOf({ DATA_DIR })).publicKey, (yield* keyOf({ DATA_DIR, LEDGER_SIGNING_KEY: "" })).publicKey)
    }))

  it.effect("is asked for where the outside reaches the service, and used where it is set", () =>
    Effect.gen(function*() {
      const PUBLIC_URL = "https://pay.example.com"
      const refused = yield* Effect.flip(keyOf({ PUBLIC_URL }))
      assert.instanceOf(refused, SigningKeyUnusable)
      assert.match(refused.message, /^LEDGER_SIGNING_KEY is not set.*`openssl genpkey/u)
      const { publicKey } = yield* keyOf({ PUBLIC_URL, LEDGER_SIGNING_KEY: privateKey })
      assert.strictEqual(publicKey.kid, (yield* keyOf({ LEDGER_SIGNING_KEY: privateKey })).publicKey.kid)
    }))

  it.effect("is refused without being shown when it is no key", () =>
    Effect.gen(function*() {
      const refused = unusableSetting(yield* Effect.flip(keyOf({ LEDGER_SIGNING_KEY: "c2VjcmV0" }))) ?? ""
      assert.match(refused, /^LEDGER_SIGNING_KEY must be an Ed25519 private key/u)
      assert.notInclude(refused, "c2VjcmV0")
    }))
})
