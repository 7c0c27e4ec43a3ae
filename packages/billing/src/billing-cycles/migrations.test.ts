/** What the migrations make of cycles that were there before: played once more in a transaction that is taken back. */
import { assert, layer } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { DunningPreset } from "@svc/accounts/accounts/settings"
import { services } from "@svc/testkit/services"
import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { CycleDunning } from "../engine/dunning/terms.ts"
import { after, cyclesOf, keyed, openAccount, sell, subscribe } from "../subscriptions/service/fixture.ts"
import { PlanChanges } from "../subscriptions/service/plan-change.ts"
import { Subscriptions } from "../subscriptions/service/subscriptions.ts"
import { migrations } from "./migrations.ts"

const idOfCycle = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))

/** What a migration leaves in its column, by the ids of the cycles. */
const again = Effect.fnUntraced(function*(name: keyof typeof migrations, column: string, cycles: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const played = sql.withTransaction(Effect.gen(function*() {
    yield* sql.unsafe(`ALTER TABLE billing_cycles DROP COLUMN ${column}`).unprepared
    yield* migrations[name] ?? Effect.die(new Error(`there is no ${name}`))
    const rows = yield* sql<Readonly<Record<string, unknown>>>`SELECT id, ${
      sql(column)
    } FROM billing_cycles WHERE id = ANY(${cycles}::text[])`
    return yield* new TakenBack({ values: new Map(rows.map((row) => [idOfCycle(row).id, row[column]])) })
  }))
  return yield* played.pipe(Effect.catchTag("TakenBack", ({ values }) => Effect.succeed(values)))
})

class TakenBack extends Data.TaggedError("TakenBack")<{ readonly values: ReadonlyMap<string, unknown> }> {}

/** The setting when the cycle began, the setting of today, and what is kept. */
const settings: ReadonlyArray<readonly [DunningPreset, DunningPreset, CycleDunning]> = [
  ["derived", "derived", { preset: "derived", grace_period_days: 3 }],
  ["polar21", "polar21", { preset: "polar21", grace_period_days: 21 }],
  ["stripe14", "stripe14", { preset: "stripe14", grace_period_days: 14 }],
  [[1, 3], [1, 3], { preset: [1, 3], grace_period_days: 4 }],
  // A setting that came later would make another grace, or other tries.
  ["polar21", "stripe14", { preset: "derived", grace_period_days: 21 }],
  [[1, 3], [2, 3], { preset: "derived", grace_period_days: 4 }],
  ["derived", [1, 2], { preset: "derived", grace_period_days: 3 }]
]

layer(services, { timeout: 120_000 })("cycles from before", (it) => {
  it.effect("that are pending keep the schedule by which they were tried so far", () =>
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const expected = new Map<string, CycleDunning>()
      for (const [before, later, kept] of settings) {
        const account = yield* openAccount({ dunning: before })
        const { id } = yield* subscribe(account, yield* sell(account), { payment_method_id: "tok_lost_card" })
        yield* accounts.update(AccountId.make(account.id), { settings: { billing: { ...account.settings.billing, dunning: later } } })
        expected.set((yield* cyclesOf(account, id))[0]?.id ?? "", kept)
      }
      assert.deepStrictEqual(yield* again("26112613_dunning_of_cycles", "dunning", [...expected.keys()]), expected)
    }))

  it.effect("that failed keep what came back of the credit that they used", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const [big, small] = [yield* sell(account, { amount: 3_100 }), yield* sell(account)]
      const { id } = yield* subscribe(account, big)
      yield* (yield* PlanChanges).change({
        account,
        id,
        keyed: keyed("subscription.change_plan"),
        request: { plan_id: small, proration_behavior: "now" }
      })
      yield* (yield* Subscriptions).update(account, id, { payment_method_id: "tok_insufficient_funds" })
      yield* after(account, "40 days")
      const cycles = yield* cyclesOf(account, id)
      assert.isAbove(cycles.at(-1)?.credit_returned ?? 0, 0)
      const values = yield* again("26112612_credit_of_failed_cycles", "credit_returned", cycles.map(({ id }) => id))
      assert.deepStrictEqual(cycles.map(({ id }) => Number(values.get(id))), cycles.map(({ credit_returned }) => credit_returned))
    }))
})
