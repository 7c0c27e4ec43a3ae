/**
 * The rows of one charge as a script for pgbench: the three transactions of create, authorize and capture, each of them statement by
 * statement, with the same columns, sizes and locks as ours, and nothing else: no HTTP, no decision, no reading of keys and intents.
 * Time and identifiers are made by Postgres; hashes are constants of the right length.
 */

const account = "'acct_' || lpad(:m::text, 26, '0')"
const intent = "'pi_' || lpad(:n::text, 26, '0')"
const id = (prefix: string) => `'${prefix}_' || lpad(:n::text, 26, '0')`
const hash = "repeat('a', 64)"

const key = (operation: string, status: number, body: string) =>
  `INSERT INTO idempotency_keys (key, account_id, operation, fingerprint, resource_type, resource_id, status, response_status, response_body, first_seen_at)
   VALUES (gen_random_uuid()::text, ${account}, 'payment_intent.${operation}', ${hash}, 'payment_intent', ${intent}, 'done', ${status}, :${body}, now());`

const event = (type: string, version: number, body: string, prefix: string) =>
  `INSERT INTO events (account_id, seq, id, type, resource_type, resource_id, resource_version, api_version, data, created_at)
   VALUES (${account}, :event_seq::bigint + 1, ${
    id(prefix)
  }, 'payment_intent.${type}', 'payment_intent', ${intent}, ${version}, '2026-11-01', :${body}, now());`

const lockHead = `SELECT ledger_seq, event_seq FROM account_heads WHERE account_id = ${account} FOR UPDATE \\gset`
const moveHead = (entries: number) =>
  `UPDATE account_heads SET ledger_seq = :ledger_seq::bigint + ${entries}, ledger_hash = ${hash}, event_seq = :event_seq::bigint + 1 WHERE account_id = ${account};`

interface Entry {
  readonly type: string
  readonly direction: string
  readonly amount: number
  readonly pending: number
  readonly counter: string
}

const entries = (rows: ReadonlyArray<Entry>, cause: string) =>
  `INSERT INTO financial_events (id, merchant_id, sequence_id, event_type, direction, amount, currency, delta_available, delta_pending,
     delta_reserved, counter_account, counter_delta, idempotency_key, ordinal, resource_type, resource_id, hash_version, previous_hash,
     event_hash, reconciliation_status, created_at) VALUES ${
    rows.map(({ amount, counter, direction, pending, type }, n) =>
      `(${id(`fe_${cause}${n}`)}, ${account}, :ledger_seq::bigint + ${n + 1}, '${type}', '${direction}', ${amount}, 'USD', 0, ${pending}, 0,
        '${counter}', ${
        pending === 0 ? 0 : -pending
      }, '${cause}' || lpad(:n::text, 35, '0'), 0, 'payment_intent', ${intent}, 1, ${hash}, ${hash}, 'pending', now())`
    ).join(", ")
  };`

const EXPIRES = "'payment_intent.expires'"
const SETTLES = "'settlement.due'"

const create = [
  "BEGIN;",
  lockHead,
  key("create", 201, "created"),
  `INSERT INTO payment_intents (merchant_id, id, amount, currency, state, idempotency_key, metadata, customer_id, country, authorized_amount,
     captured_amount, refunded_amount, disputed_amount, fee_amount, unsettled_amount, capture_on_authorize, risk_cleared, attempts, refunds,
     created_at, updated_at, version)
   VALUES (${account}, ${intent}, 1999, 'USD', 'created', 'c' || lpad(:n::text, 35, '0'), :metadata, 'cus_8842', 'DE', 0, 0, 0, 0, 0, 0, false, false,
     '[]', '[]', now(), now(), 1);`,
  event("created", 1, "created", "evt_c"),
  moveHead(0),
  "COMMIT;"
]

const authorize = [
  "BEGIN;",
  lockHead,
  key("authorize", 200, "authorized"),
  `UPDATE payment_intents SET state = 'authorized', authorized_amount = amount, payment_method_id = 'tok_visa',
     provider_reference = 'sim_' || lpad(:n::text, 24, '0'), selected_rail = 'card_a', capture_before = now() + interval '7 days',
     routing = :routing, attempts = :attempts, updated_at = now(), version = 2
   WHERE merchant_id = ${account} AND id = ${intent} AND version = 1;`,
  entries([{ type: "payment_authorized", direction: "credit", amount: 1999, pending: 0, counter: "MEMO" }], "a"),
  event("authorized", 2, "authorized", "evt_a"),
  `INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) VALUES (${account}, ${EXPIRES}, ${intent}, now() + interval '7 days', 0);`,
  moveHead(1),
  "COMMIT;"
]

const capture = [
  "BEGIN;",
  lockHead,
  key("capture", 200, "captured"),
  `UPDATE payment_intents SET state = 'captured', captured_amount = 1999, fee_amount = 88, unsettled_amount = 1911, capture_before = NULL,
     updated_at = now(), version = 3
   WHERE merchant_id = ${account} AND id = ${intent} AND version = 2;`,
  entries([
    { type: "payment_captured", direction: "credit", amount: 1999, pending: 1999, counter: "P.rail_clearing" },
    { type: "fee_charged", direction: "debit", amount: 88, pending: -88, counter: "P.fees" },
    { type: "settlement_queued", direction: "credit", amount: 1911, pending: 0, counter: "MEMO" }
  ], "k"),
  `UPDATE balance_accounts SET pending = pending + 1911, updated_at = now() WHERE account_id = ${account} AND currency = 'USD';`,
  `INSERT INTO settlements (merchant_id, id, payment_intent_id, amount, currency, status, due_at, attempts, created_at, updated_at, version)
   VALUES (${account}, ${id("set")}, ${intent}, 1911, 'USD', 'queued', now() + interval '2 days', 0, now(), now(), 1);`,
  `INSERT INTO timers (account_id, kind, resource_id, due_at, attempts) VALUES (${account}, ${SETTLES}, ${
    id("set")
  }, now() + interval '2 days', 0);`,
  event("captured", 3, "captured", "evt_k"),
  `DELETE FROM timers WHERE account_id = ${account} AND kind = ${EXPIRES} AND resource_id = ${intent};`,
  moveHead(3),
  "COMMIT;"
]

/** pgbench reads one statement up to its semicolon or meta command. */
export const oneLine = (statement: string): string => statement.replace(/\s*\n\s*/g, " ")

/** Takes the variables `i` (a number no earlier run reached), `merchants`, and the bodies as text. */
export const chargeScript: string = [
  "\\set i :i + 1",
  "\\set n :i * 64 + :client_id",
  "\\set m random(0, :merchants - 1)",
  ...[...create, ...authorize, ...capture].map(oneLine)
].join("\n") + "\n"
