/** The route of the export. */
import { forMerchants, OwnerInPath, RequiredScope } from "@svc/accounts/access/api"
import { AccountId } from "@svc/accounts/accounts/model"
import { NotFound, RateLimited } from "@svc/kernel/resource/errors"
import { pathId } from "@svc/kernel/values/ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { LedgerExportBody } from "./model.ts"

export class LedgerExportGroup extends HttpApiGroup.make("ledger_export").add(
  HttpApiEndpoint.get("export", "/ledger/export", { success: LedgerExportBody, error: RateLimited })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(OpenApi.annotations({
      summary: "Export the ledger",
      description:
        "The whole ledger as newline-delimited JSON. One object a line: `{\"type\":\"checkpoint\",\"checkpoint\":…}` with the last daily checkpoint, if there is one; each financial event, oldest first; " +
        "and last `{\"type\":\"end\",\"checkpoint\":…}` with a checkpoint of this ledger alone, signed as the export was made, or `{\"type\":\"broken\",\"first_break\":…}` where the ledger does not hold. " +
        "Whoever has the file and the public key of /.well-known/jwks.json verifies it without this service: `npm run verify-export` and `docs/verify_export.py` do. " +
        "An account has one export at a time; a second one is refused with 429. It is made as you read: a connection over which nothing is taken for 20 seconds is closed."
    })),
  HttpApiEndpoint.get("export_account", "/accounts/:id/ledger/export", {
    params: { id: pathId("acct", AccountId) },
    success: LedgerExportBody,
    error: [NotFound, RateLimited]
  })
    .annotate(RequiredScope, "ledger:read")
    .annotate(OwnerInPath, "id")
    .annotateMerge(OpenApi.annotations({
      summary: "Export an account's ledger",
      description:
        "As `GET /v1/ledger/export`, of the account in the path. With an operator key the ledger of every account can be exported; " +
        "with a key of an account any account but its own answers as if it did not exist."
    }))
).pipe(forMerchants({ title: "Ledger export", description: "The books as a file that proves itself." })) {}
