/** What bank links refuse with. */
import { again, errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const unavailable = errorCode(
  "bank_link_provider_unavailable",
  503,
  "The provider that links bank accounts does not answer, and nothing was changed here.",
  "Retry with the same idempotency key after `Retry-After` seconds; no account is linked twice.",
  again(5)
)

/** 503. The provider was asked under a key that the next try has, too; carries `details.retry_after` seconds. */
export class BankLinkProviderUnavailable extends Schema.Error<BankLinkProviderUnavailable>("BankLinkProviderUnavailable")(
  wireFields("BankLinkProviderUnavailable", unavailable),
  wireAnnotations(unavailable)
) {}
