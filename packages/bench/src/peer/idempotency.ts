/** Idempotency keys: looked up before, written in the transaction of the effect, replayed byte for byte. */
import { fingerprint } from "@svc/kernel/values/fingerprint"
import type { PoolClient } from "pg"
import { pool, prepared, run } from "./database.ts"
import { Refusal } from "./refusal.ts"

/** A request as its key sees it. */
export interface Keyed {
  readonly account: string
  readonly key: string
  readonly operation: string
  readonly fingerprint: string
}

export interface Reply {
  readonly status: number
  readonly body: string
  readonly replayed: boolean
}

interface KeyRow {
  readonly account_id: string
  readonly operation: string
  readonly fingerprint: string
  readonly response_status: number
  readonly response_body: string
}

const findKey = prepared(
  "find_idempotency_key",
  "SELECT account_id, operation, fingerprint, response_status, response_body FROM idempotency_keys WHERE key = $1"
)
const insertKey = prepared(
  "insert_idempotency_key",
  `INSERT INTO idempotency_keys (key, account_id, operation, fingerprint, resource_type, resource_id, status, response_status, response_body, first_seen_at)
   VALUES ($1, $2, $3, $4, 'payment_intent', $5, 'done', $6, $7, $8)`
)

export const keyed = (account: string, operation: string, path: string, body: { readonly idempotency_key: string }): Keyed => ({
  account,
  key: body.idempotency_key,
  operation,
  fingerprint: fingerprint({ method: "POST", path, body })
})

/** Stores the answer of a request. Fails on the key's unique index when a twin was first. */
export const remember = (client: PoolClient, request: Keyed, resource: string, reply: Omit<Reply, "replayed">, at: string) =>
  run(client, insertKey, [request.key, request.account, request.operation, request.fingerprint, resource, reply.status, reply.body, at])

const lookUp = async (request: Keyed): Promise<Reply | undefined> => {
  const [row] = await run<KeyRow>(pool, findKey, [request.key])
  if (row === undefined) return undefined
  if (row.account_id !== request.account || row.operation !== request.operation || row.fingerprint !== request.fingerprint) {
    throw new Refusal(409, "idempotency_key_reused", "This idempotency key was already used for a different request.")
  }
  return { status: row.response_status === 201 ? 200 : row.response_status, body: row.response_body, replayed: true }
}

const UNIQUE_VIOLATION = "23505"
const isTwin = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "code" in error && error.code === UNIQUE_VIOLATION

/** The intent was changed by another request after it was read. */
export class Raced extends Error {}

const MAX_RACES = 20

/** Runs a keyed request once; a twin that came second gets the stored answer, a lost race begins again. */
export const once = async (request: Keyed, act: () => Promise<Omit<Reply, "replayed">>): Promise<Reply> => {
  for (let race = 0; race < MAX_RACES; race++) {
    const known = await lookUp(request)
    if (known !== undefined) return known
    try {
      return { ...(await act()), replayed: false }
    } catch (error) {
      if (!isTwin(error) && !(error instanceof Raced)) throw error
    }
  }
  throw new Refusal(409, "version_conflict", "The payment intent kept changing while this request ran.")
}
