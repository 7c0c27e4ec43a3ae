/** The key that the installation signs with: that of the configuration, or on a local start one that the first start makes below `DATA_DIR`. */
import { isSigningKey, layerFile, layerOf, type SigningKey, type SigningKeyUnusable } from "@svc/kernel/signing-key"
import { Config, type Layer, Redacted, Schema } from "effect"

const HOW = "make one with `openssl genpkey -algorithm ed25519 -outform DER | base64 -w0`, keep it as you keep passwords, and give it to every process"

const Settings = Schema.Struct({
  PUBLIC_URL: Schema.optionalKey(Schema.String),
  LEDGER_SIGNING_KEY: Schema.optionalKey(Schema.String.check(Schema.makeFilter((text) =>
    // The text is a secret, so it is not shown.
    text === "" || isSigningKey(text) ? undefined : `must be an Ed25519 private key, PKCS#8, as PEM or base64. Correct it, or ${HOW}.`
  )))
}).check(Schema.makeFilter(({ LEDGER_SIGNING_KEY = "", PUBLIC_URL = "" }) =>
  PUBLIC_URL === "" || LEDGER_SIGNING_KEY !== ""
    ? undefined
    : { path: ["LEDGER_SIGNING_KEY"], issue: `is unset, and PUBLIC_URL is not: what the ledger's checkpoints are signed with must outlive this machine. Now ${HOW}.` }
))

const unset: typeof Settings.Type = {}

/** Undefined on a local start. */
export const signingKeySetting: Config.Config<Redacted.Redacted<string> | undefined> = Config.schema(Settings).pipe(
  Config.withDefault(unset),
  Config.map(({ LEDGER_SIGNING_KEY = "" }) => LEDGER_SIGNING_KEY === "" ? undefined : Redacted.make(LEDGER_SIGNING_KEY))
)

/** The file below `DATA_DIR`. */
const keyIn = (dataDir: string): string => `${dataDir}/ledger-signing-key.pem`

export const signingKeyOf = (
  { dataDir, signingKey }: { readonly dataDir: string; readonly signingKey: Redacted.Redacted<string> | undefined }
): Layer.Layer<SigningKey, SigningKeyUnusable> => signingKey === undefined ? layerFile(keyIn(dataDir)) : layerOf(signingKey)
