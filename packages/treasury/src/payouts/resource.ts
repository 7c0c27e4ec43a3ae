/** What payouts bring to the service. */
import { ClosingChecks, SettingsFollowers } from "@svc/accounts/accounts/service"
import { MOST_ITEMS } from "@svc/accounts/attention/model"
import { attentionFrom } from "@svc/accounts/attention/repository"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { agreement } from "@svc/ledger/state-checks"
import { SecondLookActs } from "@svc/payments/second-looks/provider/acts"
import { Layer } from "effect"
import * as http from "./http.ts"
import { approvedPayouts, closingChecks, payoutFollowUps, payoutJobs, settingsFollowers } from "./jobs.ts"
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

/** One that failed asks for somebody until another one of its currency is on its way. */
const failed = attentionFrom((sql) => ({
  kind: "payout_failed",
  resource_type: "payout",
  reads: "payouts:read",
  acts: "payouts:write",
  deskPath: (id) => `/desk/payouts/${id}`,
  open: (account) =>
    sql`SELECT id AS resource_id, updated_at AS since, NULL::timestamptz AS due_at, 1::bigint AS count FROM (
        SELECT id, currency, updated_at FROM payouts
        WHERE merchant_id = ${account} AND status = 'failed' ORDER BY id DESC LIMIT ${MOST_ITEMS}) p
      WHERE NOT EXISTS (SELECT FROM payouts later WHERE later.merchant_id = ${account} AND later.currency = p.currency
        AND later.id > p.id AND later.status IN ('pending', 'processing', 'completed') AND later.created_at > p.updated_at)`
}))

export const payouts = {
  ...nothing,
  services: Layer.mergeAll(
    books,
    failed,
    contribute(FollowUps, payoutFollowUps),
    contribute(ClosingChecks, closingChecks),
    contribute(SecondLookActs, approvedPayouts),
    contribute(SettingsFollowers, settingsFollowers)
  ).pipe(
    Layer.provideMerge(Payouts.layer),
    Layer.provide(PayoutRepository.layer)
  ),
  routes: http.layer,
  timers: payoutJobs,
  migrations
}
