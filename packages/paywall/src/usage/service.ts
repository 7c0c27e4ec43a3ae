/** What an account has used. */
import type { ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { windowAt } from "@svc/kernel/road/counters"
import { now } from "@svc/kernel/values/time"
import { CreditGrantId } from "@svc/metering/credit-grants/model"
import type { ToolCall } from "@svc/metering/tool-calls/model"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import { Context, Effect, Layer } from "effect"
import type { CreditsLeft, UsageTotals } from "./model.ts"
import { UsageRepository } from "./repository.ts"

export class UsageReports extends Context.Service<UsageReports, {
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<ToolCall>, ValidationError>
  /** Of the month of the account's clock. */
  readonly totals: (account: string) => Effect.Effect<UsageTotals>
  /** Of the credits that were bought or given. */
  readonly credits: (account: string) => Effect.Effect<ReadonlyArray<CreditsLeft>>
}>()("@svc/paywall/UsageReports") {
  static readonly layer = Layer.effect(
    UsageReports,
    Effect.gen(function*() {
      const repository = yield* UsageRepository
      const meter = yield* Meter
      return UsageReports.of({
        credits: Effect.fn("UsageReports.credits")(function*(account: string) {
          return (yield* meter.grants(account)).map(({ expires_at, id, left, of, source }) => ({
            id: CreditGrantId.make(id),
            source,
            cents: of,
            left_cents: left,
            expires_at
          }))
        }),
        list: Effect.fn("UsageReports.list")(function*(account: string, page: PageRequest) {
          return yield* meter.list(account, yield* Effect.fromResult(checkPage(page)))
        }),
        totals: Effect.fn("UsageReports.totals")(function*(account: string) {
          const since = windowAt("month", yield* now).start
          const by_tool = yield* repository.sums(account, since)
          const sum = (of: "calls" | "charged_cents" | "free_calls") => by_tool.reduce((all, one) => all + one[of], 0)
          return { since, calls: sum("calls"), charged_cents: sum("charged_cents"), free_calls: sum("free_calls"), by_tool }
        })
      })
    })
  )
}
