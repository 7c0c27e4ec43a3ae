/** The routes of transfer instruments. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { Currency } from "@svc/kernel/currency"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { instrumentMachine } from "./machine.ts"
import { CreateTransferInstrumentRequest, instrumentExpansion, InstrumentStatus, InstrumentType, TransferInstrumentJson, VerifyTransferInstrumentRequest } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const moved = { ...id, success: TransferInstrumentJson, error: [NotFound, InvalidState, VersionConflict] } as const

const verb = <const Name extends string>(name: Name, path: string, summary: string, description: string) =>
  HttpApiEndpoint.post(name, `/transfer_instruments/:id/${path}`, moved)
    .annotate(RequiredScope, "transfer_instruments:write").annotate(ReadsIfMatch, true).annotateMerge(described(summary, description))

export class TransferInstrumentsGroup extends HttpApiGroup.make("transfer_instruments").add(
  HttpApiEndpoint.post("create", "/transfer_instruments", {
    payload: CreateTransferInstrumentRequest,
    success: [TransferInstrumentJson.pipe(HttpApiSchema.status(201)), TransferInstrumentJson],
    error: [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict]
  }).annotate(RequiredScope, "transfer_instruments:write").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described(
      "Create a transfer instrument",
      "The number is kept sealed, and only its last four characters are shown from then on. It is `pending` until it is verified. An IBAN is checked by its check digits; in a sandbox use one such as DE89370400440532013000."
    )),
  HttpApiEndpoint.get("list", "/transfer_instruments", {
    query: {
      ...pageQueryOf("ti"),
      ...instrumentExpansion.query,
      status: Schema.optionalKey(InstrumentStatus),
      type: Schema.optionalKey(InstrumentType),
      currency: Schema.optionalKey(Currency)
    },
    success: PaginatedList(TransferInstrumentJson, "TransferInstrumentList")
  }).annotate(RequiredScope, "transfer_instruments:read").annotateMerge(described("List transfer instruments", "Newest first, of one status, type or currency, or of all.")),
  HttpApiEndpoint.get("get", "/transfer_instruments/:id", { ...id, query: instrumentExpansion.query, success: TransferInstrumentJson, error: NotFound })
    .annotate(RequiredScope, "transfer_instruments:read").annotateMerge(described("Retrieve a transfer instrument", "Where money goes, and whether it may go there now.")),
  HttpApiEndpoint.post("verify", "/transfer_instruments/:id/verify", { ...moved, payload: VerifyTransferInstrumentRequest })
    .annotate(RequiredScope, "transfer_instruments:write").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Verify a transfer instrument",
      "`instant` asks its bank; `micro_deposits` compares the amounts of the two small deposits that arrived, three times at most. In a sandbox these are 32 and 45, and a number that ends in 0002 is unknown to its bank."
    )),
  verb("resubmit", "resubmit", "Verify one again that failed", "It is pending again, with three new tries."),
  verb("activate", "activate", "Activate a transfer instrument", "One that is verified becomes active by itself a day later, in a sandbox at once, so that there is nothing left to ask for there. The first of its type and currency is the default."),
  verb("make_default", "make_default", "Make it the default", "Of its type and currency. Payouts by schedule go to the default."),
  verb("archive", "archive", "Archive a transfer instrument", "For good. Refused with 409 while a payout is on its way to it.")
).pipe(forMerchants({ title: "Transfer instruments", description: "Where an account's money is paid out to." }))
  .annotate(Machine, instrumentMachine) {}
