/** Accounts in Postgres. */
import { KeyReader } from "@svc/kernel/database/client"
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { openHead } from "@svc/kernel/road/heads"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { AccountFilter, AccountId } from "./model.ts"
import { Account, AccountStatus } from "./model.ts"
import { AccountSettings } from "./settings.ts"

const decode = Schema.decodeUnknownSync(Account)
const encodeRow = Schema.encodeSync(Account)

/** What authentication reads of the account of a key. */
export const StoredFacts = Schema.Struct({
  id: Schema.String,
  sandbox: Schema.Boolean,
  status: AccountStatus,
  capabilities: Schema.Array(Schema.String),
  restrictions: Schema.Array(Schema.String),
  fee_tier_bps: Schema.NullOr(Schema.Int),
  settings: AccountSettings,
  api_version: Schema.String
})

/** The SQL that gives {@link StoredFacts} of the account's row `a`. */
export const FACTS_OF_A = `jsonb_build_object('id', a.id, 'sandbox', a.sandbox, 'status', a.status, 'capabilities', a.capabilities,
  'restrictions', a.restrictions, 'fee_tier_bps', a.fee_tier_bps, 'settings', a.settings, 'api_version', a.api_version)`

/** A column of the account that a table of a package above determines. */
export interface DerivedColumn {
  readonly column: "webhook_url"
  /** The column's value, in a query in which `accounts` is the row of the account. */
  readonly value: Statement.Fragment
}

/** What packages above know of an account's derived columns. A column that nobody contributes is null. */
export class DerivedColumns extends Context.Service<DerivedColumns, Contributions<DerivedColumn>>()("@svc/accounts/DerivedColumns") {
  static readonly layer = Layer.sync(DerivedColumns, () => contributions<DerivedColumn>())
}

export class AccountRepository extends Context.Service<AccountRepository, {
  readonly find: (account: AccountId) => Effect.Effect<Account | undefined>
  /** As it was last committed, read beside other reads by key: work in the background asks for thousands at one moment. */
  readonly committed: (account: AccountId) => Effect.Effect<Account | undefined>
  /** The accounts of every merchant, newest first: for the operator. */
  readonly list: (filter: AccountFilter, page: PageRequest) => Effect.Effect<Page<Account>>
  /** Writes the account and the head at which its commits will stand. Call it within a transaction. */
  readonly insert: (account: Account) => Effect.Effect<void>
  /** Writes version n over version n - 1. False when that is no longer the current version. */
  readonly replace: (account: Account) => Effect.Effect<boolean>
}>()("@svc/accounts/AccountRepository") {
  static readonly layer = Layer.effect(
    AccountRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* KeyReader
      const derived = yield* DerivedColumns
      const derivedColumn = (name: DerivedColumn["column"]) =>
        sql`${derived.all().find(({ column }) => column === name)?.value ?? sql`NULL::text`} AS ${sql(name)}`

      /** The account's own columns, and those that other tables determine. */
      const columns = () =>
        sql`accounts.*, ${derivedColumn("webhook_url")},
      (SELECT k.prefix FROM api_keys k
       WHERE k.account_id = accounts.id AND k.kind = 'secret' AND k.status = 'active'
       ORDER BY k.id DESC LIMIT 1) AS api_key_prefix`

      const findBy = (client: SqlClient.SqlClient) =>
        Effect.fnUntraced(function*(account: AccountId) {
          const [row] = yield* client`SELECT ${columns()} FROM accounts WHERE id = ${account}`
          return row === undefined ? undefined : decode(row)
        }, Effect.orDie)

      const list = Effect.fnUntraced(function*({ q, sandbox, status }: AccountFilter, page: PageRequest) {
        const where = [
          ...(status === undefined ? [] : [sql`status = ${status}`]),
          ...(sandbox === undefined ? [] : [sql`sandbox = ${sandbox}`]),
          ...(q === undefined ? [] : [sql`(id = ${q} OR name = ${q})`])
        ]
        return mapPage(yield* listPage(sql, { table: "accounts", columns: columns(), where }, page), decode)
      }, Effect.orDie)

      const insert = Effect.fnUntraced(function*(account: Account) {
        yield* sql`INSERT INTO accounts SELECT r.* FROM jsonb_populate_record(NULL::accounts, ${
          JSON.stringify(encodeRow(account))
        }::jsonb) r`
        yield* Effect.provideService(openHead(account.id), SqlClient.SqlClient, sql)
      }, Effect.orDie)

      const replace = Effect.fnUntraced(function*(account: Account) {
        const rows = yield* sql`
        UPDATE accounts a SET name = r.name, status = r.status, capabilities = r.capabilities, restrictions = r.restrictions,
          api_version = r.api_version, fee_tier_bps = r.fee_tier_bps,
          payout_destination = r.payout_destination, payout_method = r.payout_method, settlement_asset = r.settlement_asset, settings = r.settings,
          updated_at = r.updated_at, version = r.version
        FROM jsonb_populate_record(NULL::accounts, ${JSON.stringify(encodeRow(account))}::jsonb) r
        WHERE a.id = r.id AND a.version = r.version - 1
        RETURNING a.id`
        return rows.length === 1
      }, Effect.orDie)

      return AccountRepository.of({ find: findBy(sql), committed: findBy(reader), list, insert, replace })
    })
  )
}
