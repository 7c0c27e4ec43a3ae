/** Conversions: made with the captures that they exchange, and read. */
import { AccountId } from "@svc/accounts/accounts/model"
import type { NotFound } from "@svc/kernel/resource/errors"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import type { Addition } from "@svc/kernel/road/decision"
import { Context, Effect, Layer } from "effect"
import type { ChangedIntent } from "../payment-intents/model.ts"
import { type Conversion, conversionEvents, type ConversionFilter, conversions } from "./model.ts"
import { ConversionRepository } from "./repository.ts"

const nothing: Addition = {}

/** For captures: what their commit writes besides. */
export const onCapture = ({ intent: { conversion, currency, id, merchant_id, updated_at } }: ChangedIntent): Effect.Effect<Addition> =>
  Effect.sync(() => {
    if (conversion === null) return nothing
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

export class Conversions extends Context.Service<Conversions, {
  readonly get: (account: string, id: string) => Effect.Effect<Conversion, NotFound>
  readonly list: (account: string, filter: ConversionFilter, page: PageRequest) => Effect.Effect<Page<Conversion>>
}>()("@svc/payments/Conversions") {
  static readonly layer = Layer.effect(Conversions, Effect.map(ConversionRepository, ({ get, list }) => ({ get, list })))
}
