/** Notices and their mails in Postgres. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type AttentionItem, MOST_ITEMS } from "../attention/model.ts"
import { Addressee, AttentionMail, type MailOutcome, MINUTES_BETWEEN_MAILS } from "./model.ts"

const decodeMail = Schema.decodeUnknownSync(AttentionMail)
const decodeAddressee = Schema.decodeUnknownSync(Addressee)

type Key = Pick<AttentionItem, "kind" | "resource_id">

/** A mail that is to be sent. */
export interface NewMail {
  readonly user_id: string
  readonly items: ReadonlyArray<AttentionItem>
}

const encodeItems = (items: ReadonlyArray<AttentionItem>): string => JSON.stringify(items)

/** Kinds of which there may be more than were told. */
const cutOff = (items: ReadonlyArray<Key>): ReadonlyArray<string> =>
  Array.from(Map.groupBy(items, ({ kind }) => kind)).filter(([, of]) => of.length >= MOST_ITEMS).map(([kind]) => kind)

export class AttentionNoticeRepository extends Context.Service<AttentionNoticeRepository, {
  /** Accounts of which somebody has an address, in the order of their ids. */
  readonly accountsAfter: (account: string, limit: number) => Effect.Effect<ReadonlyArray<string>>
  /** Runs this in a transaction unless another process is about to notice something of the same account. */
  readonly alone: (account: string, effect: Effect.Effect<void>) => Effect.Effect<void>
  /** Forgets what is not open any more. */
  readonly forget: (account: string, open: ReadonlyArray<AttentionItem>) => Effect.Effect<void>
  /** Whether people were written to just now. */
  readonly isTooSoon: (account: string, at: DateTime.Utc) => Effect.Effect<boolean>
  readonly addressees: (account: string) => Effect.Effect<ReadonlyArray<Addressee>>
  /** Notes these, and says which of them were not noted before. */
  readonly note: (account: string, items: ReadonlyArray<Key>, at: DateTime.Utc) => Effect.Effect<ReadonlyArray<Key>>
  readonly write: (account: string, mails: ReadonlyArray<NewMail>, at: DateTime.Utc) => Effect.Effect<void>
  /** A mail that is due, which from now on is this process's to send. */
  readonly take: (at: DateTime.Utc) => Effect.Effect<AttentionMail | undefined>
  readonly settle: (id: number, outcome: MailOutcome) => Effect.Effect<void>
}>()("@svc/accounts/AttentionNoticeRepository") {
  static readonly layer = Layer.effect(
    AttentionNoticeRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = (items: ReadonlyArray<Key>) =>
        sql`jsonb_to_recordset(${JSON.stringify(items.map(({ kind, resource_id }) => ({ kind, resource_id })))}::jsonb)
          i(kind text, resource_id text)`
      const done = (statement: Effect.Effect<unknown, SqlError.SqlError>) => Effect.orDie(Effect.asVoid(statement))

      return AttentionNoticeRepository.of({
        accountsAfter: (account, limit) =>
          Effect.orDie(Effect.map(
            sql<{ readonly account_id: string }>`SELECT DISTINCT account_id FROM members
              WHERE account_id > ${account} AND email IS NOT NULL ORDER BY account_id LIMIT ${limit}`,
            (rows) => rows.map(({ account_id }) => account_id)
          )),
        alone: (account, effect) =>
          Effect.gen(function*() {
            const [lock] = yield* sql<
              { readonly free: boolean }
            >`SELECT pg_try_advisory_xact_lock(hashtextextended(${`attention ${account}`}, 0)) AS free`
            if (lock?.free === true) yield* effect
          }).pipe(sql.withTransaction, Effect.orDie),
        forget: (account, open) =>
          done(sql`DELETE FROM attention_notices n WHERE account_id = ${account}
            AND NOT n.kind = ANY(${JSON.stringify(cutOff(open)).replace("[", "{").replace("]", "}")}::text[])
            AND NOT EXISTS (SELECT FROM ${keys(open)} WHERE i.kind = n.kind AND i.resource_id = n.resource_id)`),
        isTooSoon: (account, at) =>
          Effect.orDie(Effect.map(
            sql`SELECT FROM attention_mails WHERE account_id = ${account}
              AND created_at > ${iso(at)}::timestamptz - make_interval(mins => ${MINUTES_BETWEEN_MAILS}) LIMIT 1`,
            (rows) => rows.length > 0
          )),
        addressees: (account) =>
          Effect.orDie(Effect.map(
            sql`SELECT user_id, role FROM members
              WHERE account_id = ${account} AND email IS NOT NULL ORDER BY user_id`,
            (rows) => rows.map((row) => decodeAddressee(row))
          )),
        note: (account, items, at) =>
          Effect.orDie(sql<Key>`INSERT INTO attention_notices (account_id, kind, resource_id, noticed_at)
            SELECT ${account}, i.kind, i.resource_id, ${iso(at)}::timestamptz FROM ${keys(items)}
            ON CONFLICT DO NOTHING RETURNING kind, resource_id`),
        write: (account, mails, at) =>
          Effect.forEach(
            mails,
            ({ items, user_id }) =>
              done(sql`INSERT INTO attention_mails (account_id, user_id, items, status, attempts, due_at, created_at)
              VALUES (${account}, ${user_id}, ${encodeItems(items)}::jsonb, 'pending', 0, ${iso(at)}::timestamptz, ${
                iso(at)
              }::timestamptz)`),
            { discard: true }
          ),
        take: Effect.fnUntraced(function*(at: DateTime.Utc) {
          const [row] = yield* sql`UPDATE attention_mails mail SET status = 'sending', attempts = mail.attempts + 1
            FROM accounts a
            WHERE a.id = mail.account_id AND mail.id = (
              SELECT id FROM attention_mails WHERE status = 'pending' AND due_at <= ${iso(at)}::timestamptz
              ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING mail.id, mail.account_id, a.name AS account_name, a.sandbox, mail.user_id, mail.items, mail.attempts,
              (SELECT m.email FROM members m
               WHERE m.account_id = mail.account_id AND m.user_id = mail.user_id) AS email`
          return row === undefined ? undefined : decodeMail(row)
        }, Effect.orDie),
        settle: (id, outcome) =>
          done(sql`UPDATE attention_mails SET status = ${outcome.status},
            due_at = COALESCE(${outcome.status === "pending" ? outcome.due_at : null}::timestamptz, due_at) WHERE id = ${id}`)
      })
    })
  )
}
