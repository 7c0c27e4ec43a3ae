/** A merchant whose desk has something to show: money, a bank account, and payouts to it. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { arrived } from "../contract/resources.ts"
import { must, openMerchant } from "../contract/service.ts"

/** So many payouts, the first of 10.00 dollars and each a cent more than the one before; the latest comes last. */
export const openWithPayouts = Effect.fnUntraced(function*(count: number, name = "Nordlicht Keramik") {
  const merchant = yield* openMerchant(name)
  const { key } = merchant
  yield* arrived(merchant)
  const { id: legal_entity_id } = yield* must("POST", "/v1/legal_entities", {
    key,
    body: { type: "individual", legal_name: "Ana", country: "DE" }
  })
  const { id: destination_id } = yield* must("POST", "/v1/transfer_instruments", {
    key,
    body: {
      type: "bank_account",
      currency: "USD",
      holder_name: name,
      number: "000123456789",
      routing_number: "110000000",
      legal_entity_id
    }
  })
  yield* must("POST", `/v1/transfer_instruments/${String(destination_id)}/verify`, { key, body: { method: "instant" } })
  yield* must("POST", `/v1/transfer_instruments/${String(destination_id)}/activate`, { key })
  const payouts: Array<string> = []
  for (let n = 0; n < count; n++) {
    const body = { amount: 1_000 + n, currency: "USD", destination_id, idempotency_key: randomUUID() }
    payouts.push(String((yield* must("POST", "/v1/payouts", { key, body }))["id"]))
  }
  return { ...merchant, destination_id: String(destination_id), payouts }
})
