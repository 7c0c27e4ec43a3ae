/** Accounts in Postgres. */
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { openHead } from "@svc/kernel/road/heads"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountFilter, AccountId } from "./model.ts"
import { Account } from "./model.ts"

const decode = Schema.decodeUnknownSync(Account)
const encodeRow = Schema.encodeSync(Account.update)

/** One currency in which an account holds money. Minor units. */
export interface OpenBalance {
  readonly currency: string
  readonly available: number
  readonly pending: number
  readonly reserved: number
}

export class AccountRepository extends Context.Service<AccountRepository, {
  readonly find: (account: AccountId) => Effect.Effect<Account | undefined>
  /** Those of every merchant, newest first: for the operator. */
  readonly list: (filter: AccountFilter, page: PageRequest) => Effect.Effect<Page<Account>>
  /** Writes the account and the head at which its commits will stand. Call it within a transaction. */
  readonly insert: (account: Account) => Effect.Effect<void>
  /** Writes version n over version n - 1. False when that is no longer the current version. */
  readonly replace: (account: Account) => Effect.Effect<boolean>
  /** The currencies whose balance is not zero. */
  readonly openBalances: (account: AccountId) => Effect.Effect<ReadonlyArray<OpenBalance>>
}>()("@svc/accounts/AccountRepository") {
  static readonly layer = Layer.effect(AccountRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    /** The account's own columns, and those that other tables determine. */
    const columns = sql`accounts.*,
      (SELECT e.url FROM webhook_endpoints e WHERE e.account_id = accounts.id) AS webhook_url,
      (SELECT k.prefix FROM api_keys k
       WHERE k.account_id = accounts.id AND k.kind = 'secret' AND k.status = 'active'
       ORDER BY k.id DESC LIMIT 1) AS api_key_prefix`

    const find = Effect.fnUntraced(function*(account: AccountId) {
      const [row] = yield* sql`SELECT ${columns} FROM accounts WHERE id = ${account}`
      return row === undefined ? undefined : decode(row)
    }, Effect.orDie)

    const list = Effect.fnUntraced(function*({ q, sandbox, status }: AccountFilter, page: PageRequest) {
      const where = [
        ...(status === undefined ? [] : [sql`status = ${status}`]),
        ...(sandbox === undefined ? [] : [sql`sandbox = ${sandbox}`]),
        ...(q === undefined ? [] : [sql`(id = ${q} OR name = ${q})`])
      ]
      return mapPage(yield* listPage(sql, { table: "accounts", columns, where }, page), decode)
    }, Effect.orDie)

    const insert = Effect.fnUntraced(function*(account: Account) {
      yield* sql`INSERT INTO accounts SELECT r.* FROM jsonb_populate_record(NULL::accounts, ${JSON.stringify(encodeRow(account))}::jsonb) r`
      yield* Effect.provideService(openHead(account.id), SqlClient.SqlClient, sql)
    }, Effect.orDie)

    const replace = Effect.fnUntraced(function*(account: Account) {
      const written = yield* sql`
        UPDATE accounts a SET name = r.name, status = r.status, capabilities = r.capabilities, restrictions = r.restrictions, api_version = r.api_version, fee_tier_bps = r.fee_tier_bps, payout_destination = r.payout_destination,
          payout_method = r.payout_method, settlement_asset = r.settlement_asset, settings = r.settings,
          updated_at = r.updated_at, version = r.version
        FROM jsonb_populate_record(NULL::accounts, ${JSON.stringify(encodeRow(account))}::jsonb) r
        WHERE a.id = r.id AND a.version = r.version - 1
        RETURNING a.id`
      return written.length === 1
    }, Effect.orDie)

    const openBalances = (account: AccountId) =>
      Effect.orDie(sql<OpenBalance>`
        SELECT currency, available, pending, reserved FROM balance_accounts
        WHERE account_id = ${account} AND (available <> 0 OR pending <> 0 OR reserved <> 0)
        ORDER BY currency`)

    return AccountRepository.of({ find, list, insert, replace, openBalances })
  }))
}
