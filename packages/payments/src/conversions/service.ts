/** Conversions: made with the captures that they exchange, and read. */
import { AccountId } from "@svc/accounts/accounts/model"
import { type NotFound, notFound } from "@svc/kernel/errors"
import type { Page, PageRequest } from "@svc/kernel/pages"
import type { Addition } from "@svc/kernel/road/decision"
import { Context, Effect, Layer } from "effect"
import type { Moved } from "../payment-intents/model.ts"
import { Conversion, conversionEvents, type ConversionFilter, conversions, encode } from "./model.ts"
import { ConversionRepository } from "./repository.ts"

const nothing: Addition = {}

/** For captures: what their commit writes besides. */
export const onCapture = ({ intent: { conversion, currency, id, merchant_id, updated_at } }: Moved): Effect.Effect<Addition> =>
  Effect.sync(() => {
    if (conversion === null) return nothing
    const made = new Conversion({
      ...conversion,
      merchant_id: AccountId.make(merchant_id),
      payment_intent_id: id,
      source_currency: currency,
      status: "executed",
      created_at: updated_at,
      version: 1
    })
    const { row, wire } = encode(made)
    return { writes: [{ table: conversions, row }], events: [conversionEvents.draft("executed", made, wire)] }
  })

export class Conversions extends Context.Service<Conversions, {
  readonly get: (account: string, id: string) => Effect.Effect<Conversion, NotFound>
  readonly list: (account: string, filter: ConversionFilter, page: PageRequest) => Effect.Effect<Page<Conversion>>
}>()("@svc/payments/Conversions") {
  static readonly layer = Layer.effect(Conversions, Effect.gen(function*() {
    const repository = yield* ConversionRepository
    return Conversions.of({
      get: Effect.fn("Conversions.get")(function*(account: string, id: string) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("conversion"))
      }),
      list: Effect.fn("Conversions.list")(repository.list)
    })
  }))
}
