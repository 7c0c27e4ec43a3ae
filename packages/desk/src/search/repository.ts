/**
 * What a reading of a text finds, in Postgres. Every method takes the account first.
 *
 * No statement may be slow because Postgres plans it wrong for an account with millions of payments. So each part either is a range of an
 * index that ends in the id, which is also the order, or looks at the newest rows alone. Statements are planned with their values, not
 * prepared: a plan for any value is a plan for none of these. And they are planned as if sorting and reading whole tables were dear: right
 * after an import Postgres takes a large account for a small one, and would do so.
 */
import type { ApiKeyScope } from "@svc/accounts/access/model"
import { ulidFloor } from "@svc/kernel/values/ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { MOST_HITS, type Reading, SearchHit } from "./model.ts"
import { kindOf, type SearchKind, searchKinds } from "./model/kinds.ts"
import { capitalsOf, SEPARATORS } from "./model/names.ts"

/** Rows that are looked at where no index finds what is searched. */
const NEWEST = 10_000
/** Hits of what only belongs to what was named, such as payments of a customer. */
const RELATED = 5

/** Where merchants write their order's number in metadata. */
const ORDER_FIELDS = ["order", "order_id", "order_number", "order_reference", "reference"]

/** Hits of one kind. */
interface Part {
  readonly kind: SearchKind
  /** Scopes of all that it reads. */
  readonly reads: ReadonlyArray<ApiKeyScope>
  readonly rows: Statement.Fragment
}

type Find = (account: string, reading: Reading, mayRead: (scope: ApiKeyScope) => boolean) => Effect.Effect<ReadonlyArray<SearchHit>>

const decode = Schema.decodeUnknownSync(SearchHit)

const partsFor = (sql: SqlClient.SqlClient, account: string) => {
  const column = (name: string | undefined, type: string) => sql.literal(`(${name ?? "NULL"})::${type}`)

  const part = (kind: SearchKind, from: Statement.Fragment, reads: ReadonlyArray<ApiKeyScope> = []): Part => {
    const { amount, currency, reads: scope, state, title } = kindOf(kind)
    const columns = sql`id, ${column(title, "text")} AS title, ${column(amount, "bigint")} AS amount,
      ${column(currency, "text")} AS currency, ${column(state, "text")} AS state, created_at`
    return { kind, reads: [scope, ...reads], rows: sql`SELECT ${columns} ${from}` }
  }

  const within = (kind: SearchKind): Statement.Fragment => {
    const { account: owner, table } = kindOf(kind)
    return sql`${sql(table)} WHERE ${sql(owner)} = ${account}`
  }

  const newest = (limit: number): Statement.Fragment => sql`ORDER BY id DESC LIMIT ${limit}`

  /** By a column whose values are of one row each. */
  const unique = (kind: SearchKind, name: string, value: string): Part => part(kind, sql`FROM ${within(kind)} AND ${sql(name)} = ${value}`)

  /** By a condition that an index serves in the order of ids. */
  const indexed = (kind: SearchKind, condition: Statement.Fragment, limit = MOST_HITS): Part =>
    part(kind, sql`FROM ${within(kind)} AND ${condition} ${newest(limit)}`)

  const equal = (kind: SearchKind, name: string, value: string, limit?: number): Part => indexed(kind, sql`${sql(name)} = ${value}`, limit)

  /** By any condition. */
  const amongNewest = (kind: SearchKind, condition: Statement.Fragment, reads?: ReadonlyArray<ApiKeyScope>): Part =>
    part(kind, sql`FROM (SELECT * FROM ${within(kind)} ${newest(NEWEST)}) newest WHERE ${condition} ${newest(MOST_HITS)}`, reads)

  return { amongNewest, equal, indexed, newest, part, unique, within }
}

type Parts = ReturnType<typeof partsFor>

const ofCustomer: ReadonlyArray<SearchKind> = ["payment_intent", "subscription", "invoice", "order", "checkout_session", "payment_method"]

const byCustomer = ({ equal, unique }: Parts, reference: string): ReadonlyArray<Part> => [
  unique("customer", "customer_id", reference),
  ...ofCustomer.map((kind) => equal(kind, "customer_id", reference, kind === "payment_intent" ? MOST_HITS : RELATED))
]

/** Customers with the address in capital or small letters, what is theirs, and checkouts of people who are no customers yet. */
const byEmail = (sql: SqlClient.SqlClient, { amongNewest, indexed, newest, part, within }: Parts, email: string): ReadonlyArray<Part> => {
  const { reads } = kindOf("customer")
  const customers = sql`(SELECT customer_id AS reference FROM ${within("customer")} AND lower(email) = lower(${email}) ${newest(RELATED)})`
  return [
    indexed("customer", sql`lower(email) = lower(${email})`),
    ...ofCustomer.map((kind) =>
      part(
        kind,
        sql`FROM ${customers} customers CROSS JOIN LATERAL
          (SELECT * FROM ${within(kind)} AND customer_id = reference ${newest(RELATED)}) theirs ${newest(RELATED)}`,
        [reads]
      )
    ),
    amongNewest("checkout_session", sql`lower(customer_email) = lower(${email})`)
  ]
}

const byOrder = (sql: SqlClient.SqlClient, { amongNewest, indexed, newest, within }: Parts, text: string): ReadonlyArray<Part> => {
  // One condition for all fields, so that the index is read once.
  const path = ORDER_FIELDS.map((name) => `$.${name} == ${JSON.stringify(text)}`).join(" || ")
  const hasOrder = sql`metadata @@ ${path}::jsonpath`
  // Planned as if all were to be found, and neither ordered nor limited: for the sake of these a plan would look through all payments.
  const payments = sql`(WITH found AS MATERIALIZED (SELECT id FROM ${within("payment_intent")} AND ${hasOrder} AND metadata <> '{}'::jsonb),
    few AS MATERIALIZED (SELECT id FROM found LIMIT ${NEWEST}) SELECT id FROM few ${newest(MOST_HITS)})`
  return [
    indexed("payment_intent", sql`id = ANY(ARRAY${payments})`),
    amongNewest("order", sql`(${hasOrder} OR tracking->>'number' = ${text})`),
    amongNewest("checkout_session", hasOrder)
  ]
}

/** A name has each word at the beginning of one of its own. Compared, never a pattern. */
const byName = (sql: SqlClient.SqlClient, { amongNewest }: Parts, words: ReadonlyArray<string>): ReadonlyArray<Part> =>
  searchKinds.flatMap((kind) => {
    const { name } = kindOf(kind)
    if (name === undefined) return []
    const spaced = sql`(' ' || translate(${sql(name)}, ${SEPARATORS}, ${" ".repeat(SEPARATORS.length)}))`
    const begins = (word: string) =>
      sql.or([
        sql`strpos(lower(${spaced}), ${` ${word}`}) > 0`,
        ...capitalsOf(word).map((one) => sql`strpos(${spaced}, ${` ${one}`}) > 0`)
      ])
    return [amongNewest(kind, sql.and(words.map(begins)))]
  })

const byLastFour = (sql: SqlClient.SqlClient, { amongNewest, equal, newest, within }: Parts, digits: string): ReadonlyArray<Part> => {
  const methods = sql`(SELECT id FROM ${within("payment_method")} AND last4 = ${digits} ${newest(NEWEST)})`
  // With `IS TRUE` it is no join: each payment is looked up in a hash of the methods.
  return [
    equal("payment_method", "last4", digits),
    amongNewest("payment_intent", sql`(payment_method_id IN ${methods}) IS TRUE`, [kindOf("payment_method").reads]),
    amongNewest("transfer_instrument", sql`last4 = ${digits}`),
    // Accounts of a linked bank that are no destinations yet. Their numbers are sealed, these digits are not.
    amongNewest("bank_link", sql`accounts @> ${JSON.stringify([{ last_four: digits }])}::jsonb`),
    amongNewest("gift_card", sql`last4 = ${digits}`)
  ]
}

const withAmounts: ReadonlyArray<SearchKind> = ["payout", "dispute", "invoice", "order"]

const byAmount = (
  sql: SqlClient.SqlClient,
  { amongNewest, newest, part, within }: Parts,
  { amounts }: Extract<Reading, { readonly by: "amount" }>
) => [
  ...amounts.map(({ amount, currencies }) =>
    part(
      "payment_intent",
      sql`FROM (SELECT * FROM ${within("payment_intent")} AND amount = ${amount} ${newest(NEWEST)}) newest
        WHERE currency = ANY(${currencies}::text[]) ${newest(MOST_HITS)}`
    )
  ),
  ...withAmounts.map((kind) =>
    amongNewest(
      kind,
      sql.or(amounts.map(({ amount, currencies }) =>
        sql`(${sql(kindOf(kind).amount ?? "amount")} = ${amount} AND currency = ANY(${currencies}::text[]))`
      ))
    )
  )
]

const withDays: ReadonlyArray<SearchKind> = ["payment_intent", "payout", "dispute", "invoice", "order", "subscription"]

/** An id begins with the time at which it was made. */
const byDate = (sql: SqlClient.SqlClient, { indexed }: Parts, { times }: Extract<Reading, { readonly by: "date" }>) =>
  withDays.flatMap((kind) =>
    times.map(({ from, to }) => {
      const { prefix } = kindOf(kind)
      const range = sql`id >= ${ulidFloor(prefix, from)} AND id < ${ulidFloor(prefix, to)}`
      return indexed(kind, range, kind === "payment_intent" ? MOST_HITS : RELATED)
    })
  )

const partsOf = (sql: SqlClient.SqlClient, account: string, reading: Reading): ReadonlyArray<Part> => {
  const parts = partsFor(sql, account)
  switch (reading.by) {
    case "id":
      return [parts.unique(reading.kind, "id", reading.id)]
    case "id_beginning":
      return [parts.indexed(reading.ids.kind, sql`id BETWEEN ${reading.ids.from} AND ${reading.ids.to}`)]
    case "invoice_number":
      return reading.texts.map((number) => parts.unique("invoice", "number", number))
    case "email":
      return byEmail(sql, parts, reading.text)
    case "customer_reference":
      return byCustomer(parts, reading.text)
    case "provider_reference":
      return [
        parts.equal("payment_intent", "provider_reference", reading.text),
        parts.unique("dispute", "network_reference", reading.text)
      ]
    case "order_reference":
      return byOrder(sql, parts, reading.text)
    case "name":
      return byName(sql, parts, reading.words)
    case "last_four":
      return byLastFour(sql, parts, reading.digits)
    case "date":
      return byDate(sql, parts, reading)
    case "amount":
      return byAmount(sql, parts, reading)
  }
}

export class SearchRepository extends Context.Service<SearchRepository, {
  /** What the reading finds of the kinds that may be read: what it names first, the newest of each kind first. */
  readonly find: Find
}>()("@svc/desk/SearchRepository") {
  static readonly layer = Layer.effect(
    SearchRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      SearchRepository.of({
        find: Effect.fnUntraced(function*(account, reading, mayRead) {
          const parts = partsOf(sql, account, reading).filter(({ reads }) => reads.every(mayRead))
          if (parts.length === 0) return []
          const queries = parts.map(({ rows }, n) => sql`(SELECT ${n}::int AS part, hits.* FROM (${rows}) hits)`)
          const found = yield* sql.withTransaction(Effect.andThen(
            sql`SELECT set_config('enable_sort', 'off', true), set_config('enable_seqscan', 'off', true)`,
            sql<{ readonly part: number; readonly id: string }>`${sql.join(" UNION ALL ", false)(queries)}`.unprepared
          ))
          return found.toSorted((one, other) => one.part - other.part).flatMap(({ id, part, ...row }) => {
            const kind = parts[part]?.kind
            return kind === undefined
              ? []
              : [decode({ matched: reading.by, kind, id, ...row, path: `/desk/${kindOf(kind).view}/${encodeURIComponent(id)}` })]
          })
        }, Effect.orDie)
      }))
  )
}
