/** People of the desk for tests, made by the services: no browser, no passkey. */
import type { Role } from "@svc/accounts/access/model"
import { People } from "@svc/accounts/people/service"
import { Sessions } from "@svc/accounts/sessions/service"
import { formTokenOf } from "@svc/desk/routing/cookies"
import { Effect, Redacted } from "effect"
import { Service } from "../contract/service.ts"

/** What a browser in which a person is signed in sends along. */
export interface SignedIn {
  readonly user_id: string
  /** The header `cookie`. */
  readonly cookie: string
  /** The secret of the session: the value of the cookie. */
  readonly secret: string
  /** The field `token` of each form. */
  readonly token: string
}

/** A new person with this role, signed in. A null account is the installation. The cookie has the name that it has without TLS. */
export const signedIn = Effect.fnUntraced(function*(accountId: string | null, role: Role, name = "Ada Berg") {
  const [people, sessions] = [yield* People, yield* Sessions]
  const { secret: link } = yield* people.invite({ account_id: accountId, role, email: null })
  const user_id = yield* Effect.orDie(people.join(Redacted.value(link), { name, email: null }))
  const session = yield* sessions.start({ user_id, account_id: accountId, ip: null, user_agent: "a test" })
  const secret = Redacted.value(session.secret)
  return { user_id, cookie: `desk=${secret}`, secret, token: formTokenOf(secret) } satisfies SignedIn
})

/** Headers with which the browser of this person sends a form of the desk. */
export const formHeaders = ({ cookie }: Pick<SignedIn, "cookie">): Readonly<Record<string, string>> => ({
  cookie,
  "content-type": "application/x-www-form-urlencoded",
  "sec-fetch-site": "same-origin"
})

/** Sends the fields of a form, such as `token=…&reason=late`. */
export const sendForm = Effect.fnUntraced(function*(target: string, headers: Readonly<Record<string, string>>, fields: string) {
  const wire = yield* Service
  return yield* Effect.orDie(wire.send({ method: "POST", target, headers: Object.entries(headers), body: Buffer.from(fields) }))
})
