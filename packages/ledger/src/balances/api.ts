/** The routes of balance accounts. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { byId } from "@svc/kernel/resource/api"
import { NotFound, Refuses } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { BalanceAccountJson, InsufficientBalance } from "./model.ts"

export class BalancesGroup extends HttpApiGroup.make("balance_accounts").add(
  HttpApiEndpoint.get("list", "/balance_accounts", {
    query: pageQueryOf("ba"),
    success: PaginatedList(BalanceAccountJson, "BalanceAccountList")
  })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List balance accounts",
      description: "One for each currency in which money has moved, the newest first."
    })),
  HttpApiEndpoint.get("get", "/balance_accounts/:id", { ...byId, success: BalanceAccountJson, error: NotFound })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(OpenApi.annotations({
      summary: "Retrieve a balance account",
      description: "What is pending, available and reserved in one currency."
    }))
).pipe(forMerchants({ title: "Balances", description: "The merchant's money, by currency and by what can be done with it." })).annotate(
  Refuses,
  [InsufficientBalance]
) {}
