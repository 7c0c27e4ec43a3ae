/** What needs a person, in Postgres: one query over what each package contributes. */
import { contribute, type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { ApiKeyScope } from "../access/model.ts"
import { AttentionItem, MOST_ITEMS } from "./model.ts"

/** One kind of thing that needs a person. */
export interface AttentionSource {
  readonly kind: string
  readonly resource_type: string
  /** Who may hear of it. */
  readonly reads: ApiKeyScope
  /** Who can see to it. */
  readonly acts: ApiKeyScope
  /** The page in the desk on which that is done. */
  readonly deskPath: (resource_id: string) => string
  /**
   * A query with the columns `resource_id`, `since`, `due_at` and `count`. It is asked whenever somebody looks, so an index leads it, and
   * it looks at no more than `MOST_COUNTED` rows.
   */
  readonly open: (account: string, at: string) => Statement.Fragment
}

/** The kinds that there are. Packages above contribute theirs. */
export class AttentionSources
  extends Context.Service<AttentionSources, Contributions<AttentionSource>>()("@svc/accounts/AttentionSources")
{
  static readonly layer = Layer.sync(AttentionSources, () => contributions<AttentionSource>())
}

/** Contributes a kind. */
export const attentionFrom = (source: (sql: SqlClient.SqlClient) => AttentionSource) =>
  contribute(AttentionSources, Effect.map(SqlClient.SqlClient, (sql) => [source(sql)]))

const decode = Schema.decodeUnknownSync(AttentionItem)

export class AttentionRepository extends Context.Service<AttentionRepository, {
  /** What needs a person, of the kinds that `wanted` lets pass: what is due first, then the oldest first. */
  readonly open: (
    account: string,
    at: DateTime.Utc,
    wanted?: (source: AttentionSource) => boolean
  ) => Effect.Effect<ReadonlyArray<AttentionItem>>
}>()("@svc/accounts/AttentionRepository") {
  static readonly layer = Layer.effect(
    AttentionRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const sources = yield* AttentionSources
      return AttentionRepository.of({
        open: Effect.fnUntraced(function*(account: string, at: DateTime.Utc, wanted = () => true) {
          const asked = sources.all().filter(wanted)
          if (asked.length === 0) return []
          const queries = asked.map(({ kind, open }) =>
            sql`(SELECT ${kind}::text AS kind, resource_id, since, due_at, count FROM (${open(account, iso(at))}) q
              ORDER BY due_at NULLS LAST, since LIMIT ${MOST_ITEMS})`
          )
          const rows = yield* sql<{ readonly kind: string; readonly resource_id: string }>`
            SELECT * FROM (${sql.join(" UNION ALL ", false)(queries)}) items ORDER BY due_at NULLS LAST, since, resource_id`
          return rows.flatMap((row) => {
            const source = asked.find(({ kind }) => kind === row.kind)
            if (source === undefined) return []
            const { acts, deskPath, resource_type } = source
            return [decode({ ...row, resource_type, acts_with: acts, desk_path: deskPath(row.resource_id) })]
          })
        }, Effect.orDie)
      })
    })
  )
}
