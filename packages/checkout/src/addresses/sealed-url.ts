/**
 * The addresses of sessions end in a secret, which permits a person to act for the customer. The database keeps the address up to the
 * secret, and the secret sealed (decision 0040), because the API shows the address again.
 */
import { rememberingLast } from "@svc/kernel/database/encoded"
import type { ResourceTable } from "@svc/kernel/resource/model"
import { Keyring, Sealed } from "@svc/platform/encryption/keyring"
import { Effect, Schema } from "effect"
import { timingSafeEqual } from "node:crypto"

/** The secret of an address; empty where it could not be opened. */
export const secretIn = (url: string): string => url.slice(url.lastIndexOf("/") + 1)

/** The address up to its secret. */
export const bareOf = (url: string): string => url.slice(0, url.lastIndexOf("/") + 1)

/** Whether `given` is the secret of the address, in a time that does not tell where they differ. */
export const opens = (url: string, given: string): boolean => {
  const [secret, other] = [Buffer.from(secretIn(url)), Buffer.from(given)]
  return secret.length > 0 && secret.length === other.length && timingSafeEqual(secret, other)
}

/**
 * The text of an answer with the whole address in the place of the bare one: answers are stored without the secret. A text that an earlier
 * version stored has the whole address already.
 */
export const withWholeAddress = (wire: string, url: string): string => wire.replace(JSON.stringify(bareOf(url)), () => JSON.stringify(url))

/** Null in rows of earlier versions, whose `url` is whole, until `seal-addresses.ts` has been there. */
export const SealedSecret = Schema.NullOr(Sealed)

/** A session, as far as its address goes. */
export interface Addressed {
  readonly id: string
  readonly url: string
  readonly secret: Sealed | null
}

/** The session as it is stored: its address ends before the secret. */
export const withBareAddress = <R extends Pick<Addressed, "url">>(session: R): R => ({ ...session, url: bareOf(session.url) })

/** The table of sessions that stores each with its bare address, and shows it so in events and stored answers. */
export const storedWithoutSecret = <R extends Addressed>(table: ResourceTable<R>): ResourceTable<R> => {
  const encode = rememberingLast((session: R) => table.encode(withBareAddress(session)))
  return { ...table, encode, write: (session) => ({ table, row: encode(session).row }) }
}

/**
 * The session with its whole address, from its row. Where the key of the secret is missing the address stays without the secret, and opens
 * nothing.
 */
export const wholeAddress = <R extends Addressed>(keyring: Keyring["Service"], session: R): Effect.Effect<R> => {
  const { id, secret, url } = session
  return secret === null ? Effect.succeed(session) : keyring.open(secret, id).pipe(
    Effect.map((opened) => ({ ...session, url: `${url}${opened}` })),
    Effect.catch((error) => Effect.as(Effect.logWarning(`the address of ${id} is not known: ${error.message}`), session))
  )
}
