/** What financial events bring to the service. */
import { attentionFrom } from "@svc/accounts/attention/repository"
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { FinancialEventRepository } from "./repository.ts"
import { BookChecks, Ledger } from "./service.ts"

const broken = attentionFrom((sql) => ({
  kind: "ledger_broken",
  resource_type: "ledger",
  reads: "ledger:read",
  // Nothing writes to the ledger by itself; those who make the books agree look after it.
  acts: "reconciliation:write",
  deskPath: () => "/desk/ledger_verification",
  open: (account) =>
    sql`SELECT merchant_id AS resource_id, found_at AS since, NULL::timestamptz AS due_at, 1::bigint AS count
      FROM ledger_breaks WHERE merchant_id = ${account}`
}))

export const financialEvents = {
  ...nothing,
  services: Layer.merge(Ledger.layer, broken).pipe(Layer.provide(FinancialEventRepository.layer), Layer.provideMerge(BookChecks.layer)),
  routes: http.layer,
  migrations
}
