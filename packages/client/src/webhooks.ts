/** The receiver's side of webhooks: is this delivery authentic, and what does it say. */
import type { Body, SignatureRefusal } from "@svc/kernel/signatures/webhook-signature"
import { verify } from "@svc/kernel/signatures/webhook-signature"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Event } from "@svc/webhooks/events/model"
import { Clock, Effect, Redacted, Schema } from "effect"

/** The headers of a delivery, as `fetch` or Node give them. */
export type DeliveryHeaders = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const headerOf = (headers: DeliveryHeaders, name: string): string => {
  if (headers instanceof Headers) return headers.get(name) ?? ""
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === "string" ? found : found?.[0] ?? ""
}

const decodeEvent = Schema.decodeUnknownEffect(fromJsonText(Event))
const decoder = new TextDecoder()

/**
 * The event of a delivery, once its `Webhook-Signature` fits the raw body and the endpoint's secret and is at
 * most five minutes old. Give two secrets while one is being rotated. Fails with `SignatureRefusal` when the
 * delivery must not be trusted, and with `SchemaError` when it is authentic but of a kind this version does not know.
 * Act on an event once: `Webhook-ID` is the same on every attempt of one delivery.
 */
export const verifyWebhook = Effect.fnUntraced(function*(
  body: Body,
  headers: DeliveryHeaders,
  secret: Redacted.Redacted<string> | string | ReadonlyArray<string>
): Effect.fn.Return<typeof Event.Type, SignatureRefusal | Schema.SchemaError> {
  const secrets = typeof secret === "string" ? [secret] : Redacted.isRedacted(secret) ? [Redacted.value(secret)] : secret
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  yield* Effect.fromResult(verify({ header: headerOf(headers, "webhook-signature"), body, now, secrets }))
  return yield* decodeEvent(typeof body === "string" ? body : decoder.decode(body))
})
