import { assert, describe, it } from "@effect/vitest"
import { isSigningKey } from "@svc/kernel/signing-key"
import { unusableSetting } from "@svc/kernel/settings"
import { ConfigProvider, Effect, Redacted } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { signingKeySetting } from "./signing.ts"

const setting = (environment: Readonly<Record<string, string>>) =>
  Effect.provide(Effect.gen(function*() {
    return yield* signingKeySetting
  }), ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...environment })))

const { privateKey } = generateKeyPairSync("ed25519", { privateKeyEncoding: { format: "pem", type: "pkcs8" }, publicKeyEncoding: { format: "pem", type: "spki" } })

describe("LEDGER_SIGNING_KEY", () => {
  it.effect("may be left unset on a local start", () =>
    Effect.gen(function*() {
      assert.isUndefined(yield* setting({}))
      assert.isUndefined(yield* setting({ LEDGER_SIGNING_KEY: "" }))
    }))

  it.effect("is asked for where the outside reaches the service, and used where it is set", () =>
    Effect.gen(function*() {
      const refused = unusableSetting(yield* Effect.flip(setting({ PUBLIC_URL: "https://pay.example.com" }))) ?? ""
      assert.match(refused, /^LEDGER_SIGNING_KEY is unset, and PUBLIC_URL is not: .*`openssl genpkey/)
      const key = yield* setting({ PUBLIC_URL: "https://pay.example.com", LEDGER_SIGNING_KEY: privateKey })
      assert.isTrue(key !== undefined && isSigningKey(Redacted.value(key)))
    }))

  it.effect("is refused without being shown when it is no key", () =>
    Effect.gen(function*() {
      const refused = unusableSetting(yield* Effect.flip(setting({ LEDGER_SIGNING_KEY: "c2VjcmV0" }))) ?? ""
      assert.match(refused, /^LEDGER_SIGNING_KEY must be an Ed25519 private key/)
      assert.notInclude(refused, "c2VjcmV0")
    }))
})
