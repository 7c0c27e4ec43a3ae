/** The routes of second looks. */
import { forMerchants } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import { Forbidden } from "@svc/kernel/resource/errors"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { secondLookMachine } from "./machine.ts"
import { ApproveSecondLookRequest, RejectSecondLookRequest, secondLookFilters, SecondLookJson } from "./model.ts"

const look = endpointsOf({ scope: "approvals", prefix: "sl", schema: SecondLookJson, list: "SecondLookList" })
const approve = look.act(ApproveSecondLookRequest)
const reject = look.act(RejectSecondLookRequest)

export class SecondLooksGroup extends HttpApiGroup.make("second_looks").add(
  HttpApiEndpoint.get("list", "/second_looks", look.list(secondLookFilters))
    .annotateMerge(look.reads("List second looks", "Newest first. `status=pending` is what waits for a second person.")),
  HttpApiEndpoint.get("get", "/second_looks/:id", look.get)
    .annotateMerge(look.reads("Retrieve a second look", "Who asked for what, who decided, and what came of it.")),
  HttpApiEndpoint.post("approve", "/second_looks/:id/approve", { ...approve, error: [...approve.error, Forbidden] })
    .annotateMerge(look.changes(
      "refund",
      "Approve a second look",
      "Makes the refund or the payout now, once, and answers with the second look: `done`, `failed` with the reason, " +
        "or `approved` while a provider has not answered. For people in the desk with `approvals:write` and the scope of the act, " +
        "and not for the one who asked, whose rights are looked at anew."
    )),
  HttpApiEndpoint.post("reject", "/second_looks/:id/reject", { ...reject, error: [...reject.error, Forbidden] })
    .annotateMerge(look.changes("refund", "Reject a second look", "Nothing happens, and it stays in the list with who rejected it."))
).pipe(
  forMerchants({
    title: "Second looks",
    description: "Refunds and payouts by people above `settings.people.second_look_above`, which wait for another person. " +
      "Keys are not asked for a second look.",
    machine: secondLookMachine
  })
) {}
