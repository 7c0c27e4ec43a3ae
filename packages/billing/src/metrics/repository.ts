/**
 * What metrics are made of, in Postgres: the movements of subscriptions, and the ledger, which is only read. Every method takes the account
 * first.
 */
import { type Listing, listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { ulidFloor } from "@svc/kernel/values/ids"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import {
  type CurrencySums,
  decodeRow,
  isOfLedger,
  type LedgerFigure,
  type MetricName,
  type MetricPeriod,
  type MetricRow,
  movements,
  zeroSums
} from "./model.ts"

/** Against which accounts of the platform the ledger's figures stand. */
const COUNTERS: Readonly<Record<LedgerFigure, string>> = {
  volume: "counter_account = 'P.rail_clearing' AND event_type = 'payment_captured'",
  refunds: "counter_account = 'P.rail_clearing' AND event_type <> 'payment_captured'",
  fees: "counter_account = 'P.fees'",
  net_revenue: "counter_account IN ('P.rail_clearing', 'P.fees')"
}

/** What an entry adds to a figure. What the platform's account loses is the merchant's. */
const ADDS: Readonly<Record<LedgerFigure, string>> = {
  volume: "-counter_delta",
  refunds: "counter_delta",
  fees: "counter_delta",
  net_revenue: "-counter_delta"
}

type Part = Partial<CurrencySums> & { readonly currency: string }

/** One number of a report, in one currency or in all. */
export interface FigureQuery {
  readonly name: MetricName
  readonly time: MetricPeriod
  readonly currency: string | undefined
}

export class MetricsRepository extends Context.Service<MetricsRepository, {
  /** Of each currency in which something happened before the end, or of this one. All of one moment. */
  readonly sums: (account: string, time: MetricPeriod, currency?: string) => Effect.Effect<ReadonlyArray<CurrencySums>>
  /** The rows whose amounts make up a figure, newest first. */
  readonly rows: (account: string, figure: FigureQuery, page: PageRequest) => Effect.Effect<Page<MetricRow>>
}>()("@svc/billing/MetricsRepository") {
  static readonly layer = Layer.effect(
    MetricsRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const inCurrency = (currency: string | undefined): ReadonlyArray<Statement.Fragment> =>
        currency === undefined ? [] : [sql`currency = ${currency}`]
      // An id tells when its row was made, and the keys are in the order of the ids.
      const idAt = (prefix: string, at: DateTime.Utc) => ulidFloor(prefix, at.epochMilliseconds)
      const sum = (what: string, where: Statement.Fragment) => sql`COALESCE(sum(${sql.literal(what)}) FILTER (WHERE ${where}), 0)::bigint`

      /**
       * Customers, with what they had in the beginning, what moved that, and how many of their subscriptions counted in the beginning and
       * in the end.
       */
      const customers = (account: string, { from, to }: MetricPeriod, currency: string | undefined) => {
        const sums = [
          sql`${sum("amount", sql`early`)} AS opening`,
          ...movements.map((movement) => sql`${sum("amount", sql`NOT early AND movement = ${movement}`)} AS ${sql(movement)}`),
          sql`${sum("counted", sql`early`)} AS first`,
          sql`sum(counted)::bigint AS last`
        ]
        // Compared once a row: the text of an id takes longer to compare than all of the rest to add up.
        return sql`SELECT currency, customer_id, ${sql.csv(sums)} FROM (
        SELECT currency, customer_id, movement, amount, counted, id < ${idAt("mrow", from)} AS early FROM subscription_movements
        WHERE ${
          sql.and([sql`account_id = ${account}`, sql`id < ${idAt("mrow", to)}`, ...inCurrency(currency)])
        } OFFSET 0) moved GROUP BY currency, customer_id`
      }

      const moved = (account: string, time: MetricPeriod, currency: string | undefined) => {
        const sums = ["opening", ...movements].map((name) => sql`sum(${sql(name)})::bigint AS ${sql(name)}`)
        return sql<Part>`SELECT currency, ${
          sql.csv(sums)
        }, count(*) FILTER (WHERE first > 0) AS customers, count(*) FILTER (WHERE first > 0 AND last = 0) AS customers_lost
        FROM (${customers(account, time, currency)}) customer GROUP BY currency`
      }

      const within = (
        account: string,
        { from, to }: MetricPeriod,
        currency: string | undefined
      ) => [sql`merchant_id = ${account}`, sql`id >= ${idAt("fe", from)}`, sql`id < ${idAt("fe", to)}`, ...inCurrency(currency)]

      const posted = (account: string, time: MetricPeriod, currency: string | undefined) => {
        const figure = (name: LedgerFigure) => sql`${sum(ADDS[name], sql.literal(COUNTERS[name]))} AS ${sql(name)}`
        return sql<Part>`SELECT currency, ${figure("volume")}, ${figure("refunds")}, ${figure("fees")} FROM financial_events
        WHERE ${sql.and([...within(account, time, currency), sql.literal(COUNTERS.net_revenue)])} GROUP BY currency`
      }

      const sums = (account: string, time: MetricPeriod, currency?: string) =>
        Effect.all([moved(account, time, currency), posted(account, time, currency)]).pipe(
          sql.withTransaction,
          Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
          Effect.orDie,
          Effect.map((parts) => {
            const byCurrency = Map.groupBy(parts.flat(), (part) => part.currency)
            return Array.from(
              byCurrency,
              ([code, of]): CurrencySums => of.reduce<CurrencySums>((all, part) => ({ ...all, ...part }), zeroSums(code))
            )
              .toSorted((one, other) => one.currency < other.currency ? -1 : 1)
          })
        )

      const moves = (
        account: string,
        name: Exclude<MetricName, LedgerFigure>,
        time: MetricPeriod,
        currency: string | undefined
      ): Listing => {
        const where = [
          sql`account_id = ${account}`,
          sql`id < ${idAt("mrow", name === "opening" ? time.from : time.to)}`,
          ...inCurrency(currency)
        ]
        if (name !== "opening" && name !== "closing") where.push(sql`id >= ${idAt("mrow", time.from)}`)
        if (name === "revenue_churn") where.push(sql`movement IN ('churn', 'contraction')`)
        else if (name === "customer_churn") {
          where.push(
            sql`movement = 'churn' AND (currency, customer_id) IN (SELECT currency, customer_id FROM (${
              customers(account, time, currency)
            }) customer WHERE first > 0 AND last = 0)`
          )
        } else if (name !== "opening" && name !== "closing") where.push(sql`movement = ${name}`)
        return {
          table: "subscription_movements",
          columns: sql`id, amount, currency, at, NULL AS posting, json_build_object('movement', movement,
          'subscription_id', subscription_id, 'customer_id', customer_id,
          'plan_id', plan_id, 'status', status, 'before', before, 'after', after) AS move`,
          where
        }
      }

      const postings = (account: string, name: LedgerFigure, time: MetricPeriod, currency: string | undefined): Listing => ({
        table: "financial_events",
        columns: sql`'mrow_' || substr(id, 4) AS id, ${
          sql.literal(ADDS[name])
        } AS amount, currency, created_at AS at, NULL AS move, json_build_object('financial_event_id', id,
        'event_type', event_type, 'resource_type', resource_type, 'resource_id', resource_id) AS posting`,
        where: [...within(account, time, currency), sql.literal(COUNTERS[name])],
        key: "id",
        places: (cursor) => cursor.replace(/^mrow_/u, "fe_")
      })

      const rows = (account: string, { currency, name, time }: FigureQuery, page: PageRequest) => {
        const listing = isOfLedger(name) ? postings(account, name, time, currency) : moves(account, name, time, currency)
        return Effect.orDie(Effect.map(listPage(sql, listing, page), (found) => mapPage(found, decodeRow)))
      }

      return MetricsRepository.of({ sums, rows })
    })
  )
}
