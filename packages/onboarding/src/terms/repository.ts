/** Acceptances in Postgres. Every method takes the account first. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type TermsAcceptance, termsAcceptances } from "./model.ts"

export class TermsRepository extends Context.Service<TermsRepository, {
  readonly ofVersion: (account: string, version: string) => Effect.Effect<TermsAcceptance | undefined>
  readonly all: (account: string) => Effect.Effect<ReadonlyArray<TermsAcceptance>>
  /** For an account that is opened, within the transaction that does. */
  readonly insert: (account: string, acceptances: ReadonlyArray<TermsAcceptance>) => Effect.Effect<void>
}>()("@svc/onboarding/TermsRepository") {
  static readonly layer = Layer.effect(
    TermsRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      TermsRepository.of({
        ofVersion: Effect.fnUntraced(function*(account, version) {
          const [row] = yield* sql`SELECT * FROM terms_acceptances WHERE merchant_id = ${account} AND terms_version = ${version}`
          return row === undefined ? undefined : termsAcceptances.decode(row)
        }, Effect.orDie),
        all: Effect.fnUntraced(function*(account) {
          return (yield* sql`SELECT * FROM terms_acceptances WHERE merchant_id = ${account} ORDER BY id`).map(termsAcceptances.decode)
        }, Effect.orDie),
        insert: (account, acceptances) => {
          const rows = acceptances.map((one) => ({ ...termsAcceptances.encode(one).row, merchant_id: account }))
          return Effect.orDie(Effect.asVoid(sql`INSERT INTO terms_acceptances
            SELECT r.* FROM jsonb_populate_recordset(NULL::terms_acceptances, ${JSON.stringify(rows)}::jsonb) r`))
        }
      }))
  )
}
