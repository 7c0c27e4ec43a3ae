/** The error of an exchange for which no current rates are known. */
import { again, errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const unavailable = errorCode(
  "rates_unavailable",
  503,
  "There are no exchange rates at the moment, or those there are, are too old to exchange money by.",
  "Try again after `Retry-After` seconds; payments that are settled in their own currency go on.",
  again(60)
)

/** 503 `rates_unavailable`. Nothing happened; `details.retry_after` has seconds. */
export class RatesUnavailable extends Schema.Error<RatesUnavailable>("RatesUnavailable")(
  wireFields("RatesUnavailable", unavailable),
  wireAnnotations(unavailable)
) {}
