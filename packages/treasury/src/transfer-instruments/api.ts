/** The routes of transfer instruments. */
import { Does, forMerchants, NeedsConfirmation, RequiredScope } from "@svc/accounts/access/api"
import { endpointsOf } from "@svc/accounts/routes/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Machine } from "@svc/kernel/resource/state-machine"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { instrumentMachine } from "./machine.ts"
import {
  CreateTransferInstrumentRequest,
  instrumentExpansion,
  instrumentFilters,
  TransferInstrumentJson,
  VerifyTransferInstrumentRequest
} from "./model.ts"

const instrument = endpointsOf({
  scope: "transfer_instruments",
  prefix: "ti",
  schema: TransferInstrumentJson,
  list: "TransferInstrumentList"
})
const moved = { ...byId, success: TransferInstrumentJson, error: [NotFound, InvalidState, VersionConflict] } as const

const verb = <const Name extends string>(name: Name, summary: string, description: string) =>
  HttpApiEndpoint.post(name, `/transfer_instruments/:id/${name}`, moved)
    .annotate(RequiredScope, "transfer_instruments:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotate(NeedsConfirmation, true).annotateMerge(described(summary, description))

export class TransferInstrumentsGroup extends HttpApiGroup.make("transfer_instruments").add(
  HttpApiEndpoint.post("create", "/transfer_instruments", instrument.create(CreateTransferInstrumentRequest))
    .annotate(NeedsConfirmation, true)
    .annotateMerge(instrument.makes(
      "manage",
      "Create a transfer instrument",
      "The number is kept sealed, and only its last four characters are shown from then on. It is `pending` until it is verified. An " +
        "IBAN is checked by its check digits; in a sandbox use one such as DE89370400440532013000."
    )),
  HttpApiEndpoint.get("list", "/transfer_instruments", instrument.list({ ...instrumentExpansion.query, ...instrumentFilters }))
    .annotateMerge(instrument.reads("List transfer instruments", "Newest first, of one status, type or currency, or of all.")),
  HttpApiEndpoint.get("get", "/transfer_instruments/:id", { ...instrument.get, query: instrumentExpansion.query })
    .annotateMerge(instrument.reads("Retrieve a transfer instrument", "Where money goes, and whether it may go there now.")),
  HttpApiEndpoint.post("verify", "/transfer_instruments/:id/verify", { ...moved, payload: VerifyTransferInstrumentRequest })
    .annotate(RequiredScope, "transfer_instruments:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotate(NeedsConfirmation, true)
    .annotateMerge(described(
      "Verify a transfer instrument",
      "`instant` asks its bank; `micro_deposits` compares the amounts of the two small deposits that arrived, three times at most. In " +
        "a sandbox these are 32 and 45, and a number that ends in 0002 is unknown to its bank."
    )),
  verb("resubmit", "Verify one again that failed", "It is pending again, with three new tries."),
  verb(
    "activate",
    "Activate a transfer instrument",
    "One that is verified becomes active by itself a day later, in a sandbox at once, so that there is nothing left to ask for there. " +
      "The first of its type and currency is the default."
  ),
  verb("make_default", "Make it the default", "Of its type and currency. Payouts by schedule go to the default."),
  verb("archive", "Archive a transfer instrument", "For good. Refused with 409 while a payout is on its way to it.")
).pipe(forMerchants({ title: "Transfer instruments", description: "Where an account's money is paid out to." }))
  .annotate(Machine, instrumentMachine)
{}
