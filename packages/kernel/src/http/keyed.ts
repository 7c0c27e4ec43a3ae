/** Reads the idempotency key of a request and the fingerprint that ties it to its contents. */
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { ValidationError } from "../errors.ts"
import { fingerprint } from "../fingerprint.ts"
import type { Keyed } from "../idempotency.ts"
import { parseJson } from "../json.ts"

/** The path as the router reads it: `%5F` is an underscore, and a request spelled with either is the same. */
const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  const path = query < 0 ? url : url.slice(0, query)
  return path.includes("%") ? decodeURIComponent(path) : path
}

/**
 * The key stands in the body; the `Idempotency-Key` header may repeat it. Two different keys are
 * refused: only one of them could be honoured.
 */
export const keyedRequest = Effect.fnUntraced(function*(
  operation: string,
  request: HttpServerRequest.HttpServerRequest,
  payload: { readonly idempotency_key: string }
): Effect.fn.Return<Keyed, ValidationError> {
  const key = payload.idempotency_key
  const header = request.headers["idempotency-key"]
  if (header !== undefined && header !== key) {
    return yield* new ValidationError({
      code: "idempotency_key",
      message: "The Idempotency-Key header and idempotency_key in the body differ. Send the same value in both, or leave the header out."
    })
  }
  const body = parseJson(yield* Effect.orDie(request.text))
  return { key, operation, fingerprint: fingerprint({ method: request.method, path: pathOf(request.url), body }) }
})
