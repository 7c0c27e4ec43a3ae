/** The merchants that every contestant starts with: account, keys, chain head and a dollar balance, by number. */

const digits = (prefix: string, n: number, width: number): string => prefix + String(n).padStart(width, "0")

export const accountId = (n: number): string => digits("acct_", n, 26)
export const toolKey = (n: number): string => digits("svck_test_", n, 32)
export const secretKey = (n: number): string => digits("sk_test_", n, 32)

/** The same names in SQL, for a number in column `n`. */
export const accountIdSql = "'acct_' || lpad(n::text, 26, '0')"

const numbers = "FROM generate_series(0, $1::int - 1) n"

/** The statement that gives each merchant a key. `first`: of the keys' numbers. */
const keysSql = (kind: "secret" | "tool", brand: string, first: number) =>
  `INSERT INTO api_keys (id, account_id, kind, name, prefix, hash, scopes, status, created_at, updated_at, version)
   SELECT 'key_' || lpad((${first} + n)::text, 26, '0'), ${accountIdSql}, '${kind}', 'bench', '${brand}0000',
     encode(sha256(convert_to('${brand}' || lpad(n::text, 32, '0'), 'UTF8')), 'hex'), '[]', 'active', now(), now(), 1 ${numbers}`

/** Each takes the number of merchants as $1. */
export const seedStatements: ReadonlyArray<string> = [
  `INSERT INTO accounts (id, name, status, sandbox, capabilities, restrictions, settings, created_at, updated_at, version)
   SELECT ${accountIdSql}, 'Merchant ' || n, 'active', true, '["charges","payouts"]', '[]', '{}', now(), now(), 1 ${numbers}`,
  keysSql("secret", "sk_test_", 0),
  keysSql("tool", "svck_test_", 1_000_000_000),
  `INSERT INTO account_heads (account_id, ledger_seq, ledger_hash, event_seq) SELECT ${accountIdSql}, 0, repeat('0', 64), 0 ${numbers}`,
  `INSERT INTO balance_accounts (account_id, currency, id, available, pending, reserved, updated_at)
   SELECT ${accountIdSql}, 'USD', 'ba_' || lpad(n::text, 26, '0'), 0, 0, 0, now() ${numbers}`
]
