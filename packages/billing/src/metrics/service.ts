/** The figures of a time, and the rows behind each. */
import type { ValidationError } from "@svc/kernel/resource/errors"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { type MetricName, type MetricRow, type Metrics, type MetricsFilter, zeroSums } from "./model.ts"
import { MetricsRepository } from "./repository.ts"
import * as rules from "./rules.ts"

export class MetricsReports extends Context.Service<MetricsReports, {
  /** Of each currency in which something happened before the end of the time, or of the one that is asked for. */
  readonly report: (account: string, filter: MetricsFilter) => Effect.Effect<Metrics, ValidationError>
  readonly rows: (
    account: string,
    name: MetricName,
    filter: MetricsFilter,
    page: PageRequest
  ) => Effect.Effect<Page<MetricRow>, ValidationError>
}>()("@svc/billing/MetricsReports") {
  static readonly layer = Layer.effect(
    MetricsReports,
    Effect.gen(function*() {
      const repository = yield* MetricsRepository

      const timeOf = (filter: MetricsFilter) => Effect.flatMap(now, (at) => Effect.fromResult(rules.stretch(filter, at)))

      const report = Effect.fn("MetricsReports.report")(function*(account: string, filter: MetricsFilter) {
        const time = yield* timeOf(filter)
        const sums = yield* repository.sums(account, time, filter.currency)
        const all = filter.currency === undefined || sums.length > 0 ? sums : [zeroSums(filter.currency)]
        return { ...time, currencies: all.map((one) => rules.figures(one, time)) }
      })

      const rows = Effect.fn("MetricsReports.rows")(function*(account: string, name: MetricName, filter: MetricsFilter, page: PageRequest) {
        return yield* repository.rows(account, { name, time: yield* timeOf(filter), currency: filter.currency }, page)
      })

      return MetricsReports.of({ report, rows })
    })
  )
}
