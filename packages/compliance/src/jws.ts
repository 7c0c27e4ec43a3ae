/**
 * A detached signature over a text that travels beside it: JWS (RFC 7515, Appendix F) with the unencoded payload of RFC 7797, by Ed25519
 * (RFC 8032) under the name that RFC 8037 gives it.
 */
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { Schema } from "effect"
import { createPrivateKey, createPublicKey, hash, sign, verify } from "node:crypto"

export const Jwk = Schema.Struct({ kty: Schema.Literal("OKP"), crv: Schema.Literal("Ed25519"), x: Schema.String })

export const Signed = Schema.Struct({
  jws: Schema.Struct({
    /** Base64url of the header, which says `b64: false`: what is signed is this, a dot, and the bytes of the text as they are. */
    protected: Schema.String,
    /** Base64url. */
    signature: Schema.String
  }),
  /** The same in one: header, nothing, signature. */
  compact: Schema.String,
  public_key: Jwk,
  /** RFC 7638 thumbprint of the public key, which the header names. */
  kid: Schema.String
})
export type Signed = typeof Signed.Type

/** RFC 8410: what stands before the 32 bytes of the seed in a PKCS #8 key. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex")
const KEY_BYTES = 32

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url")

/** The key pair of a seed, 64 hex characters: the private key of RFC 8032. */
export const ed25519 = (seedHex: string) => {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, Buffer.from(seedHex, "hex")]), format: "der", type: "pkcs8" })
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES)
  return { publicKey, sign: (message: Uint8Array): Uint8Array => sign(null, message, key) }
}

/** The seed is used here and forgotten. */
export const signDetached = (seedHex: string, text: string): Signed => {
  const { publicKey, sign } = ed25519(seedHex)
  const x = base64url(publicKey)
  const kid = hash("sha256", canonicalize({ crv: "Ed25519", kty: "OKP", x }), "base64url")
  const header = base64url(canonicalize({ alg: "EdDSA", b64: false, crit: ["b64"], kid }))
  const signature = base64url(sign(Buffer.from(`${header}.${text}`)))
  return { jws: { protected: header, signature }, compact: `${header}..${signature}`, public_key: { kty: "OKP", crv: "Ed25519", x }, kid }
}

/** Whether the signature is that of the key over this text. */
export const verifyDetached = ({ jws, public_key }: Signed, text: string): boolean =>
  verify(
    null,
    Buffer.from(`${jws.protected}.${text}`),
    createPublicKey({ key: { ...public_key }, format: "jwk" }),
    Buffer.from(jws.signature, "base64url")
  )
