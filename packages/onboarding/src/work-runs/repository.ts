/** What onboarding reads of an account's rows, in one query, and the work run that was last kept. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type OnboardingFacts, type WorkRun, workRuns } from "./model.ts"

const decode = Schema.decodeUnknownEffect(Schema.Struct({
  sandbox: Schema.Boolean,
  terms_accepted: Schema.Boolean,
  business_verified: Schema.Boolean,
  business_pending: Schema.Boolean,
  bank_active: Schema.Boolean,
  bank_verified: Schema.Boolean,
  webhook_endpoint: Schema.Boolean,
  captured: Schema.Boolean,
  live_requested: Schema.Boolean,
  live_account_id: Schema.NullOr(AccountId)
}))

export class WorkRunRepository extends Context.Service<WorkRunRepository, {
  /** An index leads each of the parts. */
  readonly facts: (account: string, termsVersion: string) => Effect.Effect<OnboardingFacts>
  readonly kept: (account: string) => Effect.Effect<WorkRun | undefined>
}>()("@svc/onboarding/WorkRunRepository") {
  static readonly layer = Layer.effect(
    WorkRunRepository,
    Effect.map(SqlClient.SqlClient, (sql) =>
      WorkRunRepository.of({
        facts: Effect.fnUntraced(function*(account, termsVersion) {
          const [row] = yield* sql`SELECT a.sandbox,
            EXISTS (SELECT 1 FROM terms_acceptances WHERE merchant_id = a.id AND terms_version = ${termsVersion}) AS terms_accepted,
            EXISTS (SELECT 1 FROM legal_entities WHERE account_id = a.id AND verification_status = 'verified') AS business_verified,
            EXISTS (SELECT 1 FROM legal_entities WHERE account_id = a.id AND verification_status = 'pending') AS business_pending,
            EXISTS (SELECT 1 FROM transfer_instruments WHERE account_id = a.id AND status = 'active') AS bank_active,
            EXISTS (SELECT 1 FROM transfer_instruments WHERE account_id = a.id AND status = 'verified') AS bank_verified,
            EXISTS (SELECT 1 FROM webhook_endpoints WHERE account_id = a.id) AS webhook_endpoint,
            EXISTS (SELECT 1 FROM payment_intents WHERE merchant_id = a.id AND state = 'captured')
              OR EXISTS (SELECT 1 FROM payment_intents WHERE merchant_id = a.id AND state = 'refunded') AS captured,
            EXISTS (SELECT 1 FROM go_live_requests WHERE merchant_id = a.id AND status = 'pending') AS live_requested,
            (SELECT live_account_id FROM go_live_requests WHERE merchant_id = a.id AND status = 'approved') AS live_account_id
            FROM accounts a WHERE a.id = ${account}`
          return yield* decode(row)
        }, Effect.orDie),
        kept: Effect.fnUntraced(function*(account) {
          const [row] = yield* sql`SELECT * FROM work_runs WHERE merchant_id = ${account}`
          return row === undefined ? undefined : workRuns.decode(row)
        }, Effect.orDie)
      }))
  )
}
