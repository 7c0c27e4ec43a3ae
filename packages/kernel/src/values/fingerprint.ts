/** What an idempotency key stands for: the request it was first used with, reduced to one hash. */
import { hash } from "node:crypto"
import { canonicalize } from "./canonical-json.ts"

/** A request as the fingerprint sees it. `path` carries the ids; `body` is the parsed JSON, undefined when there is none. */
export interface FingerprintInput {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

// The key may come in the header instead, so its place in the body must not tell two requests apart.
const withoutKey = (body: unknown): unknown => {
  if (body === undefined) return {}
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "idempotency_key")) return body
  return Object.fromEntries(Object.entries(body).filter(([field]) => field !== "idempotency_key"))
}

/**
 * Lowercase hex SHA-256 of method, path and canonical body, joined by newlines. The order of keys, white
 * space and the top-level `idempotency_key` do not change it; no body counts as an empty object. Throws
 * NotCanonical, a defect, for a body that did not come from JSON.
 */
export const fingerprint = ({ method, path, body }: FingerprintInput): string =>
  hash("sha256", `${method}\n${path}\n${canonicalize(withoutKey(body))}`)
