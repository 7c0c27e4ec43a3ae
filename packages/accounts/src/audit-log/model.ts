/**
 * Entries of the audit log: who changed what of an account, its keys and settings, and whatever a person changed. The database writes them:
 * `kernel/src/database/audit.ts`.
 */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const AuditEntryId = idSchema("aud", "AuditEntryId")
export type AuditEntryId = typeof AuditEntryId.Type

export const AuditAction = Schema.String.check(
  Schema.isPattern(/^[a-z_]{1,60}\.(?:created|updated|deleted)$/u, { message: "must be an action such as account.updated" })
).annotate({
  identifier: "AuditAction",
  description: "What was changed, and whether it was created, updated or deleted",
  examples: ["account.updated"]
})

/** The fields that changed, by name. */
const Values = Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))

export const AuditEntry = Schema.Struct({
  id: AuditEntryId,
  account_id: Schema.String,
  action: AuditAction,
  resource_type: Schema.String,
  resource_id: Schema.String,
  actor_type: Schema.String.annotate({
    description:
      "`person` for somebody who is signed in; `api_key`, `tool_key`, `agent_key`, `operator_key`; `command_line` for whoever runs `svc`, `system` for what fell due, `database` for whoever changed a row there by hand"
  }),
  actor_id: Schema.NullOr(Schema.String).annotate({
    description: "The person's id or the key's; the user of the operating system or the database where it was no key"
  }),
  operation: Schema.NullOr(Schema.String).annotate({ description: "The method and path of the route, or what fell due" }),
  request_id: Schema.NullOr(Schema.String),
  ip: Schema.NullOr(Schema.String).annotate({ description: "Where the request came from, as far as that is known" }),
  before: Values.annotate({ description: "What the fields that changed held before; null when it was created. A secret is `hidden`" }),
  after: Values.annotate({ description: "What they hold now; null when it was deleted. A secret is `hidden`" }),
  created_at: Timestamp.annotate({ description: "When it happened, by the world's time, also in accounts that have a clock of their own" })
}).annotate({
  identifier: "AuditEntry",
  description: "One change of an account, a key, a setting, or whatever a person changed. Entries are never changed or removed."
})
  .pipe(Schema.annotateEncoded({
    examples: [{
      id: exampleId("aud"),
      account_id: exampleId("acct"),
      action: "account.updated",
      resource_type: "account",
      resource_id: exampleId("acct"),
      actor_type: "operator_key",
      actor_id: exampleId("key"),
      operation: "POST /v1/accounts/:id/suspend",
      request_id: exampleId("req"),
      ip: "203.0.113.7",
      before: { status: "active" },
      after: { status: "suspended" },
      created_at: EXAMPLE_TIME
    }]
  }))
export type AuditEntry = typeof AuditEntry.Type

/** What a list may be narrowed to; the names are those of the query. */
export interface AuditFilter {
  readonly action?: string
  readonly resource_id?: string
  readonly actor_id?: string
  readonly "created_at[gte]"?: Timestamp
  readonly "created_at[lt]"?: Timestamp
}
