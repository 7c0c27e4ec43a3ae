/** People for tests: who they are, and the browsers in which they are signed in. */
import { Effect, Redacted } from "effect"
import type { Role } from "../access/model.ts"
import { type Session, Sessions } from "../sessions/service.ts"
import { People } from "./service.ts"

export interface Signed {
  readonly id: string
  readonly secret: string
  readonly session: Session
}

/** Somebody who has joined with this role. A null account is the installation. */
export const joined = Effect.fnUntraced(function*(account_id: string | null, role: Role) {
  const people = yield* People
  const { secret } = yield* people.invite({ account_id, role, email: null })
  return yield* people.join(Redacted.value(secret), { name: "Ada Berg", email: null })
})

/** A browser in which this person signs in. */
export const signedInAs = Effect.fnUntraced(function*(user_id: string, account_id: string | null) {
  const sessions = yield* Sessions
  const secret = Redacted.value((yield* sessions.start({ user_id, account_id, ip: null, user_agent: "a test" })).secret)
  const session = yield* sessions.find(secret)
  return session === undefined ? yield* Effect.die(new Error("a session that begins is there")) : { id: user_id, secret, session }
})

/** Somebody new with this role, signed in. */
export const signedIn = Effect.fnUntraced(function*(account_id: string | null, role: Role) {
  return yield* signedInAs(yield* joined(account_id, role), account_id)
})
