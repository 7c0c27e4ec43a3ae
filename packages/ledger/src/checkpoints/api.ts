/** The routes of checkpoints, and of the proof that one event is in one. */
import { forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { byId, described } from "@svc/kernel/resource/api"
import { InvalidState, NotFound } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { CheckpointJson, EventProof } from "./model.ts"

export class CheckpointsGroup extends HttpApiGroup.make("ledger_checkpoints").add(
  HttpApiEndpoint.get("list", "/ledger/checkpoints", {
    query: pageQueryOf("lcp"),
    success: PaginatedList(CheckpointJson, "LedgerCheckpointList")
  })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(described(
      "List checkpoints of the ledger",
      "Newest first. One is signed each day (UTC) on which money moved since the one before. Keep them elsewhere: they prove what the ledger held, whatever becomes of the database."
    )),
  HttpApiEndpoint.get("get", "/ledger/checkpoints/:id", { ...byId, success: CheckpointJson, error: NotFound })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(described("Retrieve a checkpoint", "With its place in the signed tree and the path that leads to the root.")),
  HttpApiEndpoint.get("proof", "/financial_events/:id/proof", { ...byId, success: EventProof, error: [NotFound, InvalidState] })
    .annotate(RequiredScope, "ledger:read")
    .annotateMerge(described(
      "Prove a financial event",
      "The path from the event to the newest checkpoint: with the public key of /.well-known/jwks.json it proves that the event was in the ledger when the checkpoint was signed. " +
        "409 while the event is newer than the last checkpoint."
    ))
).pipe(forMerchants({
  title: "Ledger checkpoints",
  description: "Signed statements of where the merchant's ledger ended, and proofs against them."
})) {}
