/** The routes of mismatches. They are listed with the report that found them. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import {
  Forbidden,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { Machine } from "@svc/kernel/resource/state-machine"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { mismatchMachine } from "./machine.ts"
import { MismatchJson, ResolveMismatchRequest } from "./model.ts"

export class MismatchesGroup extends HttpApiGroup.make("reconciliation_mismatches").add(
  HttpApiEndpoint.post("resolve", "/reconciliation/mismatches/:id/resolve", {
    params: { id: Schema.String },
    payload: ResolveMismatchRequest,
    success: MismatchJson,
    error: [NotFound, InvalidState, VersionConflict, IdempotencyKeyReused, IdempotencyInProgress, Forbidden]
  }).annotate(RequiredScope, "reconciliation:write").annotate(Does, "record").annotate(ReadsIdempotencyKey, true)
    .annotateMerge(OpenApi.annotations({
      summary: "Resolve a mismatch",
      description:
        "Says who is right. The same resolution again answers with the mismatch as it is; another one is 409. No entry of the ledger is changed: " +
        "where money has to move, correcting entries with `resource_type` `reconciliation_mismatch` are posted. In a live account those that add to its balance, and `write_off`, are the operator's to make."
    }))
).pipe(
  forMerchants({
    title: "Reconciliation mismatches",
    description: "What a provider's statement and the ledger say differently, and what was decided about it."
  })
)
  .annotate(Machine, mismatchMachine)
{}
