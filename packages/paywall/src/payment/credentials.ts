/** Whatever a request carries to pay with, and to say who it is, as one value; and the receipt in the protocol that was spoken. */
import { keyIn, tokenOf } from "@svc/metering/access/model"
import type { Cents } from "@svc/tool-kit/call"
import type { AnswerHeaders, ToolRequest } from "@svc/tool-kit/gate/model"
import { DateTime, Redacted, Result } from "effect"
import { toBase64Json } from "./codec.ts"
import * as Eip3009 from "./eip3009.ts"
import {
  atomic,
  type Credential,
  malformed,
  type Methods,
  type PaidWith,
  type Payment,
  type Problem,
  type StablecoinPayment
} from "./model.ts"
import * as Mpp from "./mpp.ts"
import * as Permit2 from "./permit2.ts"
import * as X402 from "./x402.ts"

export interface CarriedCredentials {
  /** Of `X-Svc-Key`, or of `Authorization: Bearer`: not yet known to be anybody's. */
  readonly apiKey: Redacted.Redacted<string> | undefined
  readonly credential: Credential
}

const keyOf = (headers: ToolRequest["headers"]): Redacted.Redacted<string> | undefined => {
  const key = keyIn(headers)
  return key === undefined ? undefined : Redacted.make(key, { label: "api key" })
}

interface Reader {
  readonly value: unknown
  readonly read: () => Credential
}

const readers = ({ headers, meta }: Pick<ToolRequest, "headers" | "meta">, checking: Mpp.CredentialCheck): ReadonlyArray<Reader> => {
  const { stablecoin } = checking.methods
  const [inKeysPlace, inItsOwn] = [headers["authorization"], headers["payment-authorization"]].map((header) => tokenOf(header, "Payment"))
  const { "payment-signature": v2, "x-payment": v1 } = headers
  const { [Mpp.META_CREDENTIAL]: mppMeta, [X402.META_PAYMENT]: x402Meta, [X402.META_PAYMENT_V1]: x402MetaV1 } = meta
  return [
    { value: inKeysPlace, read: () => Mpp.fromHeader(inKeysPlace ?? "", checking) },
    // Where the key needs `Authorization` for itself, mppx from 0.9 on sends the payment in a header of its own.
    { value: inItsOwn, read: () => Mpp.fromHeader(inItsOwn ?? "", checking) },
    { value: mppMeta, read: () => Mpp.fromMeta(mppMeta, checking) },
    { value: v2, read: () => X402.fromHeaderV2(v2 ?? "", stablecoin) },
    { value: v1, read: () => X402.fromHeaderV1(v1 ?? "", stablecoin) },
    { value: x402Meta, read: () => X402.fromMeta(x402Meta, stablecoin) },
    { value: x402MetaV1, read: () => X402.fromMetaV1(x402MetaV1, stablecoin) }
  ]
}

/**
 * Reads a request. A credential that comes back as a payment is of a form that we offer; of the Payment scheme, it answers a challenge that
 * we made for this very call and that has not expired. Whether it pays the price is for {@link check} to say, once the price is known.
 */
export const read = (
  request: Pick<ToolRequest, "headers" | "meta" | "body">,
  checking: Omit<Mpp.CredentialCheck, "body">
): CarriedCredentials => {
  const apiKey = keyOf(request.headers)
  const present = readers(request, { ...checking, ...(request.body === undefined ? {} : { body: request.body }) }).filter(({ value }) =>
    value !== undefined
  )
  const [only, second] = present
  if (only === undefined) return { apiKey, credential: { _tag: "None" } }
  if (second !== undefined) {
    return { apiKey, credential: malformed("mpp", "malformed-credential", "The request carries more than one payment. Send one.") }
  }
  return { apiKey, credential: only.read() }
}

export interface CheckedPayment {
  /** `eip155:…` address of the wallet; undefined for a card, whose token says nothing of its holder. */
  readonly payer: string | undefined
  /** Each may be used once, ever. Store all of them, with the call, before anything settles; one that is there is an earlier payment's. */
  readonly keys: ReadonlyArray<string>
}

const problem = (name: Problem["name"], why: string) => Result.fail({ name, why })

const checkSigned = (
  { signature, signed }: StablecoinPayment,
  expected: Eip3009.ExpectedTransfer
): Result.Result<Eip3009.VerifiedTransfer, Problem> =>
  signed.scheme === "exact"
    ? Eip3009.verify(signed.authorization, signature, expected)
    : Permit2.verify(signed.authorization, signature, expected)

/** Whether a payment pays this price, now: the amount, and for a stablecoin payee, window and signature. Takes about a millisecond. */
export const check = (
  payment: Payment,
  { cents, methods, now }: { readonly cents: Cents; readonly methods: Methods; readonly now: DateTime.Utc }
): Result.Result<CheckedPayment, Problem> => {
  const { challenge } = payment
  if (challenge !== undefined && challenge.cents !== cents) {
    return problem(
      "payment-insufficient",
      `The challenge was for ${challenge.cents} cents, and the price is ${cents} now. Answer a challenge of this answer.`
    )
  }
  const keys = challenge === undefined ? [] : [`mpp:${challenge.id}`]
  if (payment._tag === "Card") return Result.succeed({ payer: undefined, keys })
  const { stablecoin } = methods
  if (stablecoin === undefined) return problem("method-unsupported", "Stablecoins are not taken here.")
  const verified = checkSigned(payment, {
    stablecoin,
    amount: atomic(cents, stablecoin),
    now: Math.floor(DateTime.toEpochMillis(now) / 1000)
  })
  return Result.map(verified, ({ key, payer }) => ({ payer: `${X402.networkOf(stablecoin)}:${payer}`, keys: [...keys, key] }))
}

/** A payment that has settled. */
export interface SettledPayment {
  /** A payment intent, or a transaction. */
  readonly reference: string
  readonly at: DateTime.Utc
  /** What was taken: less than the price where the tool delivered less. */
  readonly cents: Cents
  readonly simulated: boolean
}

/** Where the receipt goes: both places say the same, and the door uses what its transport has. */
export interface PaymentReceipt {
  readonly headers: AnswerHeaders
  readonly meta: Readonly<Record<string, unknown>>
}

const mppReceipt = (payment: PaidWith, { id }: { readonly id: string }, { at, reference, simulated }: SettledPayment): PaymentReceipt => {
  const { header, meta } = Mpp.receipt({
    challengeId: id,
    method: payment._tag === "Card" ? "stripe" : "evm",
    timestamp: at,
    reference,
    ...(payment._tag === "Card" && payment.externalId !== undefined ? { externalId: payment.externalId } : {}),
    ...(simulated ? { settlement: "simulated" } : {})
  })
  return { headers: { "Payment-Receipt": header, "Cache-Control": "private" }, meta: { [Mpp.META_RECEIPT]: meta } }
}

const x402Receipt = (protocol: StablecoinPayment["protocol"], response: X402.Response): PaymentReceipt => ({
  headers: { [X402.responseHeader(protocol)]: toBase64Json(response), "Cache-Control": "private" },
  meta: { [X402.META_RESPONSE]: response, ...(protocol === "x402-v1" ? { [X402.META_RESPONSE_V1]: response } : {}) }
})

const networkIn = (protocol: StablecoinPayment["protocol"], stablecoin: Methods["stablecoin"]): string =>
  stablecoin === undefined ? "" : protocol === "x402-v1" ? stablecoin.chainName : X402.networkOf(stablecoin)

/** What goes with the answer of a call that was paid for. */
export const receipt = (payment: PaidWith, settled: SettledPayment, { stablecoin }: Methods): PaymentReceipt => {
  if (payment._tag === "Card") return mppReceipt(payment, payment.challenge, settled)
  const { challenge, protocol, signed } = payment
  if (challenge !== undefined) return mppReceipt(payment, challenge, settled)
  return x402Receipt(protocol, {
    success: true,
    transaction: settled.reference,
    network: networkIn(protocol, stablecoin),
    payer: signed.authorization.from,
    ...(stablecoin === undefined ? {} : { amount: atomic(settled.cents, stablecoin) }),
    ...(settled.simulated ? { extra: { settlement: "simulated" } } : {})
  })
}

/** What x402 has besides the 402 when a payment was refused; the Payment scheme has no receipt for that. */
export const refusal = (payment: Payment, reason: string, { stablecoin }: Methods): PaymentReceipt => {
  if (payment._tag === "Card" || payment.protocol === "mpp") return { headers: {}, meta: {} }
  const { headers, meta } = x402Receipt(payment.protocol, {
    success: false,
    transaction: "",
    network: networkIn(payment.protocol, stablecoin),
    payer: payment.signed.authorization.from,
    errorReason: reason
  })
  return { headers: { ...headers, "Cache-Control": "no-store" }, meta }
}
