/** What stands against a refund, from parts above. */
import { type Contributions, contributions } from "@svc/kernel/contributions"
import type { InvalidState, ValidationError } from "@svc/kernel/errors"
import { Context, type Effect, Layer } from "effect"
import type { PaymentIntent, Refunding } from "../model.ts"

/** What stands against a refund, from a part above. */
export type RefundGuard = (intent: PaymentIntent, refunding: Refunding) => Effect.Effect<void, InvalidState | ValidationError>

/** What parts above have against refunds of the payments that they made. */
export class RefundGuards extends Context.Service<RefundGuards, Contributions<RefundGuard>>()("@svc/payments/RefundGuards") {
  static readonly layer = Layer.sync(RefundGuards, () => contributions<RefundGuard>())
}
