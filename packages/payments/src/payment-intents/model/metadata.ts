/** The merchant's own data of a payment. */
import { Schema } from "effect"

/** In UTF-16 units, as JavaScript counts. */
export const METADATA_KEY_LENGTH = 40

/** Merchant data that the service returns and never interprets: at most 50 keys of 40 characters, with values of 500 characters. */
export const Metadata = Schema.Record(
  Schema.String.check(Schema.isMaxLength(METADATA_KEY_LENGTH)),
  Schema.String.check(Schema.isMaxLength(500))
).check(Schema.isMaxProperties(50)).annotate({ identifier: "Metadata", description: "Up to 50 keys of 40 characters, with values of 500." })
