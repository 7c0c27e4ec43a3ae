/** What disputes bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { MOST_COUNTED, MOST_ITEMS } from "@svc/accounts/attention/model"
import { attentionFrom } from "@svc/accounts/attention/repository"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { agreement } from "@svc/ledger/state-checks"
import { logged } from "@svc/webhooks/log/logged"
import { Layer } from "effect"
import { RefundGuards } from "../payment-intents/provider/refund-guards.ts"
import * as http from "./http.ts"
import { closingChecks, disputeFollowUps, disputeJobs, refundGuards } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { DisputeJson, disputes as table } from "./model.ts"
import { DisputeRepository } from "./repository.ts"
import { Disputes } from "./service.ts"

const books = agreement({
  resource_type: "dispute",
  table,
  amounts: [
    ["amount", ["dispute_opened"]],
    ["fee_amount", ["fee_charged"]],
    ["CASE status WHEN 'won' THEN amount ELSE 0 END", ["dispute_won"]],
    ["CASE WHEN status IN ('lost', 'accepted', 'expired') THEN amount ELSE 0 END", ["dispute_lost", "dispute_accepted", "dispute_expired"]]
  ]
})

const log = logged({ table, resource_type: "dispute", shown: DisputeJson })

/** From the day it opens: evidence takes time to gather. Of very many, the oldest are looked at, whose time ends first. */
const due = attentionFrom((sql) => ({
  kind: "dispute_due",
  resource_type: "dispute",
  reads: "disputes:read",
  acts: "disputes:write",
  deskPath: (id) => `/desk/disputes/${id}`,
  open: (account) =>
    sql`SELECT id AS resource_id, created_at AS since, evidence_due_by AS due_at, 1::bigint AS count
      FROM (SELECT * FROM disputes WHERE merchant_id = ${account} AND status = 'open' ORDER BY id LIMIT ${MOST_COUNTED}) open
      ORDER BY evidence_due_by LIMIT ${MOST_ITEMS}`
}))

const contributed = Layer.mergeAll(
  log,
  due,
  contribute(FollowUps, disputeFollowUps),
  contribute(RefundGuards, refundGuards),
  contribute(ClosingChecks, closingChecks),
  books
)

export const disputes = {
  ...nothing,
  services: contributed.pipe(Layer.provideMerge(Disputes.layer), Layer.provide(DisputeRepository.layer)),
  routes: http.layer,
  timers: disputeJobs,
  migrations
}
