/** The requests to a rail, made from the intent and its call. */
import { makeId } from "@svc/kernel/values/ids"
import type { RailName, RailRequest } from "../../rails/model.ts"
import type { Rail, RailFollowUp, Rails } from "../../rails/rail.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"
import type { IntentWork } from "../road.ts"

/** The rail of a payment. A missing rail is a defect of the installation, not of the request. */
export const railOf = (rails: Rails["Service"], name: RailName | null): Rail => {
  const rail = name === null ? undefined : rails.byName(name)
  if (rail === undefined) throw new Error(`the rail ${name} that holds this payment is not configured in this process`)
  return rail
}

const PREFIX = "svc_"

/** The provider's idempotency key: repeated calls of one attempt have one effect at the provider. */
export const providerKey = (call: Pick<OpenCall, "attempt_id">): string => `${PREFIX}${call.attempt_id}`

/** The attempt of a provider's key. */
export const attemptNamed = (key: string): string => key.slice(PREFIX.length)

export const authorizationOf = (intent: PaymentIntent, call: OpenCall): RailRequest => ({
  key: providerKey(call),
  merchant: intent.merchant_id,
  amount: call.amount,
  currency: intent.currency,
  token: call.token ?? "",
  capture: call.capture,
  metadata: intent.metadata,
  attempted_at: call.started_at.epochMilliseconds,
  risk_cleared: intent.risk_cleared
})

export const followUpOf = (intent: PaymentIntent, call: OpenCall): RailFollowUp => ({
  key: providerKey(call),
  reference: call.reference ?? "",
  amount: call.amount,
  currency: intent.currency
})

/** A new call of the request. */
export const newCall = (
  { at, keyed: { fingerprint, key, operation } }: Pick<IntentWork, "at" | "keyed">,
  call: Omit<OpenCall, "attempt_id" | "request" | "started_at">
): OpenCall => ({
  ...call,
  attempt_id: makeId("att", at.epochMilliseconds),
  started_at: at,
  request: { key, operation, fingerprint }
})
