/** The routes of metrics. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { RateLimited } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Currency } from "@svc/kernel/values/currency"
import { Timestamp } from "@svc/kernel/values/time"
import { Effect, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { MetricName, MetricRow, Metrics } from "./model.ts"

const time = {
  from: Schema.optionalKey(Timestamp),
  to: Schema.optionalKey(Timestamp),
  currency: Schema.optionalKey(Currency)
}

const WHEN = "Without `from` and `to`: this calendar month in UTC, as far as it has come. `from` is part of the time, `to` is not."

export class MetricsGroup extends HttpApiGroup.make("metrics").add(
  HttpApiEndpoint.get("report", "/metrics", { query: time, success: Metrics, error: RateLimited })
    .annotate(RequiredScope, "metrics:read")
    .annotateMerge(OpenApi.annotations({
      summary: "Retrieve metrics",
      description: "Recurring revenue and its five movements, churn, net revenue and volume, by currency, " +
        `each with its definition and the address of the rows that it is the sum of. ${WHEN}`
    })),
  HttpApiEndpoint.get("rows", "/metrics/rows", {
    query: {
      ...pageQueryOf("mrow"),
      ...time,
      metric: MetricName.annotate({ description: "Of which figure" }).pipe(
        Schema.withDecodingDefaultKey(Effect.succeed("net_revenue" as const))
      )
    },
    success: PaginatedList(MetricRow, "MetricRowList")
  }).annotate(RequiredScope, "metrics:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List the rows behind a figure",
      description: "Which subscription moved by how much and when, or which entries of the ledger, newest first. " +
        `The amounts add up to the figure; those of churn to what was lost. ${WHEN}`
    }))
).pipe(
  forMerchants({
    title: "Metrics",
    description: "Numbers that agree with the books: what subscriptions bring in a month, what moved it, and what the ledger says came in."
  })
) {}
