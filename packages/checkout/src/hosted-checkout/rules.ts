/** What takes a payment besides cards: transfers of the sandbox, where a rail takes them. Pure. */
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { findInstrument, type MethodType } from "@svc/payments/rails/instruments"
import type { Rail } from "@svc/payments/rails/rail"
import type { CheckoutSession } from "../checkout-sessions/model.ts"

/** By the names that the form sends. */
const all = {
  bank: { type: "bank_account", token: "tok_bank_account" },
  usdc: { type: "usdc_wallet", token: "tok_usdc" }
} as const satisfies Record<string, { readonly type: MethodType; readonly token: string }>
export type Transfer = keyof typeof all

const names: ReadonlyArray<Transfer> = ["bank", "usdc"]

const takes = ({ currencies, methods }: Pick<Rail, "currencies" | "methods">, type: MethodType, currency: string): boolean =>
  methods.includes(type) && (currencies.length === 0 || currencies.includes(currency))

/** The transfers that one of the rails takes. A live account has no fields for a bank account or a wallet yet. */
export const transfersFor = (
  { currency, mode }: Pick<CheckoutSession, "currency" | "mode">,
  { sandbox }: { readonly sandbox: boolean },
  rails: ReadonlyArray<Pick<Rail, "currencies" | "methods">>
): ReadonlyArray<Transfer> =>
  sandbox && mode === "payment" ? names.filter((name) => rails.some((rail) => takes(rail, all[name].type, currency))) : []

/** The token of the transfer that the form names; undefined where the page does not offer it. */
export const transferToken = (offered: ReadonlyArray<Transfer>, name: string): string | undefined => {
  const chosen = offered.find((transfer) => transfer === name)
  return chosen === undefined ? undefined : all[chosen].token
}

/** The transfer that the payment is made by. */
export const transferOf = ({ payment_method_id }: Pick<PaymentIntent, "payment_method_id">): Transfer | undefined => {
  const type = findInstrument(payment_method_id ?? "")?.type
  return names.find((name) => all[name].type === type)
}
