/** The parts of second looks. */
import { MOST_ITEMS } from "@svc/accounts/attention/model"
import { attentionFrom } from "@svc/accounts/attention/repository"
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { secondLookJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { SecondLooks } from "./service.ts"

const waiting = attentionFrom((sql) => ({
  kind: "second_look_waiting",
  resource_type: "second_look",
  reads: "approvals:read",
  acts: "approvals:write",
  deskPath: (id) => `/desk/second_looks/${id}`,
  open: (account) =>
    sql`SELECT id AS resource_id, created_at AS since, expires_at AS due_at, 1::bigint AS count FROM second_looks
      WHERE merchant_id = ${account} AND status = 'pending' ORDER BY id LIMIT ${MOST_ITEMS}`
}))

export const secondLooks = {
  ...nothing,
  services: Layer.provideMerge(waiting, SecondLooks.layer),
  routes: http.layer,
  timers: secondLookJobs,
  migrations
}
