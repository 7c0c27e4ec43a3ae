/** What mismatches bring to the service. */
import { MOST_COUNTED, MOST_ITEMS } from "@svc/accounts/attention/model"
import { attentionFrom } from "@svc/accounts/attention/repository"
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { MismatchRepository } from "./repository.ts"
import { Mismatches } from "./service.ts"

/** The open ones of each report together. */
const open = attentionFrom((sql) => ({
  kind: "reconciliation_mismatch",
  resource_type: "reconciliation_report",
  reads: "reconciliation:read",
  acts: "reconciliation:write",
  deskPath: (id) => `/desk/reconciliation/${id}`,
  open: (account) => {
    // Each half has a partial index of its own.
    const half = (having: "IS NULL" | "IS NOT NULL") =>
      sql`(SELECT report_id, created_at FROM reconciliation_mismatches
        WHERE merchant_id = ${account} AND status = 'open' AND sequence_id ${sql.literal(having)} LIMIT ${MOST_COUNTED})`
    return sql`SELECT report_id AS resource_id, min(created_at) AS since, NULL::timestamptz AS due_at, count(*) AS count
      FROM (${half("IS NULL")} UNION ALL ${half("IS NOT NULL")}) m GROUP BY report_id ORDER BY 2 LIMIT ${MOST_ITEMS}`
  }
}))

export const mismatches = {
  ...nothing,
  services: Layer.merge(Mismatches.layer, open).pipe(Layer.provide(MismatchRepository.layer)),
  routes: http.layer,
  migrations
}
