/** The routes of payouts. */
import { forMerchants } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { endpointsOf, keyedErrors } from "@svc/accounts/routes/api"
import { Forbidden } from "@svc/kernel/resource/errors"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { payoutMachine } from "./machine.ts"
import { CancelPayoutRequest, CreatePayoutRequest, payoutFilters, PayoutJson, payoutSums } from "./model.ts"

const payout = endpointsOf({ scope: "payouts", prefix: "po", schema: PayoutJson, list: "PayoutList" })
const create = payout.create(CreatePayoutRequest)

export class PayoutsGroup extends HttpApiGroup.make("payouts").add(
  HttpApiEndpoint.post("create", "/payouts", { ...create, error: [...keyedErrors, InsufficientBalance, AccountSuspended, Forbidden] })
    .annotateMerge(payout.makes(
      "payout",
      "Create a payout",
      "Its amount is `reserved` at once, and refused with `insufficient_balance` where less is `available`. It is submitted to the " +
        "bank an hour later, at `submit_at`, and arrives a day after that. " +
        "A person's payouts above `settings.people.second_look_above` wait for a second person; keys are not asked. " +
        "In a sandbox the bank refuses what goes to a number that ends in 0003, such as DE13370400440532010003, and sends back after " +
        "two days what went to one that ends in 0004, such as DE83370400440532010004."
    )),
  HttpApiEndpoint.get("list", "/payouts", payout.list(payoutFilters))
    .annotateMerge(payout.reads("List payouts", "Newest first, of one status, currency or transfer instrument, or of all.")),
  HttpApiEndpoint.get("sums", "/payouts/sums", payout.sums(payoutFilters, payoutSums, "PayoutSums"))
    .annotateMerge(payout.reads(
      "Add up payouts",
      "Of all that the filters leave, for each currency. It takes as long as there are many: narrow it by time."
    )),
  HttpApiEndpoint.get("get", "/payouts/:id", payout.get)
    .annotateMerge(payout.reads("Retrieve a payout", "Where the money is on its way to the bank.")),
  HttpApiEndpoint.post("cancel", "/payouts/:id/cancel", payout.act(CancelPayoutRequest))
    .annotateMerge(payout.changes("refund", "Cancel a payout", "While it is `pending`. Its amount and its fee are available again."))
).pipe(forMerchants({
  title: "Payouts",
  description:
    "Available money on its way to the account's own bank. `settings.payouts` of the account makes them by itself, each day or " +
    "each week. No webhook tells of payouts: read them, or the ledger's events.",
  machine: payoutMachine
})) {}
