/** What the contracts of most resources say in the same words. */
import { Schema } from "effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { IdempotencyKey } from "../values/idempotency-key.ts"

/** The summary and the description of an endpoint. */
export const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** The path of one resource. */
export const byId = { params: { id: Schema.String } } as const

const FRESH = "A fresh random value for this operation, re-sent only to retry this very operation."

/** The key of a request that must have one, in its body or in its header. */
export const requiredKey = {
  idempotency_key: Schema.optionalKey(
    IdempotencyKey.annotate({ description: `${FRESH} Required, here or in the \`Idempotency-Key\` header.` })
  )
}

/** The body of a request that says nothing but its key. `idempotency_key` is that of its example. */
export const keyOnlyRequest = (identifier: string, idempotency_key: string) =>
  Schema.Struct(requiredKey).annotate({ identifier, examples: [{ idempotency_key }] })

/** The key of a request that may have one. `without` says what a request without a key does, such as `each request makes another note`. */
export const keyOrElse = (without: string) => ({
  idempotency_key: Schema.optionalKey(IdempotencyKey.annotate({
    description: `${FRESH} It may stand in the \`Idempotency-Key\` header; without one ${without}.`
  }))
})
