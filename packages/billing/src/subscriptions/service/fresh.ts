/** What is new with a cycle: its ids, and what nobody can guess. */
import { makeId } from "@svc/kernel/values/ids"
import { type DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { BillingCycleId } from "../../billing-cycles/model.ts"
import type { FreshIds } from "../../engine/subscriptions/open-cycle.ts"
import { InvoiceId } from "../../invoices/model.ts"

/** 128 bits. */
const TOKEN_BYTES = 16

/** Ids are made of the moment of the decision. */
export const makeFresh = Effect.map(
  SecureRandom.SecureRandom,
  (random) => (at: DateTime.Utc): Effect.Effect<FreshIds> =>
    Effect.orDie(Effect.map(random.randomBytes(TOKEN_BYTES), (bytes) => ({
      cycle_id: BillingCycleId.make(makeId("billcycle", at.epochMilliseconds)),
      invoice_id: InvoiceId.make(makeId("inv", at.epochMilliseconds)),
      token: Buffer.from(bytes).toString("hex")
    })))
)
