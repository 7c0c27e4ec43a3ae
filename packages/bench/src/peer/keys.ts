/** API keys, remembered as long as the service under test remembers them. */
import { createHash } from "node:crypto"
import { pool, prepared, run } from "./database.ts"
import { Refusal } from "./refusal.ts"

export interface Caller {
  readonly account: string
  readonly feeBps: number
}

interface KeyRow {
  readonly account_id: string
  readonly status: string
  readonly fee_tier_bps: number | null
}

const REMEMBERED_MS = 5_000
const DEFAULT_FEE_BPS = 290
const known = new Map<string, { readonly caller: Caller; readonly until: number }>()

const findKey = prepared(
  "find_key",
  `SELECT a.id AS account_id, a.status, a.fee_tier_bps FROM api_keys k JOIN accounts a ON a.id = k.account_id
   WHERE k.hash = $1 AND k.status = 'active'`
)

export const callerOf = async (authorization: string | undefined): Promise<Caller> => {
  const hash = createHash("sha256").update(authorization?.replace(/^Bearer /, "") ?? "").digest("hex")
  const at = performance.now()
  const remembered = known.get(hash)
  if (remembered !== undefined && remembered.until > at) return remembered.caller
  const [row] = await run<KeyRow>(pool, findKey, [hash])
  if (row === undefined) throw new Refusal(401, "unauthorized", "The API key is missing or not valid.")
  if (row.status !== "active") throw new Refusal(403, "account_suspended", "The account cannot take charges.")
  const caller = { account: row.account_id, feeBps: row.fee_tier_bps ?? DEFAULT_FEE_BPS }
  known.set(hash, { caller, until: at + REMEMBERED_MS })
  return caller
}
