/** Random requests to a rail, for property tests. */
import { Schema } from "effect"
import { testInstruments } from "./instruments.ts"
import { declineCodes } from "./model.ts"

/** The rails of the simulator. */
export const railNames = ["card_a", "card_b", "bank_transfer", "usdc"] as const

const Metadata = Schema.Struct({
  "sim.outcome": Schema.optionalKey(Schema.Literals(["timeout", "late_success", "late_decline", "amount_mismatch", "toString", ""])),
  "sim.decline": Schema.optionalKey(Schema.Literals([...declineCodes, "no_such_code"])),
  "sim.unreachable": Schema.optionalKey(Schema.Literals([...railNames, "card_a, card_b", "none"])),
  order: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(20)))
})

const Any = Schema.Struct({
  key: Schema.String.check(Schema.isPattern(/^svc_[a-z0-9]{1,12}$/)),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999_999 })),
  currency: Schema.Literals(["USD", "EUR", "JPY"]),
  token: Schema.Literals([...testInstruments.map(({ token }) => token), "tok_unknown"]),
  capture: Schema.Boolean,
  metadata: Metadata,
  attempted_at: Schema.Int.check(Schema.isBetween({ minimum: 1_700_000_000_000, maximum: 1_800_000_000_000 })),
  risk_cleared: Schema.Boolean
})

/** Any request. The metadata of most of them causes a failure. */
export const AnyRequest = Any
/** Requests without metadata. */
export const PlainRequest = Schema.Struct({ ...Any.fields, metadata: Schema.Struct({}) })
export const AnyRail = Schema.Literals(railNames)

/** A plain Visa payment, for tables of tests that change one field. */
export const visa = {
  key: "svc_1",
  amount: 1999,
  currency: "USD",
  token: "tok_visa",
  capture: false,
  metadata: {},
  attempted_at: 1_700_000_000_000,
  risk_cleared: false
} as const
