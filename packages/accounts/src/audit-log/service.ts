/** Reads the audit log of an account. */
import { type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { mapPage } from "@svc/kernel/resource/listing"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer } from "effect"
import type { AuditEntry, AuditEntryId, AuditFilter } from "./model.ts"
import { AuditLogRepository } from "./repository.ts"
import { differing } from "./rules.ts"

const shown = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  before: differing(entry.before, entry.after),
  after: differing(entry.after, entry.before)
})

export class AuditLog extends Context.Service<AuditLog, {
  readonly get: (account: string, id: AuditEntryId) => Effect.Effect<AuditEntry, NotFound>
  /** Newest first. */
  readonly list: (account: string, filter: AuditFilter, page: PageRequest) => Effect.Effect<Page<AuditEntry>, ValidationError>
}>()("@svc/accounts/AuditLog") {
  static readonly layer = Layer.effect(
    AuditLog,
    Effect.map(AuditLogRepository, (repository) => ({
      get: Effect.fn("AuditLog.get")(function*(account: string, id: AuditEntryId) {
        return shown((yield* repository.find(account, id)) ?? (yield* notFound("audit log entry")))
      }),
      list: Effect.fn("AuditLog.list")(function*(account: string, filter: AuditFilter, page: PageRequest) {
        return mapPage(yield* repository.list(account, filter, yield* Effect.fromResult(checkPage(page))), shown)
      })
    }))
  )
}
