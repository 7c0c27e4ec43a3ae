/** The database can be thrown away: whatever somebody changes in a table, the ledger and the log name it. */
import { assert, layer } from "@effect/vitest"
import { Committer } from "@svc/kernel/road/committer"
import { catalog } from "@svc/server/catalog"
import { LoggedTables } from "@svc/webhooks/log/logged"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerDatabase } from "../database.ts"
import { accounts, besides, differences, named, plant, shown, spread } from "../planted.ts"
import { processWith } from "../process.ts"
import { connections, realTime } from "../real-time.ts"
import * as simulation from "./simulation.ts"

const EDITS = 1_000
const START = "2026-01-01T00:00:00.000Z"

layer(connections.pipe(Layer.provide(Layer.provide(layerDatabase, realTime))), { timeout: 60_000 })("the tables", (it) => {
  it.effect(
    `of simulated histories are what the ledger and the log make of them, and each of ${EDITS} planted edits is named`,
    () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(Date.parse(START))
        const sql = yield* SqlClient.SqlClient
        for (const seed of Array.from({ length: 8 }, (_, n) => `rebuild-${n}`)) {
          assert.deepStrictEqual((yield* simulation.simulate(seed)).problems, [])
        }
        yield* Effect.gen(function*() {
          const committer = yield* Committer
          const at = DateTime.makeUnsafe(START)
          for (const [n, account_id] of (yield* accounts).entries()) {
            const move = (spent: number, reserved: number) => ({ name: "tested", key: `key ${n}`, add: { spent, reserved } })
            yield* committer.commit({
              account_id,
              at,
              cause: "counted",
              writes: [],
              entries: [],
              events: [],
              set: [],
              clear: [],
              counters: [move(3, 4), move(2, 0), { ...move(1, 1), window: { period: "day", start: at } }]
            })
            yield* committer.commit({
              account_id,
              at,
              cause: "counted",
              writes: [],
              entries: [],
              events: [],
              set: [],
              clear: [],
              counters: [move(4, -4)]
            })
          }
          assert.deepStrictEqual(yield* differences, [])
          const kinds = (yield* LoggedTables).all().map(({ resource_type }) => `${resource_type}.`)
          assert.deepStrictEqual(
            Array.from(catalog.events.keys()).filter((type) => !kinds.some((kind) => type.startsWith(kind))),
            [],
            "contribute the table with logged of @svc/webhooks/log/logged"
          )

          const all = [...yield* shown(sql), ...yield* besides(sql)]
          const fields = spread(all, EDITS)
          assert.strictEqual(fields.length, EDITS)
          assert.includeMembers(Array.from(new Set(fields.map(({ table }) => table))), [
            "payment_intents",
            "settlements",
            "subscriptions",
            "billing_cycles",
            "invoices",
            "balance_accounts",
            "account_heads",
            "counters"
          ])
          yield* plant(fields)
          assert.sameMembers((yield* differences).map(named), fields.map(named))
        }).pipe(Effect.provide(processWith()))
      }),
    300_000
  )
})
