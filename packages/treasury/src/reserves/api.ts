/** The routes of reserves: the operator holds, releases and keeps; the merchant sees them. */
import { forMerchants, forOperators, RequiredScope } from "@svc/accounts/access/api"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  ValidationError,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { pageFieldsOf, pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { reserveMachine } from "./machine.ts"
import { ForfeitReserveRequest, HoldReserveRequest, ReleaseReserveRequest, reserveFilters, ReserveJson } from "./model.ts"

const keyed = [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, ValidationError] as const
const endings = [...keyed, NotFound, InvalidState] as const

const ReserveList = PaginatedList(ReserveJson, "ReserveList")

export class ReservesGroup extends HttpApiGroup.make("reserves").add(
  HttpApiEndpoint.get("list", "/reserves", {
    query: { ...pageQueryOf("rsv"), ...reserveFilters },
    success: ReserveList
  }).annotate(RequiredScope, "reserves:read")
    .annotateMerge(described("List reserves", "Newest first, of one status or currency, or of all.")),
  HttpApiEndpoint.get("get", "/reserves/:id", { ...byId, success: ReserveJson, error: NotFound })
    .annotate(RequiredScope, "reserves:read")
    .annotateMerge(described("Retrieve a reserve", "What is held, why, and what became of it."))
).pipe(forMerchants({ title: "Reserves", description: "Money that the operator holds back against what may come, such as disputes." }))
  .annotate(Machine, reserveMachine)
{}

export class OperatorReservesGroup extends HttpApiGroup.make("operator_reserves").add(
  HttpApiEndpoint.get("list", "/operator/reserves", { query: { ...pageFieldsOf("rsv"), ...reserveFilters }, success: ReserveList })
    .annotateMerge(described("List reserves of all accounts", "Newest first, of one status or currency, or of all.")),
  HttpApiEndpoint.get("get", "/operator/reserves/:id", { ...byId, success: ReserveJson, error: NotFound })
    .annotateMerge(described("Retrieve a reserve of any account", "What is held of which account, why, and what became of it.")),
  HttpApiEndpoint.post("hold", "/reserves", {
    payload: HoldReserveRequest,
    success: [ReserveJson.pipe(HttpApiSchema.status(201)), ReserveJson],
    error: [...keyed, NotFound, InsufficientBalance]
  }).annotate(ReadsIdempotencyKey, true)
    .annotateMerge(
      described(
        "Hold a reserve",
        "Moves money of a merchant from available to reserved. More than is available is refused with `insufficient_balance`."
      )
    ),
  HttpApiEndpoint.post("release", "/reserves/:id/release", {
    ...byId,
    payload: ReleaseReserveRequest,
    success: ReserveJson,
    error: endings
  })
    .annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Release a reserve", "Makes all that is still held available again, or part of it.")),
  HttpApiEndpoint.post("forfeit", "/reserves/:id/forfeit", {
    ...byId,
    payload: ForfeitReserveRequest,
    success: ReserveJson,
    error: endings
  })
    .annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Forfeit a reserve", "Keeps all that is still held, or part of it, to make good what the merchant owes."))
).pipe(forOperators({ title: "Reserves (operator)", description: "For the operator of the installation, with an operator key." })) {}
