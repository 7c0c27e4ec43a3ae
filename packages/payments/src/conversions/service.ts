/** Conversions: made with the captures that they exchange, and read. */
import { AccountId } from "@svc/accounts/accounts/model"
import { readerOf } from "@svc/kernel/resource/reader"
import type { Addition } from "@svc/kernel/road/decision"
import { Context, Effect, Layer } from "effect"
import type { ChangedIntent } from "../payment-intents/model.ts"
import { type Conversion, conversionEvents, conversionFilters, conversions } from "./model.ts"

const noAddition: Addition = {}

/** For captures: what their commit writes besides. */
export const onCapture = ({ intent: { conversion, currency, id, merchant_id, updated_at } }: ChangedIntent): Effect.Effect<Addition> =>
  Effect.sync(() => {
    if (conversion === null) return noAddition
    const newConversion: Conversion = {
      ...conversion,
      merchant_id: AccountId.make(merchant_id),
      payment_intent_id: id,
      source_currency: currency,
      status: "executed",
      created_at: updated_at,
      version: 1
    }
    return {
      writes: [conversions.write(newConversion)],
      events: [conversionEvents.draft("executed", newConversion, conversions.encode(newConversion).wire)]
    }
  })

export class Conversions extends Context.Service<Conversions>()("@svc/payments/Conversions", {
  make: readerOf(conversions, { name: "conversion", prefix: "cnv", filters: conversionFilters })
}) {
  static readonly layer = Layer.effect(Conversions, Conversions.make)
}
