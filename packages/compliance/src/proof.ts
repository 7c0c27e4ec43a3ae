/** A digest by which anybody sees later that this input gave this output. It is no signature: it says nothing of who made it. */
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { Schema } from "effect"
import { hash } from "node:crypto"

export const Proof = Schema.Struct({
  algo: Schema.Literal("sha256"),
  /** Lower-case hex of SHA-256 over the RFC 8785 texts of what `over` names, one directly after the other. */
  digest: Schema.String,
  /** `input` is the arguments as they were sent, `output` this result without its proof. */
  over: Schema.Array(Schema.String)
})
export type Proof = typeof Proof.Type

/** Lower-case hex. Throws NotCanonical, a defect, for what did not come through a JSON codec. */
export const digestOf = (...parts: ReadonlyArray<unknown>): string => hash("sha256", parts.map((part) => canonicalize(part)).join(""))

/** The result with its proof. `inputIs` says what was left out of the input, such as a secret. */
export const proven = <O extends object>(input: object, output: O, inputIs = "input"): O & { readonly proof: Proof } => ({
  ...output,
  proof: { algo: "sha256", digest: digestOf(input, output), over: [inputIs, "output"] }
})
