/** What approvals bring to the service. */
import { MOST_ITEMS } from "@svc/accounts/attention/model"
import { attentionFrom } from "@svc/accounts/attention/repository"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { Layer } from "effect"
import * as http from "./http.ts"
import { approvalFollowUps } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { ApprovalRepository } from "./repository.ts"
import { Approvals } from "./service.ts"

const waiting = attentionFrom((sql) => ({
  kind: "approval_waiting",
  resource_type: "approval",
  reads: "approvals:read",
  acts: "approvals:write",
  deskPath: (id) => `/desk/approvals/${id}`,
  open: (account) =>
    sql`SELECT id AS resource_id, created_at AS since, expires_at AS due_at, 1::bigint AS count FROM approvals
      WHERE merchant_id = ${account} AND status = 'pending' ORDER BY id LIMIT ${MOST_ITEMS}`
}))

export const approvals = {
  ...nothing,
  services: Layer.merge(contribute(FollowUps, approvalFollowUps), waiting).pipe(
    Layer.provideMerge(Approvals.layer),
    Layer.provide(ApprovalRepository.layer)
  ),
  routes: http.layer,
  migrations
}
