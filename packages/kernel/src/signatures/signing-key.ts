/**
 * The key with which this installation signs what others keep: Ed25519, private here and public to everyone as a JSON Web Key
 * (RFC 8037). It comes from the configuration, or on a local start from a file that the first start makes.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { Context, Data, Effect, FileSystem, Layer, Path, Redacted, Result, Schema } from "effect"
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from "node:crypto"

/** The public half, as a JSON Web Key. `kid` is its thumbprint (RFC 7638). */
export const PublicKey = Schema.Struct({
  kty: Schema.Literal("OKP"),
  crv: Schema.Literal("Ed25519"),
  x: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{43}$/u)),
  kid: Schema.String,
  use: Schema.Literal("sig"),
  alg: Schema.Literal("EdDSA")
}).annotate({
  identifier: "PublicKey",
  examples: [{
    kty: "OKP",
    crv: "Ed25519",
    x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    kid: "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k",
    use: "sig",
    alg: "EdDSA"
  }]
})
export type PublicKey = typeof PublicKey.Type

export class SigningKey extends Context.Service<SigningKey, {
  readonly publicKey: PublicKey
  /** The signature of a text's UTF-8 bytes, base64url without padding. */
  readonly sign: (text: string) => string
}>()("@svc/kernel/SigningKey") {}

/** The file of the key cannot be used: what, why, and what to do. */
export class SigningKeyUnusable extends Data.TaggedError("SigningKeyUnusable")<{ readonly message: string }> {}

const publicKeyOf = (key: KeyObject): PublicKey => {
  const x = createPublicKey(key).export({ format: "jwk" }).x ?? ""
  // The thumbprint is that of the required members in the order of their names.
  const kid = hash("sha256", `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, "base64url")
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" }
}

/** Whether a signature is this key's of this text. */
export const isSignedBy = ({ crv, kty, x }: PublicKey, text: string, signature: string): boolean => {
  const key = createPublicKey({ key: { crv, kty, x }, format: "jwk" })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"))
}

/** A private key: PKCS#8, as PEM or as the base64 of its DER, which is what stands between the lines of the PEM. */
const privateKeyOf = (text: string): Result.Result<KeyObject, undefined> => {
  const der = Buffer.from(text.replace(/-----[A-Z ]+-----/gu, "").replace(/\\n|\s/gu, ""), "base64")
  return Result.try({ try: () => createPrivateKey({ key: der, format: "der", type: "pkcs8" }), catch: () => undefined }).pipe(
    Result.filterOrFail((key) => key.asymmetricKeyType === "ed25519", () => undefined)
  )
}

/** Whether a setting holds a key that can sign. */
export const isSigningKey = (text: string): boolean => Result.isSuccess(privateKeyOf(text))

const serviceOf = (key: KeyObject): SigningKey["Service"] => ({
  publicKey: publicKeyOf(key),
  sign: (text) => sign(null, Buffer.from(text), key).toString("base64url")
})

const unusable = (message: string) => new SigningKeyUnusable({ message })

/** With the key of the configuration. Throws, a defect, for a text that `isSigningKey` refuses. */
export const layerOf = (text: Redacted.Redacted<string>): Layer.Layer<SigningKey> =>
  Layer.sync(
    SigningKey,
    () =>
      serviceOf(Result.getOrThrowWith(privateKeyOf(Redacted.value(text)), () =>
        new RangeError("a signing key was configured that is no Ed25519 private key")))
  )

const fresh = (): string =>
  generateKeyPairSync("ed25519", {
    privateKeyEncoding: { format: "pem", type: "pkcs8" },
    publicKeyEncoding: { format: "pem", type: "spki" }
  }).privateKey

/**
 * Reads the file of a key, or makes it of what `fresh` gives. Of two processes that make it at once both have the key of the one that was
 * faster.
 */
export const readOrMakeKey = Effect.fnUntraced(function*(file: string, fresh: () => string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (!(yield* fs.exists(file))) {
    yield* fs.makeDirectory(path.dirname(file), { recursive: true })
    const aside = yield* fs.makeTempDirectory({ directory: path.dirname(file), prefix: "key.new-" })
    const draft = path.join(aside, "key")
    yield* fs.writeFileString(draft, fresh(), { mode: 0o600 }).pipe(
      // A link is there whole or not at all, and never takes the place of another file.
      Effect.andThen(fs.link(draft, file)),
      Effect.catchIf((error) => error.reason._tag === "AlreadyExists", () => Effect.void),
      Effect.ensuring(Effect.ignore(fs.remove(aside, { recursive: true, force: true })))
    )
  }
  return yield* fs.readFileString(file)
})

/** With the key in this file, which is made with the first start. */
export const layerFile = (file: string): Layer.Layer<SigningKey, SigningKeyUnusable> =>
  Layer.effect(
    SigningKey,
    Effect.gen(function*() {
      const text = yield* readOrMakeKey(file, fresh).pipe(
        Effect.mapError(({ message }) =>
          unusable(`The signing key ${file} cannot be read or made: ${message}. Check the permissions, or choose another DATA_DIR.`)
        )
      )
      const key = yield* Effect.fromResult(privateKeyOf(text)).pipe(
        Effect.mapError(() =>
          unusable(
            `${file} holds no Ed25519 private key. Put it back from a backup; removed, it is made anew, and what it signed is verified by its old public key alone.`
          )
        )
      )
      return serviceOf(key)
    })
  ).pipe(Layer.provide([NodeFileSystem.layer, NodePath.layer]))
