/** People in Postgres. A null account is the installation. */
import { listPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Role } from "../access/model.ts"
import { type InvitationId, Invited, Person, type UserId } from "./model.ts"

const decodePeople = Schema.decodeUnknownEffect(Schema.Array(Person))
const decodeInvited = Schema.decodeUnknownEffect(Schema.Array(Invited))

type Account = string | null

export interface NewMember {
  readonly account_id: Account
  readonly user_id: string
  readonly role: Role
  readonly email: string | null
  readonly at: DateTime.Utc
}

const COLUMNS = "id, account_id, role, email, created_at, expires_at, used_at, revoked_at, updated_at, version"

/** Accounts and a person, by their ids. */
export interface OwnerCopy {
  readonly from: string
  readonly to: string
  readonly user: string
}

export class PeopleRepository extends Context.Service<PeopleRepository, {
  readonly list: (account: Account, page: PageRequest) => Effect.Effect<Page<Person>>
  readonly find: (account: Account, id: string) => Effect.Effect<Person | undefined>
  /** Ids of the owners. Nobody else changes them, nor this person, until the transaction is over. */
  readonly lockOwners: (account: Account, id: string) => Effect.Effect<ReadonlyArray<string>>
  readonly changeRole: (account: Account, id: UserId, role: Role, at: DateTime.Utc) => Effect.Effect<void>
  readonly remove: (account: Account, id: UserId) => Effect.Effect<void>
  readonly hasOwner: (account: Account) => Effect.Effect<boolean>
  readonly addUser: (
    user: { readonly id: string; readonly name: string; readonly at: DateTime.Utc }
  ) => Effect.Effect<void>
  /** False where the person is there already. */
  readonly addMember: (member: NewMember) => Effect.Effect<boolean>
  /** Makes an owner of one account the owner of another. False where the person owns the first no more. */
  readonly copyOwner: (move: OwnerCopy, at: DateTime.Utc) => Effect.Effect<boolean>
  readonly invite: (
    invitation: Invited,
    made: { readonly hash: string; readonly invited_by: string | null }
  ) => Effect.Effect<void>
  /** Revokes what somebody invited others to. */
  readonly revokeLinksOf: (account: Account, person: string, at: DateTime.Utc) => Effect.Effect<void>
  readonly invitations: (account: Account, page: PageRequest) => Effect.Effect<Page<Invited>>
  readonly findInvitation: (account: Account, id: string) => Effect.Effect<Invited | undefined>
  /** The invitation of this link, while it works. */
  readonly invitation: (hash: string, at: DateTime.Utc) => Effect.Effect<Invited | undefined>
  /** Takes the invitation, once: undefined where it was taken or is over. */
  readonly take: (id: InvitationId, at: DateTime.Utc) => Effect.Effect<Invited | undefined>
  /** Undefined where it does not work any more. */
  readonly revoke: (account: Account, id: InvitationId, at: DateTime.Utc) => Effect.Effect<Invited | undefined>
  /** Revokes the links to become an owner that are for whoever gets them. */
  readonly revokeOwnerLinks: (account: Account, at: DateTime.Utc) => Effect.Effect<void>
}>()("@svc/accounts/PeopleRepository") {
  static readonly layer = Layer.effect(
    PeopleRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const of = (account: Account) => sql`account_id IS NOT DISTINCT FROM ${account}`
      const works = (at: DateTime.Utc) => sql`used_at IS NULL AND revoked_at IS NULL AND expires_at > ${iso(at)}::timestamptz`
      const touched = (at: DateTime.Utc) => sql`updated_at = ${iso(at)}::timestamptz, version = version + 1`
      const columns = sql.literal(COLUMNS)

      return PeopleRepository.of({
        list: Effect.fnUntraced(function*(account: Account, page: PageRequest) {
          const { data, ...rest } = yield* listPage(sql, { table: "people", where: [of(account)] }, page)
          return { ...rest, data: yield* decodePeople(data) }
        }, Effect.orDie),
        find: Effect.fnUntraced(function*(account: Account, id: string) {
          return (yield* decodePeople(yield* sql`SELECT * FROM people WHERE ${of(account)} AND id = ${id}`))[0]
        }, Effect.orDie),
        lockOwners: (account, id) =>
          Effect.orDie(Effect.map(
            sql<{ readonly user_id: string; readonly role: string }>`SELECT user_id, role FROM members
              WHERE ${of(account)} AND (role = 'owner' OR user_id = ${id}) ORDER BY user_id FOR UPDATE`,
            (rows) => rows.filter(({ role }) => role === "owner").map(({ user_id }) => user_id)
          )),
        hasOwner: (account) =>
          Effect.orDie(
            Effect.map(sql`SELECT 1 FROM members WHERE ${of(account)} AND role = 'owner' LIMIT 1`, (rows) => rows.length > 0)
          ),
        changeRole: (account, id, role, at) =>
          Effect.orDie(sql`UPDATE members SET role = ${role}, ${touched(at)} WHERE ${of(account)} AND user_id = ${id}`).pipe(Effect.asVoid),
        remove: (account, id) => Effect.orDie(sql`DELETE FROM members WHERE ${of(account)} AND user_id = ${id}`).pipe(Effect.asVoid),
        addUser: ({ at, id, name }) =>
          Effect.orDie(sql`INSERT INTO users (id, name, created_at, updated_at, version)
            VALUES (${id}, ${name}, ${iso(at)}::timestamptz, ${iso(at)}::timestamptz, 1)`).pipe(Effect.asVoid),
        addMember: ({ account_id, at, email, role, user_id }) =>
          Effect.orDie(Effect.map(
            sql`INSERT INTO members (account_id, user_id, role, email, created_at, updated_at, version)
            VALUES (${account_id}, ${user_id}, ${role}, ${email}, ${iso(at)}::timestamptz, ${iso(at)}::timestamptz, 1)
            ON CONFLICT DO NOTHING RETURNING user_id`,
            (rows) => rows.length > 0
          )),
        copyOwner: ({ from, to, user }, at) =>
          Effect.orDie(Effect.map(
            sql`INSERT INTO members (account_id, user_id, role, email, created_at, updated_at, version)
            SELECT ${to}, user_id, role, email, ${iso(at)}::timestamptz, ${iso(at)}::timestamptz, 1 FROM members
            WHERE account_id = ${from} AND user_id = ${user} AND role = 'owner' RETURNING role`,
            (rows) => rows.length > 0
          )),
        invite: ({ account_id, created_at, email, expires_at, id, role }, { hash, invited_by }) =>
          Effect.orDie(sql`INSERT INTO invitations
              (id, account_id, role, email, invited_by, hash, created_at, expires_at, updated_at, version)
            VALUES (${id}, ${account_id}, ${role}, ${email}, ${invited_by}, ${hash}, ${iso(created_at)}::timestamptz, ${
            iso(expires_at)
          }::timestamptz,
              ${iso(created_at)}::timestamptz, 1)`).pipe(Effect.asVoid),
        invitations: Effect.fnUntraced(function*(account: Account, page: PageRequest) {
          const { data, ...rest } = yield* listPage(sql, { table: "invitations", columns, where: [of(account)] }, page)
          return { ...rest, data: yield* decodeInvited(data) }
        }, Effect.orDie),
        findInvitation: Effect.fnUntraced(function*(account: Account, id: string) {
          return (yield* decodeInvited(yield* sql`SELECT ${columns} FROM invitations WHERE ${of(account)} AND id = ${id}`))[0]
        }, Effect.orDie),
        invitation: Effect.fnUntraced(function*(hash: string, at: DateTime.Utc) {
          return (yield* decodeInvited(yield* sql`SELECT ${columns} FROM invitations WHERE hash = ${hash} AND ${works(at)}`))[0]
        }, Effect.orDie),
        take: Effect.fnUntraced(function*(id: InvitationId, at: DateTime.Utc) {
          const rows = yield* sql`UPDATE invitations SET used_at = ${iso(at)}::timestamptz, ${touched(at)}
            WHERE id = ${id} AND ${works(at)} RETURNING ${columns}`
          return (yield* decodeInvited(rows))[0]
        }, Effect.orDie),
        revoke: Effect.fnUntraced(function*(account: Account, id: InvitationId, at: DateTime.Utc) {
          const rows = yield* sql`UPDATE invitations SET revoked_at = ${iso(at)}::timestamptz, ${touched(at)}
            WHERE ${of(account)} AND id = ${id} AND ${works(at)} RETURNING ${columns}`
          return (yield* decodeInvited(rows))[0]
        }, Effect.orDie),
        revokeLinksOf: (account, person, at) =>
          Effect.orDie(sql`UPDATE invitations SET revoked_at = ${iso(at)}::timestamptz, ${touched(at)}
            WHERE ${of(account)} AND invited_by = ${person} AND ${works(at)}`).pipe(Effect.asVoid),
        revokeOwnerLinks: (account, at) =>
          Effect.orDie(sql`UPDATE invitations SET revoked_at = ${iso(at)}::timestamptz, ${touched(at)}
            WHERE ${of(account)} AND role = 'owner' AND email IS NULL AND ${works(at)}`).pipe(Effect.asVoid)
      })
    })
  )
}
