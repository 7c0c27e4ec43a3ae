/** What a payment may be used for once: itself, the key that its sender gave it, and the same call of the same payer within ten minutes. */
import { hash } from "node:crypto"
import type { Admitted } from "../gate/admitted.ts"
import type { Payment } from "../payment/model.ts"
import type { CallClaim } from "./model.ts"

/** The payer of a call, as far as it is known. */
export interface CallPayer extends Pick<Admitted, "arguments_sha256" | "call" | "caller" | "request" | "tool"> {
  /** The wallet, proved by its signature. */
  readonly payer?: string | undefined
}

/** A stranger's key is taken only where nobody guesses it: who knows it is answered with what was paid for under it. */
const UNGUESSED = 16

const digest = (kind: string, ...parts: ReadonlyArray<string>): string => `${kind}:${hash("sha256", parts.join("\n"), "hex")}`

const wantsAgain = ({ headers }: Admitted["request"]): boolean => headers["x-svc-allow-duplicate"]?.toLowerCase() === "true"

/**
 * The same call of the account, whichever wallet pays for it: a careless agent signs afresh, or asks another wallet. Where no account is
 * known, of the wallet: one wallet may pay for several accounts, and the same call of another account is another call. Of a card that
 * nobody known pays with, it is not known whose it is.
 */
export const sameCall = ({ arguments_sha256, call, caller, payer, request, tool }: CallPayer): ReadonlyArray<CallClaim> => {
  const whose = caller?.account.id ?? payer
  return whose === undefined || wantsAgain(request)
    ? []
    : [{ key: digest("same", whose, tool.name, call.mode, arguments_sha256), fleeting: true }]
}

const chosenBy = ({ caller, payer, request }: CallPayer, payment?: Payment): ReadonlyArray<CallClaim> => {
  const key = request.headers["idempotency-key"] || (payment?._tag === "Stablecoin" ? payment.identifier : undefined) || ""
  const whose = caller?.account.id ?? payer ?? "anybody"
  const usable = whose === "anybody" ? key.length >= UNGUESSED : key !== ""
  return usable ? [{ key: digest("key", whose, key), fleeting: false }] : []
}

/** What a request without a payment may be the repetition of: what its sender named by a key, and the same call. */
export const claimsWithoutPayment = (whose: CallPayer): ReadonlyArray<CallClaim> => [...chosenBy(whose), ...sameCall(whose)]

/** Whether a request that chose a key of its own meets the same call under another key. */
export const isAnotherCall = ({ request }: Pick<CallPayer, "request">, claim: string): boolean =>
  (request.headers["idempotency-key"] ?? "") !== "" && claim.startsWith("same:")

/**
 * In the order in which they are looked up. Whoever sends `Idempotency-Key` says which calls are the same. An identifier of the payment
 * says that it is the same payment; wallets make a new one with each signature, so another identifier does not say that it is another call.
 */
export const claimsOf = (whose: CallPayer, payment: Payment, keys: ReadonlyArray<string>): ReadonlyArray<CallClaim> => {
  const says = (whose.request.headers["idempotency-key"] ?? "") !== ""
  return [...chosenBy(whose, payment), ...keys.map((key) => ({ key, fleeting: false })), ...(says ? [] : sameCall(whose))]
}
