/** A payment that is settled in another currency. */
import { conversionEvents } from "@svc/payments/conversions/model"
import { Effect } from "effect"
import { CommandFailed } from "../failure.ts"
import { key, metadata, type Sandbox, triggersOf } from "./trigger.ts"

const executed = Effect.fnUntraced(function*({ amount, client, currency }: Sandbox) {
  const destination_currency = currency === "EUR" ? "USD" : "EUR"
  const { conversion, id } = yield* client.payment_intents.create({
    payload: { amount, currency, destination_currency, payment_method_id: "tok_visa", capture: true, metadata, ...(yield* key) }
  })
  if (conversion !== null) return { id: conversion.id, state: "executed" }
  return yield* new CommandFailed({
    message:
      `The payment ${id} was captured, and ${amount} ${currency} come to less than one minor unit of ${destination_currency}. Trigger it with a larger --amount.`
  })
})

export const conversions = triggersOf(conversionEvents, { "conversion.executed": executed })
