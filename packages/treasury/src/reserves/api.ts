/** The routes of reserves: the operator holds, releases and keeps; the merchant sees them. */
import { forMerchants, forOperators, RequiredScope } from "@svc/accounts/access/api"
import { Currency } from "@svc/kernel/currency"
import { IdempotencyInProgress, IdempotencyKeyReused, InvalidState, NotFound, ValidationError, VersionConflict } from "@svc/kernel/errors"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { PaginatedList, pageQueryOf } from "@svc/kernel/pages"
import { Machine } from "@svc/kernel/state-machine"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { reserveMachine } from "./machine.ts"
import { ForfeitReserveRequest, HoldReserveRequest, ReleaseReserveRequest, ReserveJson, ReserveStatus } from "./model.ts"

const id = { params: { id: Schema.String } }

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const keyed = [IdempotencyKeyReused, IdempotencyInProgress, VersionConflict, ValidationError] as const
const endings = [...keyed, NotFound, InvalidState] as const

export class ReservesGroup extends HttpApiGroup.make("reserves").add(
  HttpApiEndpoint.get("list", "/reserves", {
    query: { ...pageQueryOf("rsv"), status: Schema.optionalKey(ReserveStatus), currency: Schema.optionalKey(Currency) },
    success: PaginatedList(ReserveJson, "ReserveList")
  }).annotate(RequiredScope, "reserves:read")
    .annotateMerge(described("List reserves", "Newest first, of one status or currency, or of all.")),
  HttpApiEndpoint.get("get", "/reserves/:id", { ...id, success: ReserveJson, error: NotFound })
    .annotate(RequiredScope, "reserves:read")
    .annotateMerge(described("Retrieve a reserve", "What is held, why, and what became of it."))
).pipe(forMerchants({ title: "Reserves", description: "Money that the operator holds back against what may come, such as disputes." }))
  .annotate(Machine, reserveMachine) {}

export class OperatorReservesGroup extends HttpApiGroup.make("operator_reserves").add(
  HttpApiEndpoint.post("hold", "/reserves", {
    payload: HoldReserveRequest,
    success: [ReserveJson.pipe(HttpApiSchema.status(201)), ReserveJson],
    error: [...keyed, NotFound, InsufficientBalance]
  }).annotate(ReadsIdempotencyKey, true)
    .annotateMerge(described("Hold a reserve", "Moves money of a merchant from available to reserved. More than is available is refused with `insufficient_balance`.")),
  HttpApiEndpoint.post("release", "/reserves/:id/release", { ...id, payload: ReleaseReserveRequest, success: ReserveJson, error: endings })
    .annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Release a reserve", "Makes all that is still held available again, or part of it.")),
  HttpApiEndpoint.post("forfeit", "/reserves/:id/forfeit", { ...id, payload: ForfeitReserveRequest, success: ReserveJson, error: endings })
    .annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described("Forfeit a reserve", "Keeps all that is still held, or part of it, to make good what the merchant owes."))
).pipe(forOperators({ title: "Reserves (operator)", description: "For the operator of the installation, with an operator key." })) {}
