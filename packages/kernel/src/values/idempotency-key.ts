/** The key by which a client may repeat a request. What is done with it: `resource/idempotency.ts`. */
import { Schema } from "effect"

/** 1 to 255 printable ASCII characters; a fresh random value for each operation. */
export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/u, {
    message: "must be 1 to 255 printable ASCII characters without surrounding spaces, best a random UUID"
  })
).annotate({
  identifier: "IdempotencyKey",
  description: "A fresh random value for this operation, re-sent only to retry this very operation.",
  examples: ["3c9ae5ea-980f-4ebd-a027-04529942b95e"]
})
