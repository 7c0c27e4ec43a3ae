/** Agent keys in Postgres. Every method but `authenticate` takes the account first. */
import { arraysOf, rowsFrom } from "@svc/kernel/database/rows"
import { listPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { iso, Timestamp } from "@svc/kernel/values/time"
import type { DateTime } from "effect"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { FACTS_OF_A, StoredFacts } from "../accounts/repository.ts"
import { CHANNEL } from "../api-keys/repository.ts"
import type { UsedKey } from "./model.ts"
import { AgentKeyId, agentKeys, AgentPolicy, unused } from "./model.ts"

/** A key of a chain, as authentication needs it. */
const Link = Schema.Struct({ id: AgentKeyId, policy: AgentPolicy, expires_at: Schema.NullOr(Timestamp) })

/** What authentication needs of an active key, of those it was cut from, and of the account. */
const AgentCredential = Schema.Struct({
  hash: Schema.String,
  /** From the key itself to the one that the account issued; all of them active. */
  chain: Schema.NonEmptyArray(Link),
  /** Whether the account has a clock of its own. */
  clocked: Schema.Boolean,
  account: StoredFacts
})
export type AgentCredential = typeof AgentCredential.Type

const decodeCredential = Schema.decodeUnknownEffect(AgentCredential)
const decodeUses = Schema.decodeUnknownEffect(
  Schema.Struct({ calls: Schema.NullOr(Schema.Natural), last_used_at: Schema.NullOr(Timestamp) })
)

/** Calls that were made with a key since they were last written down. */
export interface NewUses {
  readonly account_id: string
  readonly agent_key_id: string
  readonly calls: number
  readonly last_used_at: DateTime.Utc
}

const useColumns = { account_id: "text", agent_key_id: "text", calls: "int8", last_used_at: "timestamptz" } as const

const withUses = Effect.fnUntraced(function*(row: unknown) {
  const { calls, last_used_at } = yield* decodeUses(row)
  return { key: agentKeys.decode(row), uses: calls === null ? unused : { calls, last_used_at } } satisfies UsedKey
})

export class AgentKeyRepository extends Context.Service<AgentKeyRepository, {
  readonly find: (account: string, id: AgentKeyId) => Effect.Effect<UsedKey | undefined>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<UsedKey>>
  /** The active keys below this one, at every level. */
  readonly below: (account: string, id: AgentKeyId) => Effect.Effect<ReadonlyArray<UsedKey>>
  /** How many active keys were cut from this one itself. */
  readonly countCuts: (account: string, id: AgentKeyId) => Effect.Effect<number>
  /** Tells every process to look these keys up anew. */
  readonly announce: (account: string, hashes: ReadonlyArray<string>) => Effect.Effect<void>
  /** Adds to what was done with keys. Fails when the database does not take it, and then none of it was added. */
  readonly addUses: (uses: ReadonlyArray<NewUses>) => Effect.Effect<void, unknown>
  /**
   * The active key with this hash, if all that it was cut from are active. Expiry is not asked here: whoever asks knows what time it is.
   */
  readonly authenticate: (hash: string) => Effect.Effect<AgentCredential | undefined>
}>()("@svc/accounts/AgentKeyRepository") {
  static readonly layer = Layer.effect(
    AgentKeyRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const used = (column: string) =>
        sql`(SELECT ${
          sql(column)
        } FROM agent_key_uses u WHERE u.account_id = agent_keys.account_id AND u.agent_key_id = agent_keys.id) AS ${sql(column)}`
      const columns = sql`*, ${used("calls")}, ${used("last_used_at")}`

      const find = Effect.fnUntraced(function*(account: string, id: AgentKeyId) {
        const [row] = yield* sql`SELECT ${columns} FROM agent_keys WHERE account_id = ${account} AND id = ${id}`
        return row === undefined ? undefined : yield* withUses(row)
      }, Effect.orDie)

      const list = Effect.fnUntraced(function*(account: string, page: PageRequest) {
        const { data, ...rest } = yield* listPage(sql, { table: "agent_keys", columns, where: [sql`account_id = ${account}`] }, page)
        return { ...rest, data: yield* Effect.forEach(data, withUses) }
      }, Effect.orDie)

      const below = Effect.fnUntraced(function*(account: string, id: AgentKeyId) {
        const rows = yield* sql`
        WITH RECURSIVE cut AS (
          SELECT id FROM agent_keys WHERE account_id = ${account} AND parent_id = ${id} AND status = 'active'
          UNION ALL
          SELECT k.id FROM cut JOIN agent_keys k ON k.account_id = ${account} AND k.parent_id = cut.id AND k.status = 'active')
        SELECT ${columns} FROM agent_keys WHERE account_id = ${account} AND id IN (SELECT id FROM cut) ORDER BY id`
        return yield* Effect.forEach(rows, withUses)
      }, Effect.orDie)

      const countCuts = (account: string, id: AgentKeyId) =>
        sql<
          { readonly n: number }
        >`SELECT count(*) AS n FROM agent_keys WHERE account_id = ${account} AND parent_id = ${id} AND status = 'active'`
          .pipe(Effect.map(([row]) => row?.n ?? 0), Effect.orDie)

      const announce = (_account: string, hashes: ReadonlyArray<string>) =>
        sql`SELECT pg_notify(${CHANNEL}, hash) FROM jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb) hash`.pipe(
          Effect.asVoid,
          Effect.orDie
        )

      // In the order of the keys, so that two processes that write at once wait for each other and not in a circle.
      const addUses = (uses: ReadonlyArray<NewUses>) => {
        const rows = uses.map((one) => ({ ...one, last_used_at: iso(one.last_used_at) }))
        return Effect.asVoid(sql.unsafe(
          `INSERT INTO agent_key_uses AS u (account_id, agent_key_id, calls, last_used_at)
         SELECT r.account_id, r.agent_key_id, r.calls, r.last_used_at FROM ${
            rowsFrom(useColumns, 1)
          } r ORDER BY r.account_id, r.agent_key_id
         ON CONFLICT (account_id, agent_key_id) DO UPDATE
         SET calls = u.calls + excluded.calls, last_used_at = GREATEST(u.last_used_at, excluded.last_used_at)`,
          [...arraysOf(useColumns, rows)]
        ))
      }

      const authenticate = Effect.fnUntraced(function*(hash: string) {
        const [row] = yield* sql`
        WITH RECURSIVE chain AS (
          SELECT account_id, id, parent_id, status, policy, expires_at, 1 AS level FROM agent_keys WHERE hash = ${hash}
          UNION ALL
          SELECT k.account_id, k.id, k.parent_id, k.status, k.policy, k.expires_at, chain.level + 1
          FROM chain JOIN agent_keys k ON k.account_id = chain.account_id AND k.id = chain.parent_id)
        SELECT ${hash} AS hash, links.chain, c.account_id IS NOT NULL AS clocked,
          ${sql.literal(FACTS_OF_A)} AS account
        FROM (
          SELECT account_id, jsonb_agg(jsonb_build_object('id', id, 'policy', policy,
            'expires_at', to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) ORDER BY level) AS chain
          FROM chain GROUP BY account_id HAVING bool_and(status = 'active')) links
        JOIN accounts a ON a.id = links.account_id LEFT JOIN account_clocks c ON c.account_id = links.account_id`
        return row === undefined ? undefined : yield* decodeCredential(row)
      }, Effect.orDie)

      return AgentKeyRepository.of({ find, list, below, countCuts, announce, addUses, authenticate })
    })
  )
}
