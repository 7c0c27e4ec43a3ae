/** What stands against a refund, from parts above. */
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import type { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { Context, type Effect, Layer } from "effect"
import type { PaymentIntent, RefundTerms } from "../model.ts"

/** What stands against a refund, from a part above. */
export type RefundGuard = (intent: PaymentIntent, refunding: RefundTerms) => Effect.Effect<void, InvalidState | ValidationError>

/** What parts above have against refunds of the payments that they made. */
export class RefundGuards extends Context.Service<RefundGuards, Contributions<RefundGuard>>()("@svc/payments/RefundGuards") {
  static readonly layer = Layer.sync(RefundGuards, () => contributions<RefundGuard>())
}
