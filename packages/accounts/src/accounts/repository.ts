/** Accounts in Postgres. */
import { openHead } from "@svc/kernel/road/heads"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { AccountId } from "./model.ts"
import { Account } from "./model.ts"

const decode = Schema.decodeUnknownEffect(Account)
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
  /** Writes the account and the head at which its commits will stand. Call it within a transaction. */
  readonly insert: (account: Account) => Effect.Effect<void>
  /** Writes version n over version n - 1. False when that is no longer the current version. */
  readonly replace: (account: Account) => Effect.Effect<boolean>
  /** The currencies whose balance is not zero. */
  readonly openBalances: (account: AccountId) => Effect.Effect<ReadonlyArray<OpenBalance>>
}>()("@svc/accounts/AccountRepository") {
  static readonly layer = Layer.effect(AccountRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(account: AccountId) {
      const [row] = yield* sql`
        SELECT a.*, e.url AS webhook_url,
          (SELECT k.prefix FROM api_keys k
           WHERE k.account_id = a.id AND k.kind = 'secret' AND k.status = 'active'
           ORDER BY k.id DESC LIMIT 1) AS api_key_prefix
        FROM accounts a LEFT JOIN webhook_endpoints e ON e.account_id = a.id
        WHERE a.id = ${account}`
      return row === undefined ? undefined : yield* decode(row)
    }, Effect.orDie)

    const insert = Effect.fnUntraced(function*(account: Account) {
      yield* sql`INSERT INTO accounts SELECT r.* FROM jsonb_populate_record(NULL::accounts, ${JSON.stringify(encodeRow(account))}::jsonb) r`
      yield* Effect.provideService(openHead(account.id), SqlClient.SqlClient, sql)
    }, Effect.orDie)

    const replace = Effect.fnUntraced(function*(account: Account) {
      const written = yield* sql`
        UPDATE accounts a SET name = r.name, status = r.status, fee_tier_bps = r.fee_tier_bps, payout_destination = r.payout_destination,
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

    return AccountRepository.of({ find, insert, replace, openBalances })
  }))
}
