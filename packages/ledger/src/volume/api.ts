/** The routes of volume and balances by day. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { described } from "@svc/kernel/resource/api"
import { Effect, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { BalanceHistory, DAYS, MOST_DAYS, Volume } from "./model.ts"

const message = `Expected a number of days from 1 to ${MOST_DAYS}`
const Days = Schema.Finite.annotate({ message }).check(
  Schema.isInt({ message }).abort(),
  Schema.isBetween({ minimum: 1, maximum: MOST_DAYS }, { message })
).annotate({ description: "How many days, today among them", default: DAYS })

const query = { days: Days.pipe(Schema.withDecodingDefaultKey(Effect.succeed(DAYS))) }

export class VolumeGroup extends HttpApiGroup.make("volume").add(
  HttpApiEndpoint.get("report", "/volume", {
    query,
    success: Volume
  }).annotate(RequiredScope, "ledger:read")
    .annotateMerge(described(
      "Retrieve volume",
      "What was captured and refunded on each of the last days, by currency, from sums that are kept: " +
        "an answer takes the same time however many payments there are."
    )),
  HttpApiEndpoint.get("balances", "/balance_history", { query, success: BalanceHistory })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(described(
      "Retrieve balances by day",
      "What was pending, available and reserved at the end of each of the last days, by currency, from sums that are kept. " +
        "Once `is_complete`, the last day holds what the balance accounts hold."
    ))
).pipe(forMerchants({ title: "Volume", description: "What came in and went back by day, and what was held at its end." })) {}
