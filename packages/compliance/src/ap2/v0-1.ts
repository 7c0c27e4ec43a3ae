/**
 * The mandates of the Agent Payments Protocol 0.1 (github.com/google-agentic-commerce/AP2, tag v0.1.0, `src/ap2/types`). A field that may
 * be left out may also be null, as the protocol's own library writes it. Fields that are not named here travel along and are signed.
 */
import { Schema } from "effect"
import { CurrencyCode, Moment } from "../input.ts"

const maybe = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const Free = Schema.Record(Schema.String, Schema.Json)

/** Of W3C Payment Request. The value is in major units, so 12.5 is twelve and a half. */
const Amount = Schema.Struct({ currency: CurrencyCode, value: Schema.Finite })

const Item = Schema.Struct({
  label: Schema.String,
  amount: Amount,
  pending: maybe(Schema.Boolean),
  /** Days. */
  refund_period: Schema.optionalKey(Schema.Int)
})

const Shipping = Schema.Struct({ id: Schema.String, label: Schema.String, amount: Amount, selected: maybe(Schema.Boolean) })

const Modifier = Schema.Struct({
  supported_methods: Schema.String,
  total: maybe(Item),
  additional_display_items: maybe(Schema.Array(Item))
})

const PaymentRequest = Schema.Struct({
  method_data: Schema.Array(Schema.Struct({ supported_methods: Schema.String, data: maybe(Free) })),
  details: Schema.Struct({
    id: Schema.String,
    display_items: Schema.Array(Item),
    shipping_options: maybe(Schema.Array(Shipping)),
    modifiers: maybe(Schema.Array(Modifier)),
    total: Item
  }),
  options: maybe(Schema.Struct({
    request_payer_name: maybe(Schema.Boolean),
    request_payer_email: maybe(Schema.Boolean),
    request_payer_phone: maybe(Schema.Boolean),
    request_shipping: maybe(Schema.Boolean),
    shipping_type: maybe(Schema.String)
  })),
  shipping_address: maybe(Free)
})

/** What the user wants to have bought. */
export const IntentMandate = Schema.Struct({
  user_cart_confirmation_required: Schema.optionalKey(Schema.Boolean),
  natural_language_description: Schema.String.check(Schema.isMinLength(1)),
  merchants: maybe(Schema.Array(Schema.String)),
  skus: maybe(Schema.Array(Schema.String)),
  requires_refundability: maybe(Schema.Boolean),
  intent_expiry: Moment
})
export type IntentMandate = typeof IntentMandate.Type

/** What the merchant offers, at its price, for a time. */
export const CartMandate = Schema.Struct({
  contents: Schema.Struct({
    id: Schema.String,
    user_cart_confirmation_required: Schema.Boolean,
    payment_request: PaymentRequest,
    cart_expiry: Moment,
    merchant_name: Schema.String
  }),
  /** The merchant's JWT over the contents. */
  merchant_authorization: maybe(Schema.String)
})
export type CartMandate = typeof CartMandate.Type

/** What the network and the issuer are shown. */
export const PaymentMandate = Schema.Struct({
  payment_mandate_contents: Schema.Struct({
    payment_mandate_id: Schema.String,
    payment_details_id: Schema.String,
    payment_details_total: Item,
    payment_response: Schema.Struct({
      request_id: Schema.String,
      method_name: Schema.String,
      details: maybe(Free),
      shipping_address: maybe(Free),
      shipping_option: maybe(Shipping),
      payer_name: maybe(Schema.String),
      payer_email: maybe(Schema.String),
      payer_phone: maybe(Schema.String)
    }),
    merchant_agent: Schema.String,
    timestamp: Moment
  }),
  /** The user's verifiable presentation. */
  user_authorization: maybe(Schema.String)
})
export type PaymentMandate = typeof PaymentMandate.Type

/** What this tool's own shape adds to the fields of a mandate. */
export const Header = Schema.Struct({
  kind: Schema.Literals(["intent", "cart", "payment"]),
  version: Schema.Literal("ap2/1"),
  id: Schema.String.check(Schema.isMinLength(1)),
  created_at: Moment
})
