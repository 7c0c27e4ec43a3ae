/** One whole mandate of each type, every field of it filled. */
import type { Fields } from "./mandate.ts"

const price = (value: number) => ({ currency: "EUR", value })
const item = { label: "Red shoes", amount: price(110), pending: false, refund_period: 30 }
const shipping = { id: "post", label: "Post", amount: price(4.9), selected: true }
const merchant = { id: "m_1", name: "Shoe Shop", website: "https://shoes.example" }
const instrument = { id: "pm_1", type: "card", description: "Visa ending in 4242" }
const pisp = { legal_name: "Initiator Ltd", brand_name: "Initiator", domain_name: "initiator.example" }
const times = { iat: 1_790_000_000, exp: 1_790_000_600 }

/** By the name under which `ap2-schemas.json` has its schema. */
export const mandates: Readonly<Record<string, Fields>> = {
  "0.1 intent": {
    user_cart_confirmation_required: true,
    natural_language_description: "Red basketball shoes under 120 euros",
    merchants: ["Shoe Shop"],
    skus: ["SHOE-44-RED"],
    requires_refundability: true,
    intent_expiry: "2026-12-01T00:00:00Z"
  },
  "0.1 cart": {
    contents: {
      id: "cart_1",
      user_cart_confirmation_required: true,
      payment_request: {
        method_data: [{ supported_methods: "CARD", data: { networks: ["visa"] } }],
        details: {
          id: "order_1",
          display_items: [item],
          shipping_options: [shipping],
          modifiers: [{ supported_methods: "CARD", total: item, additional_display_items: [item] }],
          total: { label: "Total", amount: price(114.9) }
        },
        options: {
          request_payer_name: false,
          request_payer_email: true,
          request_payer_phone: false,
          request_shipping: true,
          shipping_type: "shipping"
        },
        shipping_address: { city: "Bonn", country: "DE" }
      },
      cart_expiry: "2026-12-01T00:00:00Z",
      merchant_name: "Shoe Shop"
    },
    merchant_authorization: null
  },
  "0.1 payment": {
    payment_mandate_contents: {
      payment_mandate_id: "pm_123",
      payment_details_id: "order_1",
      payment_details_total: { label: "Total", amount: price(114.9), refund_period: 30 },
      payment_response: {
        request_id: "order_1",
        method_name: "CARD",
        details: { token: "tok_1" },
        shipping_address: { city: "Bonn" },
        shipping_option: shipping,
        payer_name: "Ada",
        payer_email: "ada@example.com",
        payer_phone: "+4912345"
      },
      merchant_agent: "shoes.example",
      timestamp: "2026-11-20T10:00:00.000Z"
    },
    user_authorization: "header.payload.signature"
  },
  "mandate.checkout.1": {
    vct: "mandate.checkout.1",
    checkout_jwt: "abc",
    checkout_hash: "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0",
    ...times
  },
  "mandate.checkout.open.1": {
    vct: "mandate.checkout.open.1",
    constraints: [
      { type: "checkout.allowed_merchants", allowed: [merchant] },
      { type: "checkout.line_items", items: [{ id: "line_1", acceptable_items: [{ id: "SHOE-44-RED", title: "Red shoes" }], quantity: 1 }] }
    ],
    cnf: { jwk: { kty: "EC" } },
    ...times
  },
  "mandate.payment.1": {
    vct: "mandate.payment.1",
    transaction_id: "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0",
    payee: merchant,
    payment_amount: { amount: 11490, currency: "EUR" },
    payment_instrument: instrument,
    pisp,
    execution_date: "2026-12-01",
    risk_data: { score: 3 },
    ...times
  },
  "mandate.payment.open.1": {
    vct: "mandate.payment.open.1",
    constraints: [
      { type: "payment.reference", conditional_transaction_id: "digest" },
      { type: "payment.agent_recurrence", frequency: "MONTHLY", max_occurrences: 12 },
      { type: "payment.allowed_payees", allowed: [merchant] },
      { type: "payment.allowed_payment_instruments", allowed: [instrument] },
      { type: "payment.allowed_pisps", allowed: [pisp] },
      { type: "payment.amount_range", currency: "EUR", max: 12000, min: 100 },
      { type: "payment.budget", max: 50000, currency: "EUR" },
      { type: "payment.execution_date", not_before: "2026-12-01", not_after: "2026-12-31" }
    ],
    cnf: { kid: "key-1" },
    payee: merchant,
    payment_amount: { amount: 11490, currency: "EUR" },
    payment_instrument: instrument,
    pisp,
    execution_date: "2026-12-01T00:00:00Z",
    risk_data: {},
    ...times
  }
}
