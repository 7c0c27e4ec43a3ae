/** The ledger in Postgres, for reading: writing it is the commit road's alone. Every method takes the account first. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { sumRows } from "@svc/kernel/resource/sums"
import { ulidFloor } from "@svc/kernel/values/ids"
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Statement } from "effect/sql"
import { GENESIS_HASH } from "./chain.ts"
import { FinancialEvent, type FinancialEventSums, financialEventSums } from "./model.ts"
import type { LedgerEventType } from "./routes.ts"
import type { Buckets, ChainBreak, ChainHead, ChainRow } from "./verify.ts"

export interface FinancialEventFilter {
  readonly event_type?: LedgerEventType
  readonly currency?: string
  readonly resource_id?: string
  readonly "sequence_id[gte]"?: number
  readonly "sequence_id[lte]"?: number
  readonly "created_at[gte]"?: DateTime.Utc
  readonly "created_at[lt]"?: DateTime.Utc
}

/** What the chain's rows must agree with. */
export interface Books {
  readonly head: ChainHead
  readonly balances: ReadonlyMap<string, Buckets>
}

const decodeRow = Schema.decodeUnknownSync(Schema.toCodecJson(FinancialEvent))

/** A row as the API shows it: these columns, in this order. */
const SHOWN = Object.keys(FinancialEvent.json.fields).join(", ")
export interface ExportedRow extends ChainRow {
  readonly reconciliation_status: string
}

/** What the events of an account come to, added up by the database. */
export interface DerivedBooks {
  readonly head: { readonly ledger_seq: number; readonly ledger_hash: string }
  /** By currency. `updated_at` is the moment of the last event that moved anything. */
  readonly balances: ReadonlyMap<string, Buckets & { readonly updated_at: string }>
}

interface BooksRow extends Buckets {
  readonly currency: string
}

/** What checking reads of a row. */
const CHAIN_COLUMNS =
  "id, merchant_id, sequence_id, event_type, direction, amount, currency, delta_available, delta_pending, delta_reserved, " +
  "counter_account, counter_delta, idempotency_key, resource_type, resource_id, hash_version, previous_hash, event_hash, created_at"

export class FinancialEventRepository extends Context.Service<FinancialEventRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<FinancialEvent | undefined>
  /** Newest first. */
  readonly list: (account: string, filter: FinancialEventFilter, page: PageRequest) => Effect.Effect<Page<FinancialEvent>>
  /** Reads all that match. */
  readonly sums: (account: string, filter: FinancialEventFilter) => Effect.Effect<FinancialEventSums>
  /** Runs reads in one read-only transaction that sees one moment. */
  readonly snapshot: <A, E>(reads: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly books: (account: string) => Effect.Effect<Books>
  readonly derived: (account: string) => Effect.Effect<DerivedBooks>
  /** The account's head and balances as they are stored, with all that events decide of them. */
  readonly stored: (account: string) => Effect.Effect<DerivedBooks>
  /** `event_hash` of one event. */
  readonly hashAt: (account: string, sequence_id: number) => Effect.Effect<string | undefined>
  /** The rows behind `after` and up to `to`, oldest first, at most `limit`. */
  readonly chain: (account: string, after: number, to: number, limit: number) => Effect.Effect<ReadonlyArray<ChainRow>>
  /** The same as the API shows them. */
  readonly exported: (account: string, after: number, to: number, limit: number) => Effect.Effect<ReadonlyArray<ExportedRow>>
  /** Accounts behind this one in the order of their ids. The one method without an account: it finds them. */
  readonly accountsAfter: (account: string, limit: number) => Effect.Effect<ReadonlyArray<string>>
  /** Keeps what a verification found wrong; the moment is that of the first one that did. */
  readonly keepBreak: (account: string, found: ChainBreak, at: DateTime.Utc) => Effect.Effect<void>
  readonly forgetBreak: (account: string) => Effect.Effect<void>
}>()("@svc/ledger/FinancialEventRepository") {
  static readonly layer = Layer.effect(
    FinancialEventRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const conditions = (account: string, filter: FinancialEventFilter): Array<Statement.Fragment> => {
        const all: Array<Statement.Fragment> = [sql`merchant_id = ${account}`]
        const { "sequence_id[gte]": from, "sequence_id[lte]": to } = filter
        if (filter.event_type !== undefined) all.push(sql`event_type = ${filter.event_type}`)
        if (filter.currency !== undefined) all.push(sql`currency = ${filter.currency}`)
        if (filter.resource_id !== undefined) all.push(sql`resource_id = ${filter.resource_id}`)
        if (from !== undefined) all.push(sql`sequence_id >= ${from}`)
        if (to !== undefined) all.push(sql`sequence_id <= ${to}`)
        // An id begins with its creation time, so a time range is a range of the primary key.
        const { "created_at[gte]": since, "created_at[lt]": before } = filter
        if (since !== undefined) all.push(sql`id >= ${ulidFloor("fe", since.epochMilliseconds)}`)
        if (before !== undefined) all.push(sql`id < ${ulidFloor("fe", before.epochMilliseconds)}`)
        return all
      }

      const find = Effect.fnUntraced(function*(account: string, id: string) {
        const [row] = yield* Effect.orDie(sql`SELECT * FROM financial_events WHERE merchant_id = ${account} AND id = ${id}`)
        return row === undefined ? undefined : decodeRow(row)
      })

      // The chain is in the order of its numbers, a cursor is an id. An id that no event has stands between two that have theirs.
      const places = (account: string) => (id: string, side: "after" | "before") =>
        side === "after"
          ? sql`COALESCE((SELECT sequence_id FROM financial_events
            WHERE merchant_id = ${account} AND id >= ${id} ORDER BY id LIMIT 1), ${Number.MAX_SAFE_INTEGER})`
          : sql`COALESCE((SELECT sequence_id FROM financial_events
            WHERE merchant_id = ${account} AND id <= ${id} ORDER BY id DESC LIMIT 1), 0)`

      const list = (account: string, filter: FinancialEventFilter, page: PageRequest) => {
        const listing = { table: "financial_events", where: conditions(account, filter), key: "sequence_id", places: places(account) }
        return Effect.orDie(Effect.map(listPage(sql, listing, page), (rows) => mapPage(rows, decodeRow)))
      }

      const sums = (account: string, filter: FinancialEventFilter) =>
        Effect.orDie(sumRows(sql, { table: "financial_events", fields: financialEventSums, where: conditions(account, filter) }))

      const snapshot = <A, E>(reads: Effect.Effect<A, E>): Effect.Effect<A, E> =>
        sql.withTransaction(reads).pipe(
          Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
          Effect.catchTag("SqlError", Effect.die)
        )

      const books = Effect.fnUntraced(function*(account: string) {
        const [head] = yield* sql<{ readonly ledger_seq: number; readonly ledger_hash: string }>`
        SELECT ledger_seq, ledger_hash FROM account_heads WHERE account_id = ${account}`
        const balances = yield* sql<
          BooksRow
        >`SELECT currency, available, pending, reserved FROM balance_accounts WHERE account_id = ${account}`
        return {
          head: { sequence_id: head?.ledger_seq ?? 0, hash: head?.ledger_hash ?? GENESIS_HASH },
          balances: new Map(balances.map(({ currency, ...buckets }) => [currency, buckets]))
        }
      }, Effect.orDie)

      const byCurrency = (rows: ReadonlyArray<BooksRow & { readonly updated_at: string }>) =>
        new Map(rows.map(({ currency, ...rest }) => [currency, rest]))

      const derived = Effect.fnUntraced(function*(account: string) {
        const [head] = yield* sql<DerivedBooks["head"]>`
        SELECT sequence_id AS ledger_seq, event_hash AS ledger_hash FROM financial_events
          WHERE merchant_id = ${account} ORDER BY sequence_id DESC LIMIT 1`
        const balances = yield* sql<BooksRow & { readonly updated_at: string }>`
        SELECT currency, sum(delta_available)::bigint AS available, sum(delta_pending)::bigint AS pending,
          sum(delta_reserved)::bigint AS reserved,
          (array_agg(created_at ORDER BY sequence_id DESC))[1] AS updated_at
        FROM financial_events WHERE merchant_id = ${account} AND (delta_available, delta_pending, delta_reserved) <> (0, 0, 0)
          GROUP BY currency`
        return { head: head ?? { ledger_seq: 0, ledger_hash: GENESIS_HASH }, balances: byCurrency(balances) }
      }, Effect.orDie)

      const stored = Effect.fnUntraced(function*(account: string) {
        const [head] = yield* sql<DerivedBooks["head"]>`SELECT ledger_seq, ledger_hash FROM account_heads WHERE account_id = ${account}`
        const balances = yield* sql<
          BooksRow & { readonly updated_at: string }
        >`SELECT currency, available, pending, reserved, updated_at FROM balance_accounts WHERE account_id = ${account}`
        return { head: head ?? { ledger_seq: 0, ledger_hash: GENESIS_HASH }, balances: byCurrency(balances) }
      }, Effect.orDie)

      const hashAt = Effect.fnUntraced(function*(account: string, sequence_id: number) {
        const [row] = yield* Effect.orDie(sql<{ readonly event_hash: string }>`
        SELECT event_hash FROM financial_events WHERE merchant_id = ${account} AND sequence_id = ${sequence_id}`)
        return row?.event_hash
      })

      const chain = (account: string, after: number, to: number, limit: number) =>
        Effect.orDie(sql<ChainRow>`SELECT ${sql.literal(CHAIN_COLUMNS)} FROM financial_events
        WHERE merchant_id = ${account} AND sequence_id > ${after} AND sequence_id <= ${to} ORDER BY sequence_id LIMIT ${limit}`)

      const exported = (account: string, after: number, to: number, limit: number) =>
        Effect.orDie(sql<ExportedRow>`SELECT ${sql.literal(SHOWN)} FROM financial_events
        WHERE merchant_id = ${account} AND sequence_id > ${after} AND sequence_id <= ${to} ORDER BY sequence_id LIMIT ${limit}`)

      const accountsAfter = (account: string, limit: number) =>
        Effect.orDie(Effect.map(
          sql<
            { readonly account_id: string }
          >`SELECT account_id FROM account_heads WHERE account_id > ${account} ORDER BY account_id LIMIT ${limit}`,
          (rows) => rows.map((row) => row.account_id)
        ))

      const keepBreak = (account: string, { reason, sequence_id }: ChainBreak, at: DateTime.Utc) =>
        Effect.orDie(Effect.asVoid(sql`INSERT INTO ledger_breaks (merchant_id, sequence_id, reason, found_at)
          SELECT id, ${sequence_id}, ${reason}, ${iso(at)}::timestamptz FROM accounts WHERE id = ${account}
          ON CONFLICT (merchant_id) DO UPDATE SET sequence_id = excluded.sequence_id, reason = excluded.reason`))

      const forgetBreak = (account: string) => Effect.orDie(Effect.asVoid(sql`DELETE FROM ledger_breaks WHERE merchant_id = ${account}`))

      const read = { find, list, sums, snapshot, books, derived, stored, hashAt, chain, exported, accountsAfter }
      return FinancialEventRepository.of({ ...read, keepBreak, forgetBreak })
    })
  )
}
