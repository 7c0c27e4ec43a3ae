/** What webhook endpoints bring to the service. */
import { DerivedColumns } from "@svc/accounts/accounts/repository"
import { MOST_COUNTED } from "@svc/accounts/attention/model"
import { attentionFrom } from "@svc/accounts/attention/repository"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { ulidFloor } from "@svc/kernel/values/ids"
import { Layer } from "effect"
import { DeliveryRepository } from "../deliveries/repository.ts"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { accountColumns, EndpointRepository } from "./repository.ts"
import { WebhookEndpoints } from "./service.ts"

/** Attempts after which a delivery that is still tried says that the endpoint fails. */
const FAILING_ATTEMPTS = 3
/** Days after which a delivery that failed, and that nobody replayed, asks for nobody any more. */
const DAYS = 30

const failing = attentionFrom((sql) => ({
  kind: "webhook_endpoint_failing",
  resource_type: "webhook_endpoint",
  reads: "webhooks:read",
  acts: "webhooks:write",
  deskPath: () => "/desk/webhook_events?status=failed",
  open: (account, at) => {
    // The time of a delivery is in its id. The planner knows a partial index only by a literal.
    const recent = (status: "failed" | "retrying") =>
      sql`(SELECT created_at, attempts, last_outcome FROM webhook_deliveries
        WHERE account_id = ${account} AND status = ${sql.literal(`'${status}'`)}
          AND id >= ${ulidFloor("whq", Date.parse(at) - DAYS * 86_400_000)}
        ORDER BY id DESC LIMIT ${MOST_COUNTED})`
    return sql`SELECT ${account}::text AS resource_id, min(created_at) AS since, NULL::timestamptz AS due_at, count(*) AS count FROM (
        SELECT created_at FROM ${recent("failed")} f WHERE last_outcome <> 'replayed'
        UNION ALL SELECT created_at FROM ${recent("retrying")} r WHERE attempts >= ${FAILING_ATTEMPTS}) d
      WHERE EXISTS (SELECT FROM webhook_endpoints WHERE account_id = ${account}) HAVING count(*) > 0`
  }
}))

export const endpoints = {
  ...nothing,
  services: Layer.mergeAll(WebhookEndpoints.layer, failing, contribute(DerivedColumns, accountColumns)).pipe(
    Layer.provide([EndpointRepository.layer, DeliveryRepository.layer])
  ),
  routes: http.layer,
  migrations
}
