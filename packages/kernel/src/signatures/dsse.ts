/**
 * Envelopes of signed documents, as DSSE 1.0 has them (https://github.com/secure-systems-lab/dsse): the signature is of the bytes as they
 * are and of what they mean, so that nobody has to write them anew to verify it.
 */
import type { SigningKey } from "./signing-key.ts"

export interface DsseEnvelope {
  readonly payloadType: string
  /** Base64. */
  readonly payload: string
  readonly signatures: ReadonlyArray<{ readonly keyid: string; readonly sig: string }>
}

/** The pre-authentication encoding of the specification: lengths count bytes. */
const encoded = (payloadType: string, payload: string): string =>
  `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${Buffer.byteLength(payload)} ${payload}`

export const signedEnvelope = (
  { publicKey, sign }: SigningKey["Service"],
  { payload, payloadType }: { readonly payloadType: string; readonly payload: string }
): DsseEnvelope => ({
  payloadType,
  payload: Buffer.from(payload).toString("base64"),
  signatures: [{ keyid: publicKey.kid, sig: Buffer.from(sign(encoded(payloadType, payload)), "base64url").toString("base64") }]
})
