/** Sessions in Postgres. A session that is over is removed by the next sign-in, and found by nobody until then. */
import { listPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { iso, Timestamp } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Role } from "../access/model.ts"
import { FACTS_OF_A, StoredFacts } from "../accounts/repository.ts"
import { IDLE_MINUTES, LONGEST_HOURS, Membership, PersonSession } from "./model.ts"

/** A session that is open, with the person and their account. */
const OpenSession = Schema.Struct({
  id: Schema.String,
  user_id: Schema.String,
  name: Schema.String,
  email: Schema.NullOr(Schema.String),
  role: Role,
  confirmed_at: Timestamp,
  account: Schema.NullOr(StoredFacts),
  account_name: Schema.NullOr(Schema.String),
  clocked: Schema.Boolean
})
export type OpenSession = typeof OpenSession.Type

const StoredSession = Schema.Struct({
  id: Schema.String,
  user_id: Schema.String,
  account_id: Schema.NullOr(Schema.String),
  ip: Schema.NullOr(Schema.String),
  user_agent: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  seen_at: Timestamp,
  confirmed_at: Timestamp
})
export type StoredSession = typeof StoredSession.Type

const decode = Schema.decodeUnknownEffect(OpenSession)
const decodeStored = Schema.decodeUnknownEffect(Schema.Array(StoredSession))
const decodeShown = Schema.decodeUnknownEffect(Schema.Array(PersonSession))
const decodeMemberships = Schema.decodeUnknownEffect(Schema.Array(Membership))

/** Whose sessions. A null account is the installation; without a person those of everybody. */
export interface Whose {
  readonly account_id: string | null
  readonly person_id?: string
}

export class SessionRepository extends Context.Service<SessionRepository, {
  readonly insert: (session: StoredSession & { readonly hash: string }) => Effect.Effect<void>
  /** The open session of this secret. That it was used is written once a minute at most. */
  readonly seen: (hash: string, at: DateTime.Utc) => Effect.Effect<OpenSession | undefined>
  /** Newest first, those that are open. */
  readonly list: (whose: Whose, at: DateTime.Utc, page: PageRequest) => Effect.Effect<Page<PersonSession>>
  readonly find: (whose: Whose, id: string, at: DateTime.Utc) => Effect.Effect<PersonSession | undefined>
  /** The session was confirmed, and has another secret from now on. False where it is over. */
  readonly confirm: (id: string, hash: string, at: DateTime.Utc) => Effect.Effect<boolean>
  /** Ends a session; undefined where it is over. */
  readonly remove: (id: string, at: DateTime.Utc) => Effect.Effect<StoredSession | undefined>
  /** Ends all sessions of somebody in one account. */
  readonly removeAll: (account_id: string | null, user_id: string) => Effect.Effect<void>
  /** Ends what has been over for a day. */
  readonly clean: (at: DateTime.Utc) => Effect.Effect<void>
  /** Ids of the open sessions of an account, which nobody else ends until the transaction is over. */
  readonly lockOpen: (account_id: string, at: DateTime.Utc) => Effect.Effect<ReadonlyArray<string>>
  readonly memberships: (user_id: string) => Effect.Effect<ReadonlyArray<Membership>>
}>()("@svc/accounts/SessionRepository") {
  static readonly layer = Layer.effect(
    SessionRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const isOpen = (at: DateTime.Utc) =>
        sql`seen_at > ${iso(DateTime.subtract(at, { minutes: IDLE_MINUTES }))}::timestamptz
          AND created_at > ${iso(DateTime.subtract(at, { hours: LONGEST_HOURS }))}::timestamptz`
      const of = ({ account_id, person_id }: Whose) =>
        sql`account_id IS NOT DISTINCT FROM ${account_id}${person_id === undefined ? sql`` : sql` AND user_id = ${person_id}`}`
      const stored = sql.literal("id, user_id, account_id, ip, user_agent, created_at, seen_at, confirmed_at")
      const shown = sql.literal("id, account_id, user_id AS person_id, ip, user_agent, created_at, seen_at, confirmed_at")

      return SessionRepository.of({
        insert: ({ account_id, confirmed_at, created_at, hash, id, ip, seen_at, user_agent, user_id }) =>
          Effect.orDie(sql`INSERT INTO sessions (id, user_id, account_id, hash, ip, user_agent, created_at, seen_at, confirmed_at)
            VALUES (${id}, ${user_id}, ${account_id}, ${hash}, ${ip}, ${user_agent}, ${iso(created_at)}::timestamptz,
              ${iso(seen_at)}::timestamptz, ${iso(confirmed_at)}::timestamptz)`).pipe(Effect.asVoid),
        seen: Effect.fnUntraced(function*(hash: string, at: DateTime.Utc) {
          const minuteAgo = iso(DateTime.subtract(at, { minutes: 1 }))
          const [row] = yield* sql`
            WITH used AS (
              UPDATE sessions SET seen_at = ${iso(at)}::timestamptz
              WHERE hash = ${hash} AND ${isOpen(at)} AND seen_at <= ${minuteAgo}::timestamptz)
            SELECT s.id, s.user_id, u.name, m.email, m.role, s.confirmed_at, a.name AS account_name, c.account_id IS NOT NULL AS clocked,
              CASE WHEN a.id IS NULL THEN NULL ELSE ${sql.literal(FACTS_OF_A)} END AS account
            FROM (SELECT * FROM sessions WHERE hash = ${hash} AND ${isOpen(at)}) s
            JOIN users u ON u.id = s.user_id
            JOIN members m ON m.user_id = s.user_id AND m.account_id IS NOT DISTINCT FROM s.account_id
            LEFT JOIN accounts a ON a.id = s.account_id
            LEFT JOIN account_clocks c ON c.account_id = s.account_id`
          return row === undefined ? undefined : yield* decode(row)
        }, Effect.orDie),
        list: Effect.fnUntraced(function*(whose: Whose, at: DateTime.Utc, page: PageRequest) {
          const { data, ...rest } = yield* listPage(sql, { table: "sessions", columns: shown, where: [of(whose), isOpen(at)] }, page)
          return { ...rest, data: yield* decodeShown(data) }
        }, Effect.orDie),
        find: Effect.fnUntraced(function*(whose: Whose, id: string, at: DateTime.Utc) {
          const rows = yield* sql`SELECT ${shown} FROM sessions WHERE ${of(whose)} AND id = ${id} AND ${isOpen(at)}`
          return (yield* decodeShown(rows))[0]
        }, Effect.orDie),
        confirm: (id, hash, at) =>
          Effect.orDie(Effect.map(
            sql`UPDATE sessions SET confirmed_at = ${iso(at)}::timestamptz, hash = ${hash} WHERE id = ${id} AND ${isOpen(at)} RETURNING id`,
            (rows) => rows.length > 0
          )),
        remove: Effect.fnUntraced(function*(id: string, at: DateTime.Utc) {
          const rows = yield* sql`DELETE FROM sessions WHERE id = ${id} AND ${isOpen(at)} RETURNING ${stored}`
          return (yield* decodeStored(rows))[0]
        }, Effect.orDie),
        removeAll: (account_id, user_id) =>
          Effect.orDie(sql`DELETE FROM sessions WHERE ${of({ account_id, person_id: user_id })}`).pipe(Effect.asVoid),
        clean: (at) =>
          Effect.orDie(sql`DELETE FROM sessions WHERE created_at < ${iso(DateTime.subtract(at, { hours: 24 }))}::timestamptz`).pipe(
            Effect.asVoid
          ),
        lockOpen: (account_id, at) =>
          Effect.orDie(Effect.map(
            sql<{ readonly id: string }>`SELECT id FROM sessions WHERE account_id = ${account_id} AND ${isOpen(at)} ORDER BY id FOR UPDATE`,
            (rows) => rows.map(({ id }) => id)
          )),
        memberships: Effect.fnUntraced(function*(user_id: string) {
          return yield* decodeMemberships(
            yield* sql`SELECT m.account_id, a.name AS account_name, COALESCE(a.sandbox, false) AS sandbox, m.role
              FROM members m LEFT JOIN accounts a ON a.id = m.account_id WHERE m.user_id = ${user_id} ORDER BY m.account_id NULLS FIRST`
          )
        }, Effect.orDie)
      })
    })
  )
}
