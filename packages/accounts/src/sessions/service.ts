/** Sessions: from the secret in a browser's cookie to the person who is signed in. They live by the world's time. */
import { Actor, withActor } from "@svc/kernel/parts/actor"
import { type Contributions, contributions } from "@svc/kernel/parts/contributions"
import { type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { nextId } from "@svc/kernel/values/ids"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { KnownScopes, type SignedInPerson } from "../access/model.ts"
import { scopesOf } from "../access/roles.ts"
import { drawSecret, hashSecret } from "../api-keys/secret.ts"
import { type Membership, type PersonSession, SessionId } from "./model.ts"
import { SessionRepository, type Whose } from "./repository.ts"

export interface Session {
  readonly person: SignedInPerson
  readonly name: string
  readonly email: string | null
  /** The name of the account; null in the installation. */
  readonly account_name: string | null
}

export interface StartSession {
  readonly user_id: string
  /** Null for the installation. */
  readonly account_id: string | null
  readonly ip: string | null
  readonly user_agent: string | null
  /**
   * Whether the person has just proved who they are. An identity provider may know somebody from days ago: what needs a fresh proof asks
   * for one.
   */
  readonly isProven?: boolean
}

/** The session of somebody who is signed in, as `find` gave it. */
type Found = Pick<Session, "person">

export interface StartedSession {
  readonly id: SessionId
  /** The browser's cookie; stored nowhere else. */
  readonly secret: Redacted.Redacted<string>
}

/** What packages above do when the last person of an account has signed out of it. */
export class LastSignOut
  extends Context.Service<LastSignOut, Contributions<(account_id: string) => Effect.Effect<void>>>()("@svc/accounts/LastSignOut")
{
  static readonly layer = Layer.sync(LastSignOut, () => contributions<(account_id: string) => Effect.Effect<void>>())
}

export class Sessions extends Context.Service<Sessions, {
  /** Begins a session of somebody who has just proved who they are. */
  readonly start: (session: StartSession) => Effect.Effect<StartedSession>
  /** The session of this secret; undefined where it is over, was never there, or the person lost their role. */
  readonly find: (secret: string) => Effect.Effect<Session | undefined>
  /** The person has proved again who they are. The session has another secret from now on. */
  readonly confirm: (session: Found) => Effect.Effect<Redacted.Redacted<string>, NotFound>
  /** Ends the session and begins one in another account of the person, or in the installation. It lasts no longer than the first would. */
  readonly moveTo: (session: Found, account_id: string | null) => Effect.Effect<StartedSession, NotFound>
  /** The person leaves. With the last one of an account goes what was kept for people who are signed in. */
  readonly signOut: (session: Found) => Effect.Effect<void>
  /** Where somebody may sign in. */
  readonly memberships: (user_id: string) => Effect.Effect<ReadonlyArray<Membership>>
  /** The open sessions of an account or of the installation, newest first. */
  readonly list: (whose: Whose, page: PageRequest) => Effect.Effect<Page<PersonSession>, ValidationError>
  readonly get: (whose: Whose, id: string) => Effect.Effect<PersonSession, NotFound>
  /** Ends a session from elsewhere, at once. */
  readonly revoke: (whose: Whose, id: string) => Effect.Effect<PersonSession, NotFound>
}>()("@svc/accounts/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const within = withActor(yield* SqlClient.SqlClient)
      const repository = yield* SessionRepository
      const random = yield* SecureRandom.SecureRandom
      const lastSignOut = yield* LastSignOut
      const known = (yield* KnownScopes) ?? new Set<string>()
      const draw = Effect.provideService(drawSecret("ses_"), SecureRandom.SecureRandom, random)
      const as = (id: string) => Effect.provideService(Actor, { type: "person", id })

      const get = Effect.fn("Sessions.get")(function*(whose: Whose, id: string) {
        return (yield* repository.find(whose, id, yield* realNow)) ?? (yield* notFound("session"))
      })

      const moveTo = Effect.fn("Sessions.moveTo")(function*({ person }: Found, account_id: string | null) {
        const { hash, secret } = yield* draw
        const id = SessionId.make(yield* nextId("ses"))
        const at = yield* realNow
        const moved = Effect.gen(function*() {
          const before = yield* repository.remove(person.session_id, at)
          const places = yield* repository.memberships(person.id)
          if (before === undefined || !places.some((place) => place.account_id === account_id)) return yield* notFound("session")
          yield* repository.insert({ ...before, id, account_id, hash, seen_at: at })
          return { id, secret }
        })
        return yield* within(moved).pipe(Effect.catchTag("SqlError", Effect.die), as(person.id))
      })

      return Sessions.of({
        start: Effect.fn("Sessions.start")(function*({ isProven = true, ...session }: StartSession) {
          const { hash, secret } = yield* draw
          const id = SessionId.make(yield* nextId("ses"))
          const at = yield* realNow
          yield* Effect.orDie(within(repository.clean(at)))
          const started = repository.insert({
            ...session,
            id,
            hash,
            created_at: at,
            seen_at: at,
            confirmed_at: isProven ? at : DateTime.makeUnsafe(0)
          })
          yield* Effect.orDie(within(started)).pipe(as(session.user_id))
          return { id, secret }
        }),
        find: Effect.fn("Sessions.find")(function*(secret: string) {
          const open = yield* repository.seen(hashSecret(secret), yield* realNow)
          if (open === undefined) return undefined
          const { account, account_name, clocked, confirmed_at, email, id, name, role, user_id } = open
          const confirmed = confirmed_at.epochMilliseconds
          const person = { id: user_id, role, session_id: id, confirmed_at: confirmed, account, clocked, scopes: scopesOf(role, known) }
          return { person, name, email, account_name }
        }),
        confirm: Effect.fn("Sessions.confirm")(function*({ person }: Found) {
          const { hash, secret } = yield* draw
          return (yield* repository.confirm(person.session_id, hash, yield* realNow)) ? secret : yield* notFound("session")
        }),
        moveTo,
        signOut: Effect.fn("Sessions.signOut")(function*({ person: { account, id, session_id } }: Found) {
          const at = yield* realNow
          const leave = Effect.gen(function*() {
            // Of two who leave at once, the second finds the first one gone.
            const open = account === null ? [] : yield* repository.lockOpen(account.id, at)
            const ended = yield* repository.remove(session_id, at)
            return ended !== undefined && open.length === 1
          })
          const isLast = yield* Effect.orDie(within(leave)).pipe(as(id))
          if (account !== null && isLast) yield* Effect.forEach(lastSignOut.all(), (follow) => follow(account.id), { discard: true })
        }),
        memberships: repository.memberships,
        list: Effect.fn("Sessions.list")(function*(whose: Whose, page: PageRequest) {
          return yield* repository.list(whose, yield* realNow, yield* Effect.fromResult(checkPage(page)))
        }),
        get,
        revoke: Effect.fn("Sessions.revoke")(function*(whose: Whose, id: string) {
          const session = yield* get(whose, id)
          yield* Effect.orDie(within(repository.remove(id, yield* realNow)))
          return session
        })
      })
    })
  ).pipe(Layer.provide(SessionRepository.layer))
}
