/**
 * The addresses of sessions, which end in a secret: who knows it acts for the customer. The database keeps the address up to the secret, and
 * the secret sealed (decision 0040), because the API shows the address again.
 */
import { Keyring, Sealed } from "@svc/kernel/encryption/keyring"
import { Effect, Schedule, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { timingSafeEqual } from "node:crypto"

/** The secret of an address; empty where it could not be opened. */
export const secretIn = (url: string): string => url.slice(url.lastIndexOf("/") + 1)

/** The address up to its secret. */
export const bareOf = (url: string): string => url.slice(0, url.lastIndexOf("/") + 1)

/** Whether somebody knows the secret of an address, in a time that does not tell where they differ. */
export const opens = (url: string, given: string): boolean => {
  const [secret, other] = [Buffer.from(secretIn(url)), Buffer.from(given)]
  return secret.length > 0 && secret.length === other.length && timingSafeEqual(secret, other)
}

/** A text of the wire with the address up to its secret, as it is kept: in events and with idempotency keys. */
export const concealed = (wire: string, url: string): string => wire.replace(JSON.stringify(url), () => JSON.stringify(bareOf(url)))

/** The same text with the whole address again. One that an earlier version kept has it already. */
export const revealed = (wire: string, url: string): string => wire.replace(JSON.stringify(bareOf(url)), () => JSON.stringify(url))

/** Null in rows of earlier versions, whose `url` is whole, until `sealAddresses` has been there. */
export const SealedSecret = Schema.NullOr(Sealed)

const isAddressed = Schema.is(Schema.Struct({ id: Schema.String, url: Schema.String, secret: Sealed }))

/** Gives rows their whole address. Where the key is missing the address stays without its secret, and opens nothing. */
export const addressesOf = Effect.map(Keyring, (keyring) =>
  (row: object): Effect.Effect<object> => {
    if (!isAddressed(row)) return Effect.succeed(row)
    const { id, secret, url } = row
    return keyring.open(secret, id).pipe(
      Effect.map((opened) => ({ ...row, url: `${url}${opened}` })),
      Effect.catch((error) => Effect.as(Effect.logWarning(`the address of ${id} is not known: ${error.message}`), row))
    )
  })

/** Rows that are sealed together. */
const BATCH = 500

/** Seals the secrets that rows of earlier versions hold as text. It may be stopped and repeated, and run beside servers. */
export const sealAddresses = Effect.fn("sealAddresses")(function*(table: "checkout_sessions" | "portal_sessions") {
  const sql = yield* SqlClient.SqlClient
  const keyring = yield* Keyring
  while (true) {
    const rows = yield* sql<{ readonly account_id: string; readonly id: string; readonly url: string }>`
      SELECT account_id, id, url FROM ${sql(table)} WHERE secret IS NULL ORDER BY id LIMIT ${BATCH}`
    yield* Effect.forEach(rows, ({ account_id, id, url }) => sql`
      UPDATE ${sql(table)} SET url = ${bareOf(url)}, secret = ${JSON.stringify(keyring.seal(secretIn(url), id))}::jsonb
      WHERE account_id = ${account_id} AND id = ${id} AND secret IS NULL`, { discard: true })
    if (rows.length < BATCH) return
  }
}, Effect.retry(Schedule.spaced("10 seconds")))
