/** API keys in Postgres. A null account stands for the operator, whose keys belong to none. */
import { listPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { iso } from "@svc/kernel/values/time"
import type { DateTime } from "effect"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeyScope } from "../access/model.ts"
import type { AccountId } from "../accounts/model.ts"
import { FACTS_OF_A, StoredFacts } from "../accounts/repository.ts"
import type { ApiKeyId } from "./model.ts"
import { ApiKey, ApiKeyKind } from "./model.ts"

/** The channel on which every process hears of keys to look up anew. The payload is the hash of the key. */
export const CHANNEL = "svc_api_keys"

/** What authentication needs of a key and its account. `account` is null for the operator's keys. */
const Credential = Schema.Struct({
  id: Schema.String,
  hash: Schema.String,
  kind: ApiKeyKind,
  scopes: Schema.Array(ApiKeyScope),
  /** Whether the account has a clock of its own. */
  clocked: Schema.Boolean,
  account: Schema.NullOr(StoredFacts)
})
export type Credential = typeof Credential.Type

const decode = Schema.decodeUnknownEffect(ApiKey)
const decodeAll = Schema.decodeUnknownEffect(Schema.Array(ApiKey))
const decodeCredential = Schema.decodeUnknownEffect(Credential)
const encodeRow = Schema.encodeSync(ApiKey)

export class ApiKeyRepository extends Context.Service<ApiKeyRepository, {
  readonly insert: (account: AccountId | null, key: ApiKey) => Effect.Effect<void>
  readonly find: (account: AccountId | null, id: ApiKeyId) => Effect.Effect<ApiKey | undefined>
  /** Newest first. */
  readonly list: (account: AccountId | null, page: PageRequest) => Effect.Effect<Page<ApiKey>>
  /** Ends an active key and tells every process. Nothing when there is no active key of this id. */
  readonly revoke: (account: AccountId | null, id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<ApiKey | undefined>
  /** Tells every process that the account changed; returns the hashes of its keys, those of agents included. */
  readonly announce: (account: AccountId) => Effect.Effect<ReadonlyArray<string>>
  /** The active key with this hash. The one query that knows no account yet: it finds out which. */
  readonly authenticate: (hash: string) => Effect.Effect<Credential | undefined>
}>()("@svc/accounts/ApiKeyRepository") {
  static readonly layer = Layer.effect(
    ApiKeyRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const owned = (account: AccountId | null) => account === null ? sql`account_id IS NULL` : sql`account_id = ${account}`

      const insert = (_account: AccountId | null, key: ApiKey) =>
        sql`INSERT INTO api_keys SELECT r.* FROM jsonb_populate_record(NULL::api_keys, ${JSON.stringify(encodeRow(key))}::jsonb) r`
          .pipe(Effect.asVoid, Effect.orDie)

      const find = Effect.fnUntraced(function*(account: AccountId | null, id: ApiKeyId) {
        const [row] = yield* sql`SELECT * FROM api_keys WHERE ${owned(account)} AND id = ${id}`
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const list = Effect.fnUntraced(function*(account: AccountId | null, page: PageRequest) {
        const { data, ...rest } = yield* listPage(sql, { table: "api_keys", where: [owned(account)] }, page)
        return { ...rest, data: yield* decodeAll(data) }
      }, Effect.orDie)

      const revoke = Effect.fnUntraced(function*(account: AccountId | null, id: ApiKeyId, at: DateTime.Utc) {
        const [row] = yield* sql`
        WITH ended AS (
          UPDATE api_keys SET status = 'revoked', revoked_at = ${iso(at)}::timestamptz, updated_at = ${
          iso(at)
        }::timestamptz, version = version + 1
          WHERE ${owned(account)} AND id = ${id} AND status = 'active'
          RETURNING *)
        SELECT ended.*, pg_notify(${CHANNEL}, hash) FROM ended`
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const announce = (account: AccountId) =>
        sql<{ readonly hash: string }>`
        SELECT hash, pg_notify(${CHANNEL}, hash) FROM (
          SELECT hash FROM api_keys WHERE account_id = ${account} AND status = 'active'
          UNION ALL SELECT hash FROM agent_keys WHERE account_id = ${account} AND status = 'active') known`
          .pipe(Effect.map((rows) => rows.map((row) => row.hash)), Effect.orDie)

      const authenticate = Effect.fnUntraced(function*(hash: string) {
        const [row] = yield* sql`
        SELECT k.id, k.hash, k.kind, k.scopes, c.account_id IS NOT NULL AS clocked,
          CASE WHEN a.id IS NULL THEN NULL ELSE ${sql.literal(FACTS_OF_A)} END AS account
        FROM api_keys k LEFT JOIN accounts a ON a.id = k.account_id LEFT JOIN account_clocks c ON c.account_id = k.account_id
        WHERE k.hash = ${hash} AND k.status = 'active'`
        return row === undefined ? undefined : yield* decodeCredential(row)
      }, Effect.orDie)

      return ApiKeyRepository.of({ insert, find, list, revoke, announce, authenticate })
    })
  )
}
