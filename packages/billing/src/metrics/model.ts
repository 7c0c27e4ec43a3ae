/** Metrics: what a merchant's subscriptions bring in a month, what moved that, and what the ledger says came in. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { Currency } from "@svc/kernel/values/currency"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { SignedAmount } from "../engine/lines.ts"

/** A row behind a figure: a movement of a subscription, or an entry of the ledger under an id of this kind and of the same time. */
export const MetricRowId = idSchema("mrow", "MetricRowId")

/** What moves recurring revenue. */
export const movements = ["new", "expansion", "contraction", "churn", "reactivation"] as const
export const RevenueMovement = Schema.Literals(movements).annotate({ identifier: "RecurringRevenueMovement" })
export type RevenueMovement = typeof RevenueMovement.Type

const ofLedger = ["volume", "refunds", "fees", "net_revenue"] as const
export type LedgerFigure = typeof ofLedger[number]

export const metricNames = ["opening", ...movements, "closing", "customer_churn", "revenue_churn", ...ofLedger] as const
export const MetricName = Schema.Literals(metricNames).annotate({ identifier: "MetricName" })
export type MetricName = typeof MetricName.Type

export const isOfLedger = (name: MetricName): name is LedgerFigure => ofLedger.some((one) => one === name)

/** What each figure is, in words that can be checked against its rows. */
export const definitions: Readonly<Record<MetricName, string>> = {
  opening:
    "Recurring revenue a month just before `from`: each subscription that is active or past_due and whose first cycle was charged, " +
    "at the price of its plan. A weekly price counts 52/12 times, a quarterly one a third, an annual one a twelfth, " +
    "rounded half up once a subscription. Trials and paused subscriptions do not count.",
  new: "Recurring revenue of subscriptions that began to count, of customers who had no subscription before or have another one. " +
    "One with a trial begins when the trial ends.",
  expansion: "Recurring revenue that subscriptions gained by a change of plan.",
  contraction: "Recurring revenue that subscriptions lost by a change of plan. Never above 0.",
  churn: "Recurring revenue of subscriptions that were canceled or paused. Never above 0.",
  reactivation:
    "Recurring revenue of subscriptions that were resumed, and of new ones of customers whose earlier ones had all ended or paused.",
  closing: "Recurring revenue a month just before `to`: opening, new, expansion, contraction, churn and reactivation together.",
  customer_churn: "Of the customers with a subscription that counted just before `from`, the share that had none just before `to`.",
  revenue_churn: "Churn and contraction of the time, as a share of the opening recurring revenue.",
  volume: "What was captured, of all payments: the entries `payment_captured` of the ledger.",
  refunds: "What went back: the entries of the ledger that take money back through a rail, which are refunds and lost disputes.",
  fees: "Fees less fees given back: the entries of the ledger against `P.fees`.",
  net_revenue: "Volume less refunds less fees, of all payments: the entries of the ledger against `P.rail_clearing` and `P.fees`."
}

const shown = {
  definition: Schema.String,
  rows: Schema.String.annotate({ description: "Where the rows behind it are" })
}

export const Figure = Schema.Struct({
  value: SignedAmount.annotate({ description: "Minor units" }),
  ...shown
}).annotate({ identifier: "MetricFigure" })
export type Figure = typeof Figure.Type

export const MetricShare = Schema.Struct({
  value: Schema.NullOr(Schema.Finite).annotate({ description: "`lost` divided by `of`; null when `of` is 0" }),
  lost: Schema.Natural,
  of: Schema.Natural,
  ...shown
}).annotate({
  identifier: "MetricShare",
  description: "A part of what there was: customers are counted, recurring revenue is minor units."
})
export type MetricShare = typeof MetricShare.Type

export const CurrencyMetrics = Schema.Struct({
  currency: Currency,
  recurring_revenue: Schema.Struct({
    opening: Figure,
    new: Figure,
    expansion: Figure,
    contraction: Figure,
    churn: Figure,
    reactivation: Figure,
    closing: Figure
  }).annotate({ description: "Opening and the five movements add up to closing" }),
  customer_churn: MetricShare,
  revenue_churn: MetricShare,
  volume: Figure,
  refunds: Figure,
  fees: Figure,
  net_revenue: Figure
}).annotate({ identifier: "CurrencyMetrics" })
export type CurrencyMetrics = typeof CurrencyMetrics.Type

const exampleFigure = (name: MetricName, value: number) => ({
  value,
  definition: definitions[name],
  rows: `/v1/metrics/rows?metric=${name}&currency=USD&from=2026-01-01T00%3A00%3A00.000Z&to=2026-01-02T00%3A00%3A00.000Z`
})

export const Metrics = Schema.Struct({
  from: Timestamp.annotate({ description: "The first moment of the time" }),
  to: Timestamp.annotate({ description: "The first moment after it" }),
  currencies: Schema.Array(CurrencyMetrics).annotate({ description: "Amounts of different currencies are never added" })
}).annotate({ identifier: "Metrics" }).pipe(Schema.annotateEncoded({
  examples: [{
    from: "2026-01-01T00:00:00.000Z",
    to: "2026-01-02T00:00:00.000Z",
    currencies: [{
      currency: "USD",
      recurring_revenue: {
        opening: exampleFigure("opening", 8_000),
        new: exampleFigure("new", 2_000),
        expansion: exampleFigure("expansion", 0),
        contraction: exampleFigure("contraction", 0),
        churn: exampleFigure("churn", -1_000),
        reactivation: exampleFigure("reactivation", 0),
        closing: exampleFigure("closing", 9_000)
      },
      customer_churn: { ...exampleFigure("customer_churn", 0.2), lost: 1, of: 5 },
      revenue_churn: { ...exampleFigure("revenue_churn", 0.125), lost: 1_000, of: 8_000 },
      volume: exampleFigure("volume", 2_000),
      refunds: exampleFigure("refunds", 500),
      fees: exampleFigure("fees", 88),
      net_revenue: exampleFigure("net_revenue", 1_412)
    }]
  }]
}))
export type Metrics = typeof Metrics.Type

/** The part that a subscription has in recurring revenue, before and after. */
export const SubscriptionMove = Schema.Struct({
  movement: RevenueMovement,
  subscription_id: Schema.String,
  customer_id: Schema.String,
  plan_id: Schema.String,
  status: Schema.String,
  before: Schema.Natural,
  after: Schema.Natural
}).annotate({ identifier: "SubscriptionMove" })

export const LedgerPosting = Schema.Struct({
  financial_event_id: Schema.String,
  event_type: Schema.String,
  resource_type: Schema.String,
  resource_id: Schema.String
}).annotate({ identifier: "LedgerPosting" })

export const MetricRow = Schema.Struct({
  id: MetricRowId,
  amount: SignedAmount.annotate({ description: "What it adds to the figure, minor units" }),
  currency: Currency,
  at: Timestamp,
  move: Schema.NullOr(SubscriptionMove).annotate({
    description: "For recurring revenue and churn: which subscription moved, from where to where"
  }),
  posting: Schema.NullOr(LedgerPosting).annotate({ description: "For what the ledger says: which entry" })
}).annotate({ identifier: "MetricRow" }).pipe(Schema.annotateEncoded({
  examples: [{
    id: exampleId("mrow"),
    amount: 2_000,
    currency: "USD",
    at: EXAMPLE_TIME,
    move: {
      movement: "new",
      subscription_id: exampleId("sub"),
      customer_id: "customer-1",
      plan_id: exampleId("plan"),
      status: "active",
      before: 0,
      after: 2_000
    },
    posting: null
  }]
}))
export type MetricRow = typeof MetricRow.Type

export const decodeRow = Schema.decodeUnknownSync(MetricRow)

/** What figures are asked of. */
export interface MetricsFilter {
  readonly from?: Timestamp
  readonly to?: Timestamp
  readonly currency?: string
}

/** A stretch of time, its end not included. */
export interface MetricPeriod {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** What the tables say of one currency, before it is told. Minor units; customers are counted. */
export interface CurrencySums extends Readonly<Record<RevenueMovement, number>> {
  readonly currency: string
  readonly opening: number
  /** Customers with a subscription that counted at the beginning, and those of them who have none in the end. */
  readonly customers: number
  readonly customers_lost: number
  readonly volume: number
  readonly refunds: number
  readonly fees: number
}

/** Of a currency in which nothing ever happened. */
export const zeroSums = (currency: string): CurrencySums => ({
  currency,
  opening: 0,
  new: 0,
  expansion: 0,
  contraction: 0,
  churn: 0,
  reactivation: 0,
  customers: 0,
  customers_lost: 0,
  volume: 0,
  refunds: 0,
  fees: 0
})
