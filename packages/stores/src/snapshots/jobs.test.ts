import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { services } from "@svc/testkit/services"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SnapshotWorker } from "./jobs.ts"
import { ANONYMOUS_HOURS } from "./model.ts"
import { SnapshotStore } from "./service/snapshot-store.ts"

/** A moment of the machine's clock, in which the worker looks. */
const moment = Effect.provideService(Effect.sleep("20 millis"), Clock.Clock, Context.get(Context.empty(), Clock.Clock))

const hasFailed = (account: string, id: string) =>
  Effect.gen(function*() {
    yield* Effect.andThen(TestClock.adjust("10 seconds"), moment)
    return (yield* (yield* SnapshotStore).get(account, id)).status === "failed"
  }).pipe(Effect.repeat({ until: (failed) => failed, times: 1_500 }))

layer(services, { timeout: "60 seconds" })("the worker of snapshots", (it) => {
  it.effect("ends what nobody finishes, and takes away what has expired", () =>
    Effect.gen(function*() {
      const store = yield* SnapshotStore
      const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
      const description = { project_name: "shop" }
      const gone = yield* store.begin({ by: { account: account.id, perMonth: 1 }, description })
      const expired = yield* store.begin({ by: { network: "203.0.113" }, description })
      yield* TestClock.adjust(`${ANONYMOUS_HOURS} hours`)
      yield* Layer.build(SnapshotWorker)
      assert.isTrue(yield* hasFailed(account.id, gone))
      // The worker goes on: a later round finds what fell due since.
      const again = yield* store.begin({ by: { account: account.id, perMonth: 1 }, description })
      assert.isTrue(yield* hasFailed(account.id, again))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT id FROM snapshots WHERE id = ${expired}`, [])
    }))
})
