/**
 * The rows of one paid tool call as scripts for pgbench, with the same columns, sizes and locks as ours, and nothing else: no HTTP, no key,
 * no look at the credits. A call outside is two transactions, which reserve and settle; an inline one is one.
 */
import { oneLine } from "./script.ts"

const account = "'acct_' || lpad(:m::text, 26, '0')"
const call = "'call_' || lpad(:n::text, 26, '0')"
const hash = "repeat('a', 64)"
const MONTH = "date_trunc('month', now())"

export interface Sold {
  readonly tool: string
  readonly cents: number
}

const shares = (cents: number) =>
  `'[{"name": "credits", "key": "allowance", "period": "month", "start": "2026-11-01T00:00:00.000Z", "cents": ${cents}, "at_most": 1000}]'`

const lockHead = `SELECT ledger_seq, commit_seq FROM account_heads WHERE account_id = ${account} FOR UPDATE \\gset`
const moveHead = (entries: number) =>
  `UPDATE account_heads SET ledger_seq = :ledger_seq::bigint + ${entries}, ledger_hash = ${hash}, commit_seq = :commit_seq::bigint + 1 WHERE account_id = ${account};`

const insertCall = ({ cents, tool }: Sold, state: "reserved" | "settled") =>
  `INSERT INTO tool_calls (account_id, id, agent_key_id, tool, mode, arguments_sha256, price, paid_by, state, shares, result_sha256, created_at, finished_at, updated_at, version)
   VALUES (${account}, ${call}, NULL, '${tool}', 'standard', ${hash}, ${cents}, 'credits', '${state}', ${shares(cents)},
     ${state === "settled" ? `${hash}, now(), now()` : "NULL, now(), NULL"}, now(), 1);`

const count = (spent: number, reserved: number) =>
  `INSERT INTO counters (account_id, name, key, period, window_start, spent, reserved, updated_at)
   VALUES (${account}, 'credits', 'allowance', 'month', ${MONTH}, ${spent}, ${Math.max(0, reserved)}, now())
   ON CONFLICT (account_id, name, key, period, window_start)
   DO UPDATE SET spent = counters.spent + ${spent}, reserved = counters.reserved + ${reserved}, updated_at = now();`

const entry = (cents: number) =>
  `INSERT INTO financial_events (id, merchant_id, sequence_id, event_type, direction, amount, currency, delta_available, delta_pending,
     delta_reserved, counter_account, counter_delta, idempotency_key, ordinal, resource_type, resource_id, hash_version, previous_hash,
     event_hash, reconciliation_status, created_at)
   VALUES ('fe_' || lpad(:n::text, 26, '0'), ${account}, :ledger_seq::bigint + 1, 'fee_charged', 'debit', ${cents}, 'USD', 0, 0, 0, 'MEMO', 0,
     'tool_call_' || ${call}, 0, 'tool_call', ${call}, 1, ${hash}, ${hash}, 'pending', now());`

const ABANDONED = "'tool_call.abandoned'"

const inline = (
  sold: Sold
) => ["BEGIN;", lockHead, insertCall(sold, "settled"), count(sold.cents, 0), entry(sold.cents), moveHead(1), "COMMIT;"]

const outside = (sold: Sold) => [
  "BEGIN;",
  lockHead,
  insertCall(sold, "reserved"),
  count(0, sold.cents),
  `INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) VALUES (${account}, ${ABANDONED}, ${call}, now() + interval '90 seconds', 0);`,
  moveHead(0),
  "COMMIT;",
  "BEGIN;",
  lockHead,
  `UPDATE tool_calls SET state = 'settled', price = ${sold.cents}, result_sha256 = ${hash}, finished_at = now(), updated_at = now(), version = 2
   WHERE account_id = ${account} AND id = ${call} AND version = 1;`,
  count(sold.cents, -sold.cents),
  entry(sold.cents),
  `DELETE FROM timers WHERE account_id = ${account} AND kind = ${ABANDONED} AND resource_id = ${call};`,
  moveHead(1),
  "COMMIT;"
]

const script = (statements: ReadonlyArray<string>) =>
  ["\\set i :i + 1", "\\set n :i * 64 + :client_id", "\\set m random(0, :merchants - 1)", ...statements.map(oneLine)].join("\n") + "\n"

/** Each takes the variables `i` and `merchants`. */
export const toolCallScripts = { inline: (sold: Sold) => script(inline(sold)), outside: (sold: Sold) => script(outside(sold)) }
