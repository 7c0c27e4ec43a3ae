/** Who may sign in, and with which role: people are invited by a link, and join by it once. */
import { Actor, withActor } from "@svc/kernel/parts/actor"
import {
  type Forbidden,
  InvalidState,
  type NotFound,
  notFound,
  type ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import { checkPage, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { nextId } from "@svc/kernel/values/ids"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { type Caller, KnownScopes, type Role } from "../access/model.ts"
import { reachOf } from "../access/rules.ts"
import { drawSecret, hashSecret } from "../api-keys/secret.ts"
import { SessionRepository } from "../sessions/repository.ts"
import { INVITATION_MINUTES, InvitationId, type Invited, MAILED_HOURS, type Person, UserId } from "./model.ts"
import { type OwnerCopy, PeopleRepository } from "./repository.ts"
import { type Manager, mayChange, mayGive } from "./rules.ts"

/** Null is the installation. */
type Account = string | null

export interface Invite {
  readonly account_id: Account
  readonly role: Role
  readonly email: string | null
  /** The link goes by mail, so it works for longer. */
  readonly mailed?: boolean
}

export interface MadeInvitation {
  readonly invitation: Invited
  /** Ends the address of the page that takes the invitation. */
  readonly secret: Redacted.Redacted<string>
}

/** Who asks, as one who looks after the people of their account. */
export const managerOf = (caller: Caller["Service"]): Manager => ({ reach: reachOf(caller), person: caller.person })

/** Which person, and what was read of them. */
export interface Which {
  readonly account_id: Account
  readonly id: UserId
  readonly version?: number | undefined
}

/** Somebody who takes an invitation. */
interface Joining {
  readonly user_id: string
  /** Where the invitation names none. */
  readonly email: string | null
  /** Makes the user, where there is none yet. */
  readonly ready: Effect.Effect<void>
}

export class People extends Context.Service<People, {
  readonly list: (account: Account, page: PageRequest) => Effect.Effect<Page<Person>, ValidationError>
  readonly get: (account: Account, id: string) => Effect.Effect<Person, NotFound>
  /** Gives somebody another role, and ends their sessions there: they sign in again with it. */
  readonly changeRole: (
    by: Manager,
    which: Which,
    role: Role
  ) => Effect.Effect<Person, NotFound | Forbidden | InvalidState | VersionConflict>
  /** Takes somebody's role, and ends their sessions there. Answers who it was. */
  readonly remove: (by: Manager, which: Which) => Effect.Effect<Person, NotFound | Forbidden | InvalidState | VersionConflict>
  /** Makes an invitation. Whoever has `by` gives no role that reaches further than their own; the command line leaves it out. */
  readonly invite: (invite: Invite) => Effect.Effect<MadeInvitation>
  readonly inviteBy: (by: Manager, invite: Invite) => Effect.Effect<MadeInvitation, Forbidden>
  /** Makes an invitation for the first owner, in the place of earlier ones; undefined where there is an owner. */
  readonly inviteFirstOwner: (account: string) => Effect.Effect<MadeInvitation | undefined>
  readonly invitations: (account: Account, page: PageRequest) => Effect.Effect<Page<Invited>, ValidationError>
  readonly getInvitation: (account: Account, id: string) => Effect.Effect<Invited, NotFound>
  /** From now on the link does nothing. Revoking it again, or one that is over, changes nothing. */
  readonly revokeInvitation: (by: Manager, account: Account, id: InvitationId) => Effect.Effect<Invited, NotFound | Forbidden>
  /** What the link of this secret invites to, while it works. */
  readonly invitation: (secret: string) => Effect.Effect<Invited, NotFound>
  /** Takes the invitation as a new user, also where its e-mail address is known: who somebody is, only a sign-in proves. */
  readonly join: (
    secret: string,
    person: { readonly name: string; readonly email: string | null }
  ) => Effect.Effect<UserId, NotFound | InvalidState>
  /** Takes the invitation as a user who is signed in. */
  readonly joinAs: (secret: string, user: string) => Effect.Effect<Invited, NotFound | InvalidState>
  /** Makes an owner of one account the owner of another, within the caller's transaction. False where they own the first no more. */
  readonly copyOwner: (move: OwnerCopy) => Effect.Effect<boolean>
}>()("@svc/accounts/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.gen(function*() {
      const transaction = withActor(yield* SqlClient.SqlClient)
      const within = <A, E>(change: Effect.Effect<A, E>) => Effect.catchTag(transaction(change), "SqlError", Effect.die)
      const repository = yield* PeopleRepository
      const sessions = yield* SessionRepository
      const random = yield* SecureRandom.SecureRandom
      const known = (yield* KnownScopes) ?? new Set<string>()
      const draw = Effect.provideService(drawSecret("join_"), SecureRandom.SecureRandom, random)
      const as = (id: string) => Effect.provideService(Actor, { type: "person", id })

      const get = Effect.fn("People.get")(function*(account: Account, id: string) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("person"))
      })

      /** Changes a role, or takes it where none is given. Of two who do it at once, the second finds what the first has left. */
      const change = (by: Manager, { account_id, id, version }: Which, role: Role | undefined) =>
        within(Effect.gen(function*() {
          const owners = yield* repository.lockOwners(account_id, id)
          const person = yield* get(account_id, id)
          yield* Effect.fromResult(mayChange(by, { owners, person, role, version }, known))
          if (role === person.role) return person
          yield* sessions.removeAll(account_id, id)
          // A link of theirs would bring them back.
          yield* repository.revokeLinksOf(account_id, id, yield* realNow)
          if (role !== undefined) {
            yield* repository.changeRole(account_id, id, role, yield* realNow)
            return yield* get(account_id, id)
          }
          yield* repository.remove(account_id, id)
          return person
        }))

      const make = Effect.fnUntraced(function*({ account_id, email, mailed = false, role }: Invite) {
        const created_at = yield* realNow
        const { hash, secret } = yield* draw
        const invitation: Invited = {
          id: InvitationId.make(yield* nextId("ivt")),
          account_id,
          role,
          email: email?.toLowerCase() ?? null,
          created_at,
          expires_at: DateTime.add(created_at, mailed ? { hours: MAILED_HOURS } : { minutes: INVITATION_MINUTES }),
          used_at: null,
          revoked_at: null,
          updated_at: created_at,
          version: 1
        }
        const { id: actor, type } = yield* Actor
        yield* repository.invite(invitation, { hash, invited_by: type === "person" ? actor : null })
        return { invitation, secret }
      })

      const invitation = Effect.fn("People.invitation")(function*(secret: string) {
        return (yield* repository.invitation(hashSecret(secret), yield* realNow)) ?? (yield* notFound("invitation"))
      })

      const getInvitation = Effect.fn("People.getInvitation")(function*(account: Account, id: string) {
        return (yield* repository.findInvitation(account, id)) ?? (yield* notFound("invitation"))
      })

      /** Takes the invitation in the name of a user whom `ready` makes or knows. */
      const take = Effect.fnUntraced(function*(secret: string, { email, ready, user_id }: Joining) {
        const { id } = yield* invitation(secret)
        const at = yield* realNow
        return yield* within(Effect.gen(function*() {
          const taken = (yield* repository.take(id, at)) ?? (yield* notFound("invitation"))
          yield* ready
          const address = taken.email ?? email?.toLowerCase() ?? null
          if (yield* repository.addMember({ account_id: taken.account_id, user_id, role: taken.role, email: address, at })) return taken
          return yield* new InvalidState({
            message: "You are here already. An owner can change your role.",
            details: { state: "member", allowed: [] }
          })
        })).pipe(as(user_id))
      })

      return People.of({
        list: Effect.fn("People.list")(function*(account: Account, page: PageRequest) {
          return yield* repository.list(account, yield* Effect.fromResult(checkPage(page)))
        }),
        get,
        changeRole: Effect.fn("People.changeRole")((by: Manager, which: Which, role: Role) => change(by, which, role)),
        remove: Effect.fn("People.remove")((by: Manager, which: Which) => change(by, which, undefined)),
        invite: Effect.fn("People.invite")((invite: Invite) => within(make(invite))),
        inviteBy: Effect.fn("People.inviteBy")(function*(by: Manager, invite: Invite) {
          yield* Effect.fromResult(mayGive(by, invite.role, known))
          return yield* within(make(invite))
        }),
        inviteFirstOwner: Effect.fn("People.inviteFirstOwner")((account: string) =>
          within(Effect.gen(function*() {
            if (yield* repository.hasOwner(account)) return undefined
            yield* repository.revokeOwnerLinks(account, yield* realNow)
            return yield* make({ account_id: account, role: "owner", email: null })
          }))
        ),
        invitations: Effect.fn("People.invitations")(function*(account: Account, page: PageRequest) {
          return yield* repository.invitations(account, yield* Effect.fromResult(checkPage(page)))
        }),
        getInvitation,
        revokeInvitation: Effect.fn("People.revokeInvitation")(function*(by: Manager, account: Account, id: InvitationId) {
          const found = yield* getInvitation(account, id)
          yield* Effect.fromResult(mayGive(by, found.role, known))
          return (yield* within(Effect.flatMap(realNow, (at) => repository.revoke(account, id, at)))) ?? (yield* getInvitation(account, id))
        }),
        invitation,
        join: Effect.fn("People.join")(
          function*(secret: string, { email, name }: { readonly name: string; readonly email: string | null }) {
            const id = UserId.make(yield* nextId("usr"))
            const ready = Effect.flatMap(realNow, (at) => repository.addUser({ id, name, at }))
            yield* take(secret, { user_id: id, email, ready })
            return id
          }
        ),
        joinAs: Effect.fn("People.joinAs")((secret: string, user_id: string) => take(secret, { user_id, email: null, ready: Effect.void })),
        copyOwner: Effect.fn("People.copyOwner")((move: OwnerCopy) => Effect.flatMap(realNow, (at) => repository.copyOwner(move, at)))
      })
    })
  ).pipe(Layer.provide([PeopleRepository.layer, SessionRepository.layer]))
}
