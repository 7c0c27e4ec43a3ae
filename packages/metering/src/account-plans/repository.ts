/** Plans that were bought, in Postgres. Every method takes the account first. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SoldPlan } from "../plans/model.ts"
import { type AccountPlan, accountPlans } from "./model.ts"

export class AccountPlanRepository extends Context.Service<AccountPlanRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<AccountPlan | undefined>
  readonly findByPlan: (account: string, plan: SoldPlan) => Effect.Effect<AccountPlan | undefined>
}>()("@svc/metering/AccountPlanRepository") {
  static readonly layer = Layer.effect(
    AccountPlanRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const first = ([row]: ReadonlyArray<unknown>) => row === undefined ? undefined : accountPlans.decode(row)
      return AccountPlanRepository.of({
        find: (account, id) =>
          Effect.orDie(Effect.map(sql`SELECT * FROM account_plans WHERE account_id = ${account} AND id = ${id}`, first)),
        findByPlan: (account, plan) =>
          Effect.orDie(Effect.map(sql`SELECT * FROM account_plans WHERE account_id = ${account} AND plan = ${plan}`, first))
      })
    })
  )
}
