/** The error of a quote that no longer holds. */
import { errorCode, ofField, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const expired = errorCode(
  "quote_expired",
  400,
  "The time of the quote is over; `details.expired_at` says since when.",
  "Make another quote, or leave it out to convert at the rate of the day.",
  ofField("quote_id")
)

/** 400 `quote_expired`. A quote holds for five minutes. */
export class QuoteExpired extends Schema.Error<QuoteExpired>("QuoteExpired")(
  { ...wireFields("QuoteExpired", expired), code: Schema.String },
  wireAnnotations(expired)
) {}
