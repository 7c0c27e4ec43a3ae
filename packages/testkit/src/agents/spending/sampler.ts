/**
 * The counters as they stand at one instant, in one statement: nothing may be over its limit, and what is counted twice is counted alike.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface Broken {
  readonly what: string
}

/**
 * Of one snapshot: what was spent and reserved of each budget is within its limit; what keys spent in their lives is what those cut from
 * them spent, because only the lowest call; what credits paid is what the calls on the books cost, and what the ledger says.
 */
const brokenAt = (account: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql<Broken>`
    WITH used AS (SELECT * FROM counters WHERE account_id = ${account}),
    budgets AS (
      SELECT k.id, k.parent_id, p.period, (k.policy -> 'budgets' ->> p.period)::bigint AS most, coalesce(u.spent, 0) AS spent, coalesce(u.reserved, 0) AS reserved
      FROM agent_keys k CROSS JOIN (VALUES ('hour'), ('day'), ('month'), ('life')) AS p (period)
      LEFT JOIN used u ON u.name = 'agent_budget' AND u.key = k.id AND u.period = p.period
      WHERE k.account_id = ${account} AND k.policy -> 'budgets' ? p.period
    ),
    sums AS (
      SELECT (SELECT coalesce(sum(spent), 0) FROM used WHERE name = 'credits') AS credits,
        (SELECT coalesce(sum(price), 0) FROM tool_calls WHERE account_id = ${account} AND state = 'settled' AND paid_by = 'credits') AS billed,
        (SELECT coalesce(sum(amount), 0) FROM financial_events WHERE merchant_id = ${account} AND event_type = 'fee_charged') AS booked
    )
    SELECT 'budget ' || id || ' ' || period || ': ' || spent || ' + ' || reserved || ' of ' || most AS what FROM budgets WHERE spent + reserved > most OR spent < 0 OR reserved < 0
    UNION ALL
    SELECT 'life of ' || above.id || ' is ' || above.spent || ' and of those below ' || sum(below.spent) FROM budgets above JOIN budgets below ON below.parent_id = above.id AND below.period = 'life'
    WHERE above.period = 'life' GROUP BY above.id, above.spent HAVING above.spent <> sum(below.spent)
    UNION ALL
    SELECT 'grant ' || g.id || ': ' || u.spent || ' + ' || u.reserved || ' of ' || g.cents FROM credit_grants g JOIN used u ON u.name = 'credits' AND u.key = g.id WHERE u.spent + u.reserved > g.cents
    UNION ALL
    SELECT 'credits ' || credits || ', calls ' || billed || ', ledger ' || booked FROM sums WHERE credits <> billed OR billed <> booked`)

/** What is broken in one snapshot. */
export const sample = (account: string): Effect.Effect<ReadonlyArray<string>, never, SqlClient.SqlClient> =>
  Effect.orDie(Effect.map(brokenAt(account), (rows) => rows.map(({ what }) => what)))

/** Looks every few milliseconds, for as long as it runs. */
export const watch = Effect.fnUntraced(function*(account: string, found: { samples: number; readonly problems: Set<string> }) {
  while (true) {
    for (const what of yield* sample(account)) found.problems.add(what)
    found.samples++
    yield* Effect.sleep("15 millis")
  }
})
