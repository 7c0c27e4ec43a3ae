/** What a run was and what came of it, signed, and chained to the account's attestation before. */
import { Schema } from "effect"

const Sha256 = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u))

/** What is attested. */
export const AttestedRun = Schema.Struct({
  code_sha256: Sha256,
  /** Of the canonical JSON (RFC 8785) of `stdout`, `stderr` and `exit_code` as they were answered. */
  output_sha256: Sha256,
  image: Schema.String,
  started_at: Schema.String
})
export type AttestedRun = typeof AttestedRun.Type

export const Attestation = Schema.Struct({
  ...AttestedRun.fields,
  /** `entry_hash` of the account's attestation before; 64 zeros for the first. */
  prev_hash: Sha256,
  /** Of the canonical JSON of the fields above. */
  entry_hash: Sha256,
  /** A compact JWS (EdDSA) whose payload is the canonical JSON of the fields above. */
  sig: Schema.String,
  /** Of the key in `/.well-known/jwks.json`. */
  kid: Schema.String
}).annotate({ identifier: "RunAttestation" })
export type Attestation = typeof Attestation.Type

export const FIRST = "0".repeat(64)
