/**
 * The database's own check of a ledger row, written from the table of routes. Faster than a table that the check would
 * read, and a dump can be restored, for nothing in it depends on other tables, functions or the search path (decision 0022).
 */
import { reconciliationStatuses } from "./model.ts"
import { legsOf, type RouteLeg } from "./routes.ts"

type Sign = RouteLeg["split"]

const times = (sign: Sign, amount = "amount"): string => sign === undefined ? "0" : sign === 1 ? amount : `-${amount}`
const quoted = (text: string): string => `'${text}'`
const list = (texts: ReadonlyArray<string>): string => texts.map(quoted).join(", ")

const splits = (leg: RouteLeg): string => {
  const whole = times(leg.split)
  if (leg.mixed !== true) return `(delta_available = 0 AND delta_pending = ${whole} OR delta_available = ${whole} AND delta_pending = 0)`
  const [from, to] = leg.split === 1 ? ["0", whole] : [whole, "0"]
  return `delta_pending BETWEEN ${from} AND ${to} AND delta_available = ${whole} - delta_pending`
}

const follows = (leg: RouteLeg): string =>
  [
    `direction = ${quoted(leg.direction)}`,
    `counter_account = ${quoted(leg.counter)}`,
    `counter_delta = ${times(leg.counterSign)}`,
    `delta_reserved = ${times(leg.reserved)}`,
    leg.split === undefined ? `delta_available = ${times(leg.available)} AND delta_pending = ${times(leg.pending)}` : splits(leg)
  ].join(" AND ")

/** The event types by what their rows must fulfil: many move money in the same way. */
const branches = Map.groupBy(legsOf, ([, legs]) => legs.map(follows).join("\n        OR "))

/**
 * Makes the function that the CHECK constraint of `financial_events` calls, or replaces it. Each route balances, so a row that
 * follows one does; an amount is what JavaScript holds exactly. PL/pgSQL, because its body is compiled once a session, while a
 * CHECK's own expression is parsed anew by every statement and partition; and a statement a branch, because every transaction
 * sets up the expressions that it comes by, which takes longer than their evaluation.
 */
export const routeCheck =
  `CREATE OR REPLACE FUNCTION svc_financial_event_is_valid(sequence_id bigint, event_type text, direction text, amount bigint,
  delta_available bigint, delta_pending bigint, delta_reserved bigint, counter_account text, counter_delta bigint,
  reconciliation_status text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF sequence_id < 1 OR amount NOT BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} OR reconciliation_status NOT IN (${
    list(reconciliationStatuses)
  }) THEN
    RETURN false;
  END IF;
  CASE${
    Array.from(branches, ([condition, types]) => `
    WHEN event_type IN (${list(types.map(([type]) => type))}) THEN
      RETURN ${condition};`).join("")
  }
    ELSE
      RETURN false;
  END CASE;
END $$`
