/** Idempotency keys of what a form asks for: the same form again is the same request, and its answer is given again. */
import { internalCause, type Keyed } from "@svc/kernel/resource/idempotency"
import { hash } from "node:crypto"

/** `page` holds the form; `parts` are what the form sends, and what it was sent for. */
export const formKey = (page: "portal" | "invoice", operation: string, ...parts: ReadonlyArray<string | number>): Keyed => {
  const fingerprint = hash("sha256", parts.join(":"), "hex")
  return { key: internalCause(`${page}.${operation}`, fingerprint), operation, fingerprint }
}
