/**
 * The mandates of the Agent Payments Protocol 0.2 (github.com/google-agentic-commerce/AP2, tag v0.2.0, `code/sdk/schemas`): closed ones,
 * which name a checkout or a payment, and open ones, which say within which constraints an agent may close one. Amounts are minor units.
 */
import { Schema } from "effect"
import { CurrencyCode, Moment } from "../input.ts"

const Free = Schema.Record(Schema.String, Schema.Json)
const Epoch = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const times = {
  /** Seconds since 1970. */
  iat: Schema.optionalKey(Epoch),
  exp: Schema.optionalKey(Epoch)
}

const Merchant = Schema.Struct({ id: Schema.String, name: Schema.String, website: Schema.optionalKey(Schema.String) })
const Amount = Schema.Struct({ amount: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)), currency: CurrencyCode })
const Instrument = Schema.Struct({ id: Schema.String, type: Schema.String, description: Schema.optionalKey(Schema.String) })
const Pisp = Schema.Struct({ legal_name: Schema.String, brand_name: Schema.String, domain_name: Schema.String })

/** Confirmation of RFC 7800: the key that may close the mandate. */
const Cnf = Free.check(Schema.makeFilter((cnf: typeof Free.Type) => Object.keys(cnf).length > 0 || "must name a key, such as jwk"))

export const CheckoutMandate = Schema.Struct({
  vct: Schema.Literal("mandate.checkout.1"),
  checkout_jwt: Schema.String.check(Schema.isMinLength(1)),
  /** Base64url of a hash over the text of `checkout_jwt`. */
  checkout_hash: Schema.String,
  /** The hash of an SD-JWT; SHA-256 when left out. */
  _sd_alg: Schema.optionalKey(Schema.String),
  ...times
})
export type CheckoutMandate = typeof CheckoutMandate.Type

const AllowedMerchants = Schema.Struct({ type: Schema.Literal("checkout.allowed_merchants"), allowed: Schema.Array(Merchant) })
const LineItems = Schema.Struct({
  type: Schema.Literal("checkout.line_items"),
  items: Schema.Array(Schema.Struct({
    id: Schema.String,
    acceptable_items: Schema.Array(Schema.Struct({ id: Schema.String, title: Schema.String })),
    quantity: Schema.Int.check(Schema.isGreaterThan(0))
  })).check(Schema.isMinLength(1))
})

const holds = (type: string) =>
  Schema.makeFilter((constraints: ReadonlyArray<{ readonly type: string }>) =>
    constraints.some((one) => one.type === type) || `must hold a constraint of type ${type}`
  )

export const OpenCheckoutMandate = Schema.Struct({
  vct: Schema.Literal("mandate.checkout.open.1"),
  constraints: Schema.Array(Schema.Union([AllowedMerchants, LineItems])).check(holds("checkout.line_items")),
  cnf: Cnf,
  ...times
})
export type OpenCheckoutMandate = typeof OpenCheckoutMandate.Type

export const PaymentMandate = Schema.Struct({
  vct: Schema.Literal("mandate.payment.1"),
  /** The hash of the checkout that is paid. */
  transaction_id: Schema.String,
  payee: Merchant,
  payment_amount: Amount,
  payment_instrument: Instrument,
  pisp: Schema.optionalKey(Pisp),
  /** At once, when left out. */
  execution_date: Schema.optionalKey(Moment),
  risk_data: Schema.optionalKey(Free),
  ...times
})
export type PaymentMandate = typeof PaymentMandate.Type

const PaymentConstraint = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("payment.agent_recurrence"),
    frequency: Schema.Literals(["ON_DEMAND", "DAILY", "WEEKLY", "BIWEEKLY", "MONTHLY", "QUARTERLY", "ANNUALLY"]),
    max_occurrences: Schema.optionalKey(Schema.Int)
  }),
  Schema.Struct({ type: Schema.Literal("payment.allowed_payees"), allowed: Schema.Array(Merchant) }),
  Schema.Struct({ type: Schema.Literal("payment.allowed_payment_instruments"), allowed: Schema.Array(Instrument) }),
  Schema.Struct({ type: Schema.Literal("payment.allowed_pisps"), allowed: Schema.Array(Pisp) }),
  Schema.Struct({
    type: Schema.Literal("payment.amount_range"),
    currency: CurrencyCode,
    max: Schema.Int,
    min: Schema.optionalKey(Schema.Int)
  }),
  Schema.Struct({ type: Schema.Literal("payment.budget"), max: Schema.Finite, currency: CurrencyCode }),
  Schema.Struct({
    type: Schema.Literal("payment.execution_date"),
    not_before: Schema.optionalKey(Moment),
    not_after: Schema.optionalKey(Moment)
  }),
  Schema.Struct({ type: Schema.Literal("payment.reference"), conditional_transaction_id: Schema.String })
])
export type PaymentConstraint = typeof PaymentConstraint.Type

export const OpenPaymentMandate = Schema.Struct({
  vct: Schema.Literal("mandate.payment.open.1"),
  constraints: Schema.Array(PaymentConstraint).check(holds("payment.reference")),
  cnf: Cnf,
  payee: Schema.optionalKey(Merchant),
  payment_amount: Schema.optionalKey(Amount),
  payment_instrument: Schema.optionalKey(Instrument),
  pisp: Schema.optionalKey(Pisp),
  execution_date: Schema.optionalKey(Moment),
  risk_data: Schema.optionalKey(Free),
  ...times
})
export type OpenPaymentMandate = typeof OpenPaymentMandate.Type
