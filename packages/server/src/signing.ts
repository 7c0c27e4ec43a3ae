/**
 * The key that the installation signs with: that of the configuration, or on a local start one that the first start makes below `DATA_DIR`.
 */
import { isSigningKey, layerFile, layerOf, type SigningKey, SigningKeyUnusable } from "@svc/kernel/signatures/signing-key"
import { Config, Effect, Layer, Redacted, Schema } from "effect"

const HOW =
  "Make one with `openssl genpkey -algorithm ed25519 -outform DER | openssl base64 -A`, keep it as you keep passwords, and give it to every process."

// The text is a secret, so it is not shown.
const Key = Schema.String.check(
  Schema.makeFilter((text) => isSigningKey(text) ? undefined : `must be an Ed25519 private key, PKCS#8, as PEM or base64. ${HOW}`)
)

/** `LEDGER_SIGNING_KEY`: undefined when it is unset. */
export const signingKeySetting: Config.Config<Redacted.Redacted<string> | undefined> = Config.schema(Key, "LEDGER_SIGNING_KEY").pipe(
  Config.map((text): Redacted.Redacted<string> | undefined => Redacted.make(text)),
  Config.withDefault(undefined)
)

const missing = new SigningKeyUnusable({
  message:
    `LEDGER_SIGNING_KEY is not set, and the checkpoints of ledgers are signed with it: what is signed for the outside must outlive this machine. ${HOW} ` +
    "That of a local start is in ledger-signing-key.pem below DATA_DIR."
})

/** What of the configuration decides which key it is. */
interface Facts {
  readonly dataDir: string
  readonly publicUrl: string | undefined
  readonly signingKey: Redacted.Redacted<string> | undefined
}

/** Fails where a start needs a key that it was not given. */
export const ensureSigningKey = ({ publicUrl, signingKey }: Facts): Effect.Effect<void, SigningKeyUnusable> =>
  publicUrl !== undefined && signingKey === undefined ? Effect.fail(missing) : Effect.void

export const signingKeyOf = (facts: Facts): Layer.Layer<SigningKey, SigningKeyUnusable> =>
  Layer.unwrap(Effect.as(
    ensureSigningKey(facts),
    facts.signingKey === undefined ? layerFile(`${facts.dataDir}/ledger-signing-key.pem`) : layerOf(facts.signingKey)
  ))
