/** The routes of settlements. */
import { forMerchants } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { settlementMachine } from "./machine.ts"
import {
  RetrySettlementRequest,
  settlementEvents,
  settlementExpansion,
  settlementFilters,
  SettlementJson,
  settlementSums
} from "./model.ts"

const settlement = endpointsOf({ scope: "settlements", prefix: "set", schema: SettlementJson, list: "SettlementList" })

export class SettlementsGroup extends HttpApiGroup.make("settlements").add(
  HttpApiEndpoint.get("list", "/settlements", settlement.list({ ...settlementExpansion.query, ...settlementFilters }))
    .annotateMerge(settlement.reads("List settlements", "Newest first, of one payment, status or currency, or of all.")),
  HttpApiEndpoint.get("sums", "/settlements/sums", settlement.sums(settlementFilters, settlementSums, "SettlementSums"))
    .annotateMerge(settlement.reads(
      "Add up settlements",
      "Of all that the filters leave, for each currency. It takes as long as there are many: narrow it by time."
    )),
  HttpApiEndpoint.get("get", "/settlements/:id", { ...settlement.get, query: settlementExpansion.query })
    .annotateMerge(settlement.reads("Retrieve a settlement", "Where the money of one capture stands.")),
  HttpApiEndpoint.post("retry", "/settlements/:id/retry", settlement.act(RetrySettlementRequest))
    .annotateMerge(settlement.changes(
      "manage",
      "Retry a settlement",
      "Puts a failed settlement back into the queue, due at once. The service retries by itself 1, 4 and 24 hours after the first, the " +
        "second and the third failed attempt. Attempts by request count, too."
    ))
).pipe(forMerchants({
  title: "Settlements",
  description: "Captured money on its way from `pending` to `available`.",
  machine: settlementMachine,
  events: settlementEvents
})) {}
