/** The routes of the audit log. */
import { NotFound } from "@svc/kernel/resource/errors"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { pathId } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { forMerchants, RequiredScope } from "../access/api.ts"
import { AuditAction, AuditEntry, AuditEntryId } from "./model.ts"

export class AuditLogGroup extends HttpApiGroup.make("audit_log").add(
  HttpApiEndpoint.get("list", "/audit_log", {
    query: {
      ...pageQueryOf("aud"),
      action: Schema.optionalKey(AuditAction),
      resource_id: Schema.optionalKey(Schema.String.annotate({ description: "Changes of this account, key or other resource." })),
      actor_id: Schema.optionalKey(
        Schema.String.annotate({ description: "Changes that were made with this key (`key_…`) or by this person (`usr_…`)." })
      ),
      "created_at[gte]": Schema.optionalKey(Timestamp),
      "created_at[lt]": Schema.optionalKey(Timestamp)
    },
    success: PaginatedList(AuditEntry, "AuditLog")
  })
    .annotate(RequiredScope, "audit_log:read")
    .annotateMerge(OpenApi.annotations({
      summary: "List the audit log",
      description:
        "Newest first: every change of the account, its people, keys, agent keys, webhook endpoint, legal entities, transfer instruments, reserves, plans, approvals and mismatches, and everything that a person changed, with who made it and what was before. " +
        "An entry is written with the change or not at all, and is never changed."
    })),
  HttpApiEndpoint.get("get", "/audit_log/:id", { params: { id: pathId("aud", AuditEntryId) }, success: AuditEntry, error: NotFound })
    .annotate(RequiredScope, "audit_log:read")
    .annotateMerge(OpenApi.annotations({ summary: "Retrieve an entry of the audit log", description: "One change, as it was written." }))
).pipe(forMerchants({ title: "Audit log", description: "Who changed what, and when." })) {}
