/** Validates, encodes and signs a mandate of the Agent Payments Protocol. */
import { judge, Kind, type Version, versionOf, versions } from "@svc/compliance/ap2/mandate"
import { isCanonical } from "@svc/compliance/input"
import { signDetached, Signed, verifyDetached } from "@svc/compliance/jws"
import { Proof, proven } from "@svc/compliance/proof"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

const notes: Readonly<Record<"invalid" | "unsigned" | Version, string>> = {
  invalid: "Not encoded and not signed: mend what issues names, and call again.",
  unsigned:
    "Canonical JSON (RFC 8785) without a signature. Send seed_hex, a 32-byte Ed25519 seed in hex, to have it signed; it is not kept.",
  "0.1":
    "signed is a detached JWS over the bytes of encoded (RFC 7797, b64 false): it shows who held the key, and is no merchant_authorization or user_authorization.",
  "0.2":
    "signed is a detached JWS over the bytes of encoded (RFC 7797, b64 false). A verifier of AP2 0.2 expects an SD-JWT of these claims, signed with the key that cnf names."
}

export const build_ap2_mandate = tool({
  name: "build_ap2_mandate",
  title: "AP2 mandate",
  description: "Validates and canonically encodes an AP2 Intent, Cart or Payment mandate; with seed_hex signs it (Ed25519). Keeps no key.",
  auth: "none",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 2, bytes: 256 * 1024 },
  payload: Schema.Struct({
    mandate: Schema.Record(Schema.String, Schema.Json),
    // Without it: 0.2 for a mandate with a vct, else 0.1.
    ap2_version: Schema.optionalKey(Schema.Literals(versions)),
    seed_hex: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[0-9a-fA-F]{64}$/u)))
  }).check(isCanonical),
  result: Schema.Struct({
    kind: Schema.optionalKey(Kind),
    ap2_version: Schema.Literals(versions),
    valid: Schema.Boolean,
    issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })),
    /** RFC 8785 text of the mandate; absent while it is not valid. */
    encoded: Schema.optionalKey(Schema.String),
    signed: Schema.optionalKey(Signed),
    /** The signature was checked after it was made; false when there is none. */
    verified: Schema.Boolean,
    note: Schema.String,
    proof: Proof
  }),
  examples: [
    {
      mandate: {
        natural_language_description: "Red basketball shoes, size 44, under 120 euros",
        skus: ["SHOE-44-RED"],
        intent_expiry: "2026-12-01T00:00:00Z"
      }
    },
    {
      mandate: {
        vct: "mandate.payment.1",
        transaction_id: "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0",
        payee: { id: "m_1", name: "Shoe Shop" },
        payment_amount: { amount: 11900, currency: "EUR" },
        payment_instrument: { id: "pm_1", type: "card" }
      },
      ap2_version: "0.2",
      seed_hex: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    }
  ],
  run: ({ seed_hex, ...input }) => {
    const { ap2_version = versionOf(input.mandate), mandate } = input
    const { issues, kind } = judge(mandate, { version: ap2_version, signed: seed_hex !== undefined })
    const valid = issues.length === 0
    const encoded = canonicalize(mandate)
    const signed = valid && seed_hex !== undefined ? signDetached(seed_hex, encoded) : undefined
    return Effect.succeed(proven(input, {
      ...(kind === undefined ? {} : { kind }),
      ap2_version,
      valid,
      issues,
      ...(valid ? { encoded } : {}),
      ...(signed === undefined ? {} : { signed }),
      verified: signed !== undefined && verifyDetached(signed, encoded),
      note: notes[valid ? signed === undefined ? "unsigned" : ap2_version : "invalid"]
    }, "input_without_seed_hex"))
  }
})
