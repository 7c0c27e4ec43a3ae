/** What buying credits can be refused with. */
import { errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const declined = errorCode(
  "purchase_declined",
  402,
  "The purchase was not paid: the card was declined. Nothing was granted.",
  "Buy again with another card and a fresh idempotency key."
)

/** 402. */
export class PurchaseDeclined
  extends Schema.Error<PurchaseDeclined>("PurchaseDeclined")(wireFields("PurchaseDeclined", declined), wireAnnotations(declined))
{}
