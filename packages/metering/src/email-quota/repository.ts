/** How many people an account has written to today, in Postgres: counted before they are written to, in all processes together. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class EmailQuotaRepository extends Context.Service<EmailQuotaRepository, {
  /** Whether somebody has paid for the account, or the operator has given it a plan or credits. */
  readonly isPaid: (account: string) => Effect.Effect<boolean>
  /** Counts recipients of a day, such as `2026-11-23`. False, and nothing is counted, where they would be more than `limit`. */
  readonly take: (account: string, day: string, recipients: number, limit: number) => Effect.Effect<boolean>
  /** Takes back what nobody got. */
  readonly giveBack: (account: string, day: string, recipients: number) => Effect.Effect<void>
}>()("@svc/metering/EmailQuotaRepository") {
  static readonly layer = Layer.effect(
    EmailQuotaRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return EmailQuotaRepository.of({
        isPaid: (account) =>
          Effect.orDie(Effect.map(
            sql<{ readonly paid: boolean }>`
              SELECT EXISTS (SELECT FROM credit_grants WHERE account_id = ${account} AND source IN ('purchase', 'plan', 'operator'))
                OR EXISTS (SELECT FROM account_plans WHERE account_id = ${account}) AS paid`,
            ([row]) => row?.paid === true
          )),
        take: (account, day, recipients, limit) =>
          recipients > limit ? Effect.succeed(false) : Effect.orDie(Effect.map(
            sql`
              INSERT INTO email_recipients AS r (account_id, day, recipients) VALUES (${account}, ${day}::date, ${recipients})
              ON CONFLICT (account_id) DO UPDATE SET day = excluded.day,
                recipients = excluded.recipients + CASE WHEN r.day = excluded.day THEN r.recipients ELSE 0 END
              WHERE excluded.recipients + CASE WHEN r.day = excluded.day THEN r.recipients ELSE 0 END <= ${limit}::bigint
              RETURNING r.recipients`,
            (rows) => rows.length > 0
          )),
        giveBack: (account, day, recipients) =>
          Effect.asVoid(Effect.orDie(sql`
            UPDATE email_recipients SET recipients = greatest(0, recipients - ${recipients}::bigint)
            WHERE account_id = ${account} AND day = ${day}::date`))
      })
    })
  )
}
