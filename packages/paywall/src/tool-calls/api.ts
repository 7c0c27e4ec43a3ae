/** The routes of calls on the payments API: what an account's agents called, and what it cost. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { byId, described } from "@svc/kernel/resource/api"
import { NotFound } from "@svc/kernel/resource/errors"
import { pageQueryOf } from "@svc/kernel/resource/pages"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { ToolCallList, UsageTotals } from "../usage/model.ts"
import { ToolCallDetail } from "./model.ts"

export class ToolCallsGroup extends HttpApiGroup.make("tool_calls").add(
  HttpApiEndpoint.get("list", "/tool_calls", { query: pageQueryOf("call"), success: ToolCallList })
    .annotate(RequiredScope, "tool_calls:read")
    .annotateMerge(
      described("List calls of tools", "Newest first, those that cost something; free calls are counted in the totals alone.")
    ),
  HttpApiEndpoint.get("totals", "/tool_calls/totals", { success: UsageTotals })
    .annotate(RequiredScope, "tool_calls:read")
    .annotateMerge(described("Add up calls of tools", "What the account's calls of this month came to, by tool, free calls among them.")),
  HttpApiEndpoint.get("get", "/tool_calls/:id", { ...byId, success: ToolCallDetail, error: NotFound })
    .annotate(RequiredScope, "tool_calls:read")
    .annotateMerge(
      described(
        "Retrieve a call of a tool",
        "With the round trip of its payment: what was asked for, how it was paid, and what came of it."
      )
    )
).pipe(forMerchants({ title: "Tool calls", description: "What the account's agents called on the tool server, and what it cost." })) {}
