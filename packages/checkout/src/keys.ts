/** Keys of what a form asks for: the same form again is the same request, and its answer is given again. */
import { internalCause, type Keyed } from "@svc/kernel/idempotency"
import { hash } from "node:crypto"

/** `place` is the page that asks. */
export const keyOf = (place: "portal" | "invoice", operation: string, ...parts: ReadonlyArray<string | number>): Keyed => {
  const fingerprint = hash("sha256", parts.join(":"), "hex")
  return { key: internalCause(`${place}.${operation}`, fingerprint), operation, fingerprint }
}
