/** What was captured and given back on each day, and what the three buckets held at its end, by currency. */
import { EXAMPLE_TIME } from "@svc/kernel/resource/examples"
import { Currency } from "@svc/kernel/values/currency"
import { SignedAmount } from "@svc/kernel/values/money"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

/** Days that an answer goes back, today among them. */
export const MOST_DAYS = 90
export const DAYS = 30

const sums = {
  captured: Schema.Natural.annotate({ description: "Minor units: the entries `payment_captured` of the ledger" }),
  payments: Schema.Natural.annotate({ description: "How many captures there were" }),
  refunded: Schema.Natural.annotate({ description: "Minor units: the entries `payment_refunded`" })
}

const day = Schema.String.annotate({ description: "A day in UTC, such as 2026-01-01" })

const period = {
  from: Timestamp.annotate({ description: "The first moment of the first day" }),
  to: Timestamp.annotate({ description: "The present moment" }),
  is_complete: Schema.Boolean.annotate({
    description: "False while older entries are still being added up: ask again in a moment"
  })
}

export const VolumeDay = Schema.Struct({
  day,
  ...sums
}).annotate({ identifier: "VolumeDay" })

export const CurrencyVolume = Schema.Struct({
  currency: Currency,
  today: VolumeDay,
  ...sums,
  days: Schema.Array(VolumeDay).annotate({ description: "Those on which something moved, oldest first" })
}).annotate({ identifier: "CurrencyVolume" })
export type CurrencyVolume = typeof CurrencyVolume.Type

export const Volume = Schema.Struct({
  ...period,
  currencies: Schema.Array(CurrencyVolume).annotate({ description: "Amounts of different currencies are never added" })
}).annotate({ identifier: "Volume" }).pipe(Schema.annotateEncoded({
  examples: [{
    from: "2026-01-01T00:00:00.000Z",
    to: EXAMPLE_TIME,
    is_complete: true,
    currencies: [{
      currency: "USD",
      today: { day: "2026-01-01", captured: 1_500, payments: 1, refunded: 0 },
      captured: 1_500,
      payments: 1,
      refunded: 0,
      days: [{ day: "2026-01-01", captured: 1_500, payments: 1, refunded: 0 }]
    }]
  }]
}))
export type Volume = typeof Volume.Type

const buckets = {
  available: SignedAmount.annotate({ description: "Minor units: usable. Below zero only through refunds, disputes and fees" }),
  pending: SignedAmount.annotate({ description: "Minor units: captured and not yet settled" }),
  reserved: SignedAmount.annotate({ description: "Minor units: held for disputes, reserves, payouts under way and gift cards" })
}

export const Buckets = Schema.Struct(buckets).annotate({ identifier: "BalanceBuckets" })
export type Buckets = typeof Buckets.Type

export const BalanceDay = Schema.Struct({ day, ...buckets }).annotate({ identifier: "BalanceDay" })

export const CurrencyBalances = Schema.Struct({
  currency: Currency,
  opening: Buckets.annotate({ description: "What the buckets held before the first day" }),
  days: Schema.Array(BalanceDay).annotate({
    description: "Those on which something moved, oldest first, with what the buckets held at the end of the day"
  })
}).annotate({ identifier: "CurrencyBalances" })
export type CurrencyBalances = typeof CurrencyBalances.Type

export const BalanceHistory = Schema.Struct({ ...period, currencies: Schema.Array(CurrencyBalances) }).annotate({
  identifier: "BalanceHistory"
}).pipe(Schema.annotateEncoded({
  examples: [{
    from: "2026-01-01T00:00:00.000Z",
    to: EXAMPLE_TIME,
    is_complete: true,
    currencies: [{
      currency: "USD",
      opening: { available: 0, pending: 0, reserved: 0 },
      days: [{ day: "2026-01-01", available: 0, pending: 1_426, reserved: 0 }]
    }]
  }]
}))
export type BalanceHistory = typeof BalanceHistory.Type

/** A day of a currency, as it is stored. */
export const DayRow = Schema.Struct({ currency: Currency, day: Schema.String, ...sums })
export type DayRow = typeof DayRow.Type

/** What a day of a currency moved in the buckets; without a day, what all days before did together. */
export const MovedRow = Schema.Struct({ currency: Currency, day: Schema.NullOr(Schema.String), ...buckets })
export type MovedRow = typeof MovedRow.Type
