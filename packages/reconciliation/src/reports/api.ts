/** The routes of reconciliation reports. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { NotFound } from "@svc/kernel/resource/errors"
import { pageFieldsOf, pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { ProviderUnavailable } from "@svc/payments/payment-intents/errors"
import { RailName } from "@svc/payments/rails/model"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { mismatchFilters } from "../mismatches/model.ts"
import { reportMachine } from "./machine.ts"
import { CreateReportRequest, ReportDetail, ReportJson, ReportStatus, uploadQuery } from "./model.ts"

/** The media type of a provider's file. */
export const FILE = "text/csv"

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class ReportsGroup extends HttpApiGroup.make("reconciliation_reports").add(
  HttpApiEndpoint.get("list", "/reconciliation/reports", {
    query: { ...pageQueryOf("rr"), source: Schema.optionalKey(RailName), status: Schema.optionalKey(ReportStatus) },
    success: PaginatedList(ReportJson, "ReconciliationReportList")
  }).annotate(RequiredScope, "reconciliation:read")
    .annotateMerge(described("List reconciliation reports", "Newest first, of one rail or of all.")),
  HttpApiEndpoint.get("get", "/reconciliation/reports/:id", {
    params: { id: Schema.String },
    query: { ...pageFieldsOf("rm"), ...mismatchFilters },
    success: ReportDetail,
    error: NotFound
  })
    .annotate(RequiredScope, "reconciliation:read")
    .annotateMerge(
      described(
        "Retrieve a report and its mismatches",
        "The counts are of all mismatches; the mismatches themselves come a page at a time, of one type or status, or all."
      )
    ),
  HttpApiEndpoint.post("create", "/reconciliation/reports", {
    query: uploadQuery,
    payload: [CreateReportRequest, HttpApiSchema.StreamUint8Array({ contentType: FILE, maxBytes: "256 MiB" })],
    success: ReportJson.pipe(HttpApiSchema.status(201)),
    error: [ProviderUnavailable]
  }).annotate(RequiredScope, "reconciliation:write").annotate(Does, "record")
    .annotateMerge(described(
      "Reconcile a rail",
      "Compares a statement with the ledger: that of the rail, when the body is JSON; that of a file, when the body is `text/csv` and `source`, `from` and `to` stand in the query. " +
        "The file's first line names its columns, in any order: `type`, `provider_reference`, `amount` in minor units, `currency`, `occurred_at`. A line that cannot be read is a 400 that names it and its column, and nothing is kept. " +
        "A report that takes long answers as `processing` and completes by itself."
    ))
).pipe(forMerchants({ title: "Reconciliation reports", description: "Whether the ledger and the statements of providers agree." }))
  .annotate(Machine, reportMachine)
{}
