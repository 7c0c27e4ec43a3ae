/** What the schema of a mandate cannot say: values that must fit each other. */
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { Result } from "effect"
import { hash } from "node:crypto"
import { millisOf } from "../input.ts"
import { digestOf } from "../proof.ts"
import type * as V1 from "./v0-1.ts"
import type * as V2 from "./v0-2.ts"

/** Where it is, and what is wrong there. `path` is empty for the mandate as a whole. */
export interface Issue {
  readonly path: string
  readonly message: string
}

const issue = (path: string, message: string): Issue => ({ path, message })
const when = (wrong: boolean, path: string, message: string): ReadonlyArray<Issue> => wrong ? [issue(path, message)] : []

/** AP2 0.1: only a user who signs may leave the cart unconfirmed. */
export const intent = (signed: boolean) => ({ user_cart_confirmation_required }: V1.IntentMandate): ReadonlyArray<Issue> =>
  when(
    user_cart_confirmation_required === false && !signed,
    "user_cart_confirmation_required",
    "must be true while the mandate is not signed: send seed_hex, or true"
  )

const claims = ["iss", "sub", "aud", "iat", "exp", "jti", "cart_hash"]

const payloadOf = (jwt: string): Readonly<Record<string, unknown>> | undefined => {
  const [header, payload, signature, ...more] = jwt.split(".")
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) return undefined
  const value = Result.try((): unknown => parseJson(Buffer.from(payload, "base64url").toString("utf8")))
  return Result.isSuccess(value) && isRecord(value.success) ? value.success : undefined
}

/** The hash is not told by name, so only one that has the length of SHA-256 is judged. */
const isOtherHash = (claimed: unknown, contents: unknown): boolean => {
  if (typeof claimed !== "string" || !/^(?:[0-9a-f]{64}|[A-Za-z0-9_-]{43})$/u.test(claimed)) return false
  const hex = digestOf(contents)
  return claimed !== hex && claimed !== Buffer.from(hex, "hex").toString("base64url")
}

const authorization = (jwt: string, contents: unknown): ReadonlyArray<Issue> => {
  const path = "merchant_authorization"
  const payload = payloadOf(jwt)
  if (payload === undefined) return [issue(path, "must be a JWT: three parts of base64url, the second a JSON object")]
  const { cart_hash, exp, iat } = payload
  return [
    ...claims.flatMap((claim) => when(payload[claim] === undefined, path, `its JWT must have the claim ${claim}`)),
    ...when(typeof iat === "number" && typeof exp === "number" && exp <= iat, path, "its JWT must expire after it was issued"),
    ...when(
      isOtherHash(cart_hash, contents),
      path,
      "its cart_hash is not the SHA-256 of the canonical contents, in hex or base64url: the cart was changed after the merchant signed it"
    )
  ]
}

/** W3C Payment Request 3.1: a total is never negative, and there is a method to pay with. */
export const cart = ({ contents, merchant_authorization }: V1.CartMandate): ReadonlyArray<Issue> => {
  const { details, method_data } = contents.payment_request
  const at = "contents.payment_request"
  const { currency, value } = details.total.amount
  return [
    ...when(method_data.length === 0, `${at}.method_data`, "must name at least one payment method"),
    ...when(value < 0, `${at}.details.total.amount.value`, "must not be negative"),
    ...details.display_items.flatMap(({ amount }, index) =>
      when(
        amount.currency !== currency,
        `${at}.details.display_items[${index}].amount.currency`,
        `must be ${currency}, the currency of the total`
      )
    ),
    ...(merchant_authorization === undefined || merchant_authorization === null ? [] : authorization(merchant_authorization, contents))
  ]
}

export const payment = ({ payment_mandate_contents }: V1.PaymentMandate): ReadonlyArray<Issue> =>
  when(
    payment_mandate_contents.payment_details_total.amount.value < 0,
    "payment_mandate_contents.payment_details_total.amount.value",
    "must not be negative"
  )

/** A mandate ends after it begins. */
export const times = ({ exp, iat }: { readonly iat?: number; readonly exp?: number }): ReadonlyArray<Issue> =>
  when(iat !== undefined && exp !== undefined && exp <= iat, "exp", "must be after iat")

/** AP2 0.2: SHA-256, unless the mandate names another hash. */
export const checkout = ({ _sd_alg = "sha-256", checkout_hash, checkout_jwt }: V2.CheckoutMandate): ReadonlyArray<Issue> => {
  const expected = hash("sha256", checkout_jwt, "base64url")
  return when(
    _sd_alg === "sha-256" && checkout_hash !== expected,
    "checkout_hash",
    `must be ${expected}, base64url of the SHA-256 of checkout_jwt`
  )
}

const isAfter = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && (millisOf(one) ?? 0) > (millisOf(other) ?? 0)

export const openPayment = ({ constraints }: V2.OpenPaymentMandate): ReadonlyArray<Issue> =>
  constraints.flatMap((one, index) => {
    switch (one.type) {
      case "payment.amount_range":
        return when(one.min !== undefined && one.min > one.max, `constraints[${index}].min`, "must not be above max")
      case "payment.execution_date":
        return when(isAfter(one.not_before, one.not_after), `constraints[${index}].not_before`, "must not be after not_after")
      default:
        return []
    }
  })
