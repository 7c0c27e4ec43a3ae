/** The audit log in Postgres. Every method takes the account first. Nothing here writes. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { ulidFloor } from "@svc/kernel/values/ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AuditEntry, type AuditEntryId, type AuditFilter } from "./model.ts"

const decode = Schema.decodeUnknownSync(AuditEntry)

export class AuditLogRepository extends Context.Service<AuditLogRepository, {
  readonly find: (account: string, id: AuditEntryId) => Effect.Effect<AuditEntry | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: AuditFilter, page: PageRequest) => Effect.Effect<Page<AuditEntry>>
}>()("@svc/accounts/AuditLogRepository") {
  static readonly layer = Layer.effect(
    AuditLogRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fnUntraced(function*(account: string, id: AuditEntryId) {
        const [row] = yield* sql`SELECT * FROM audit_log WHERE account_id = ${account} AND id = ${id}`
        return row === undefined ? undefined : decode(row)
      }, Effect.orDie)

      const list = (account: string, { action, actor_id, resource_id, ...filter }: AuditFilter, page: PageRequest) => {
        const { "created_at[gte]": from, "created_at[lt]": before } = filter
        const where = [
          sql`account_id = ${account}`,
          ...(action === undefined ? [] : [sql`action = ${action}`]),
          ...(resource_id === undefined ? [] : [sql`resource_id = ${resource_id}`]),
          ...(actor_id === undefined ? [] : [sql`actor_id = ${actor_id}`]),
          // An id begins with its creation time, so a time range is a range of the index.
          ...(from === undefined ? [] : [sql`id >= ${ulidFloor("aud", from.epochMilliseconds)}`]),
          ...(before === undefined ? [] : [sql`id < ${ulidFloor("aud", before.epochMilliseconds)}`])
        ]
        return Effect.orDie(Effect.map(listPage(sql, { table: "audit_log", where }, page), (rows) => mapPage(rows, (row) => decode(row))))
      }

      return AuditLogRepository.of({ find, list })
    })
  )
}
