/** What billing cycles refuse with. */
import { errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

const doesNotPay = errorCode(
  "payment_does_not_pay_cycle",
  409,
  "The payment that is recorded for the billing cycle has no money for it; `details.reason` says why.",
  "Record the captured payment that was made for this cycle, or record the result without one where the money was taken elsewhere.",
  { example: { details: { reason: "refunded", payment_intent_id: "pi_01KDVK5D80000000000000000A" } } }
)

/** 409. `details.reason` is one of `UnpaidReason`. */
export class PaymentDoesNotPayCycle extends Schema.Error<PaymentDoesNotPayCycle>("PaymentDoesNotPayCycle")(
  wireFields("PaymentDoesNotPayCycle", doesNotPay),
  wireAnnotations(doesNotPay)
) {}
