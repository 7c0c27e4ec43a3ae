/** The facilitator of x402 that carries out a stablecoin transfer. Without one no transfer happens, and the receipt says so. */
import type { EgressError, EgressResponse } from "@svc/kernel/egress/model"
import { Egress } from "@svc/kernel/egress/service"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import type { Cents } from "@svc/tool-kit/call"
import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { hash } from "node:crypto"
import { atomic, type Settlement, type Stablecoin, type StablecoinPayment } from "./model.ts"
import { payloadOf, requirementsOf } from "./x402.ts"

/** What is to be carried out. */
export interface Transfer {
  readonly payment: Omit<StablecoinPayment, "challenge" | "identifier">
  readonly stablecoin: Stablecoin
  /** The price that was signed for. */
  readonly cents: Cents
}

export type FacilitatorVerdict =
  | { readonly _tag: "Valid" }
  | { readonly _tag: "Invalid"; readonly reason: string }
  /** The facilitator could not be reached. Nothing has moved. */
  | { readonly _tag: "Unreachable"; readonly reason: string }

export class Facilitator extends Context.Service<Facilitator, {
  readonly simulated: boolean
  /** Whether the transfer would succeed: the balance, which only the chain knows. Moves nothing. */
  readonly verify: (transfer: Transfer) => Effect.Effect<FacilitatorVerdict>
  /**
   * Carries out the transfer; of a permission (`upto`), so much of it as `taken` says. May be repeated. That a repetition is `Refused` does
   * not say that nothing has moved: a facilitator looks at the balance and at the time before it looks at the nonce.
   */
  readonly settle: (transfer: Transfer, taken: Cents) => Effect.Effect<Settlement>
}>()("@svc/paywall/Facilitator") {}

/** No money moves. The transaction has one name however often it is settled. */
export const simulated: Layer.Layer<Facilitator> = Layer.succeed(Facilitator, {
  simulated: true,
  verify: () => Effect.succeed({ _tag: "Valid" }),
  settle: ({ payment: { signed: { authorization: { from, nonce } } } }) =>
    Effect.succeed({
      _tag: "Settled",
      transaction: `simulated_${hash("sha256", `${from}:${nonce}`.toLowerCase()).slice(0, 40)}`,
      simulated: true
    })
})

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Verified = Schema.Struct({ isValid: Schema.Boolean, invalidReason: text })
const Carried = Schema.Struct({ success: Schema.Boolean, transaction: text, errorReason: text })
const decodeVerified = Schema.decodeUnknownEffect(fromJsonText(Verified))
const decodeCarried = Schema.decodeUnknownOption(fromJsonText(Carried))

const MOST_BYTES = 64 * 1024
const VERIFYING = Duration.seconds(10)
/** Blocks take their time. */
const SETTLING = Duration.seconds(60)

/** Ways to fail before anything was sent. */
const UNSENT: ReadonlySet<EgressError["reason"]> = new Set(["invalid_url", "refused_address", "unresolvable", "tls"])

/** Says that the nonce is not to be had any more, in the words of one facilitator or another. */
const USED = /nonce_?(?:already_?)?used|invalid_?nonce|authorization_(?:is_)?used|already_settled|duplicate_settlement/iu

/** Says that it was sent and not seen to arrive. The reference facilitator answers so whatever went wrong behind it. */
const UNSURE = /unexpected|time(?:d_?)?out|receipt|pending|unconfirmed/iu

const bodyOf = ({ cents, payment, stablecoin }: Transfer, taken: Cents): string => {
  const signedFor = requirementsOf(stablecoin, cents, payment.signed.scheme)
  return JSON.stringify({
    x402Version: 2,
    paymentPayload: payloadOf(payment, signedFor),
    paymentRequirements: { ...signedFor, amount: atomic(taken, stablecoin) }
  })
}

const unknown = (reason: string): Settlement => ({ _tag: "Unknown", reason })
const refused = (reason: string): Settlement => ({ _tag: "Refused", reason })

/** Statuses that say that the request was not even begun. */
const notBegun = (status: number): boolean => status >= 400 && status < 500 && status !== 408 && status !== 409

const settlementOf = ({ body, status }: EgressResponse): Settlement => {
  const carried = Option.getOrUndefined(decodeCarried(body))
  if (carried === undefined) {
    const reason = `the facilitator answered ${status}, and not as a facilitator does`
    return notBegun(status) ? refused(reason) : unknown(reason)
  }
  const { errorReason, success, transaction } = carried
  if (success) {
    // Whoever carried a transfer out has its transaction. Without one nobody can tell whether the money moved.
    const named = transaction ?? ""
    return named === ""
      ? unknown("the facilitator says that it settled, and names no transaction")
      : { _tag: "Settled", transaction: named, simulated: false }
  }
  const reason = errorReason ?? "the facilitator gave no reason"
  if (USED.test(reason)) return { _tag: "Used", reason }
  return status >= 500 || UNSURE.test(reason) ? unknown(reason) : refused(reason)
}

/** A facilitator at an address, such as `https://x402.org/facilitator`. */
export const remote = (url: string): Layer.Layer<Facilitator, never, Egress> =>
  Layer.effect(
    Facilitator,
    Effect.map(Egress, (egress) => {
      const post = (path: string, body: string, timeout: Duration.Duration) =>
        egress.post({
          url: `${url.replace(/\/$/u, "")}/${path}`,
          headers: { "content-type": "application/json" },
          body,
          timeout,
          maxResponseBytes: MOST_BYTES
        })
      const verify = (transfer: Transfer) =>
        post("verify", bodyOf(transfer, transfer.cents), VERIFYING).pipe(
          Effect.flatMap(({ body }) => decodeVerified(body)),
          Effect.map(({ invalidReason, isValid }): FacilitatorVerdict =>
            isValid ? { _tag: "Valid" } : { _tag: "Invalid", reason: invalidReason ?? "the facilitator gave no reason" }
          ),
          Effect.catch((error) =>
            Effect.succeed<FacilitatorVerdict>({
              _tag: "Unreachable",
              reason: error._tag === "EgressError" ? error.message : "its answer could not be read"
            })
          )
        )
      const settle = (transfer: Transfer, taken: Cents) =>
        post("settle", bodyOf(transfer, taken), SETTLING).pipe(
          Effect.map(settlementOf),
          Effect.catch(({ message, reason }) => Effect.succeed(UNSENT.has(reason) ? refused(message) : unknown(message)))
        )
      return { simulated: false, verify, settle }
    })
  )
