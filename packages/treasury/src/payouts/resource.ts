/** What payouts bring to the service. */
import { ClosingChecks, SettingsFollowers } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/contributions"
import { nothing } from "@svc/kernel/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { agreement } from "@svc/ledger/state-checks"
import { Layer } from "effect"
import * as http from "./http.ts"
import { closingChecks, payoutFollowUps, payoutJobs, settingsFollowers } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { payouts as table } from "./model.ts"
import { PayoutRepository } from "./repository.ts"
import { Payouts } from "./service.ts"

// What the bank sends back after it took it keeps the moment at which it took it.
const books = agreement({
  resource_type: "payout",
  table,
  amounts: [
    ["amount", ["payout_initiated"]],
    ["CASE WHEN completed_at IS NULL THEN 0 ELSE amount END", ["payout_completed"]],
    ["CASE status WHEN 'cancelled' THEN amount ELSE 0 END", ["payout_cancelled"]],
    ["CASE WHEN status = 'failed' AND completed_at IS NULL THEN amount ELSE 0 END", ["payout_failed"]],
    ["CASE WHEN status = 'failed' AND completed_at IS NOT NULL THEN amount ELSE 0 END", ["payout_returned"]],
    ["fee_amount", ["fee_charged"]],
    ["CASE WHEN status = 'cancelled' OR (status = 'failed' AND completed_at IS NULL) THEN fee_amount ELSE 0 END", ["fee_refunded"]]
  ]
})

export const payouts = {
  ...nothing,
  services: Layer.mergeAll(books, contribute(FollowUps, payoutFollowUps), contribute(ClosingChecks, closingChecks), contribute(SettingsFollowers, settingsFollowers)).pipe(
    Layer.provideMerge(Payouts.layer),
    Layer.provide(PayoutRepository.layer)
  ),
  routes: http.layer,
  timers: payoutJobs,
  migrations
}
