/** The checks that packages above make before a refund. */
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import type { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { Context, type Effect, Layer } from "effect"
import type { PaymentIntent, RefundTerms } from "../model.ts"

/** Fails if the package above refuses this refund. */
export type RefundGuard = (intent: PaymentIntent, refunding: RefundTerms) => Effect.Effect<void, InvalidState | ValidationError>

/** The guards of all packages above. Each guard runs before every refund. */
export class RefundGuards extends Context.Service<RefundGuards, Contributions<RefundGuard>>()("@svc/payments/RefundGuards") {
  static readonly layer = Layer.sync(RefundGuards, () => contributions<RefundGuard>())
}
