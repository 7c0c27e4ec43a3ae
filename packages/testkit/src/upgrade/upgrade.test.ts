/**
 * Data of each landed state, brought up to date: it can be read and gone on with, its keys open and its idempotency keys answer as they
 * did, and the verifiers find nothing where nothing is wrong.
 */
import { assert, describe, layer } from "@effect/vitest"
import { ABSENT } from "@svc/kernel/database/difference"
import { inspect, migrate, tableOf } from "@svc/kernel/database/migrate"
import { Ledger } from "@svc/ledger/financial-events/service"
import { migrationSets } from "@svc/server/packages"
import { WebhookEndpoints } from "@svc/webhooks/endpoints/service"
import { Effect, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { differences } from "../planted.ts"
import { type DumpFacts, dumpNames, readDump } from "./dump.ts"
import { restored } from "./restore.ts"
import { objectOf } from "./scenario.ts"
import { layerUpgraded, Upgraded } from "./upgraded.ts"

/** The payment that the scenario calls so, of the merchant in the world's time. */
const paymentOf = ({ exchanges, merchant }: DumpFacts, name: string): string =>
  String(objectOf(exchanges.find((one) => one.name === `${name}.create` && one.key === merchant.secret_key)?.answer ?? "")["id"])

const api = Effect.fnUntraced(function*(key: string, method: string, path: string, fields?: object) {
  const { status, text } = yield* (yield* Upgraded).ask({
    server: "api",
    key,
    method,
    path,
    ...(fields === undefined ? {} : { body: JSON.stringify(fields) })
  })
  return { status, ...objectOf(text) } as { readonly status: number; readonly [field: string]: unknown }
})

const booksAreRight = Effect.gen(function*() {
  const broken = yield* (yield* Ledger).verifyAll.pipe(Stream.filter(({ ok }) => !ok), Stream.runCollect)
  assert.deepStrictEqual(broken, [])
  assert.deepStrictEqual(yield* differences, [])
})

describe.each(dumpNames)("data of commit %s", (name) => {
  const dump = readDump(name)
  const { facts } = dump
  const { secret_key: key } = facts.merchant
  layer(layerUpgraded(dump), { excludeTestServices: true, timeout: 60_000 })("brought up to date", (it) => {
    it.effect("has nothing that verify-ledger or rebuild --verify names", () => booksAreRight)

    it.effect("answers each key that was used with the same bytes", () =>
      Effect.gen(function*() {
        const { ask } = yield* Upgraded
        const keyed = facts.exchanges.filter(({ body, server }) => server === "api" && body.includes("\"idempotency_key\""))
        assert.isAbove(keyed.length, 40)
        for (const { answer, name, status, ...asked } of keyed) {
          const again = yield* ask(asked)
          // A dispute, and a subscription, is found by its key long after, and answered as it is by now: of the merchant for whom a month
          // passed, another version.
          if (asked.key === facts.clocked.secret_key && /^(?:dispute|subscri)/u.test(name)) {
            assert.strictEqual(objectOf(again.text)["id"], objectOf(answer)["id"])
            continue
          }
          assert.deepStrictEqual([name, again.text], [name, answer])
          // What was made then is made no second time, and most routes say so by 200.
          assert.include(status === 201 ? [200, 201] : [status], again.status, name)
        }
      }))

    it.effect("has payments that can be read, captured, refunded and voided", () =>
      Effect.gen(function*() {
        for (const { account_id: _, secret_key } of [facts.merchant, facts.clocked]) {
          for (const { answer } of facts.exchanges.filter(({ key, name }) => key === secret_key && name.endsWith(".create"))) {
            const { id } = objectOf(answer)
            assert.deepInclude(yield* api(secret_key, "GET", `/v1/payment_intents/${String(id)}`), {
              status: 200,
              id,
              amount: 2000,
              currency: "EUR"
            })
          }
        }
        const step = (payment: string, verb: string, fields: object = {}) =>
          api(key, "POST", `/v1/payment_intents/${paymentOf(facts, payment)}/${verb}`, { ...fields, idempotency_key: randomUUID() })
        assert.deepInclude(yield* step("authorized", "capture"), { status: 200, state: "captured", captured_amount: 2000 })
        assert.deepInclude(yield* step("fallen_over", "void"), { status: 200, state: "cancelled" })
        assert.deepInclude(yield* step("created", "authorize", { payment_method_id: "tok_visa", capture: true }), {
          status: 200,
          state: "captured"
        })
        assert.deepInclude(yield* step("captured", "refund"), { status: 200, captured_amount: 2000, refunded_amount: 2000 })
        assert.deepInclude(yield* step("partly_refunded", "refund"), { status: 200, refunded_amount: 2000 })
        assert.deepInclude(yield* step("partly_captured", "refund", { amount: 200 }), { status: 200, refunded_amount: 200 })
        yield* booksAreRight
      }))

    it.effect("keeps the secret of its webhooks and the keys of its tools", () =>
      Effect.gen(function*() {
        const endpoint = yield* (yield* WebhookEndpoints).get(facts.merchant.account_id)
        assert.strictEqual(Redacted.value(endpoint.secret), facts.webhook_secret)
        const { ask } = yield* Upgraded
        for (const { body, key, path } of facts.exchanges.filter(({ name }) => name.startsWith("tool."))) {
          const { status } = yield* ask({ server: "tools", key, method: "POST", path, body })
          assert.strictEqual(status, 200)
        }
        yield* booksAreRight
      }))

    it.effect("has each migration recorded under its present package, as of when it was applied, and applies none a second time", () =>
      Effect.gen(function*() {
        assert.isEmpty((yield* inspect(migrationSets)).flatMap(({ missing }) => missing))
        assert.isEmpty(yield* migrate(migrationSets))
        const sql = yield* SqlClient.SqlClient
        for (const set of migrationSets.filter(({ formerly }) => formerly !== undefined)) {
          const former = tableOf({ name: set.formerly ?? "" })
          const [there] = yield* sql<{ readonly there: boolean }>`SELECT to_regclass(${former}) IS NOT NULL AS there`
          // The oldest states kept the migrations of all packages in one table.
          if (there?.there !== true) continue
          const recorded = yield* sql<{ readonly of: string; readonly same: boolean | null }>`
          SELECT former.migration_id || '_' || former.name AS of, own.created_at = former.created_at AS same
          FROM ${sql(former)} former LEFT JOIN ${sql(tableOf(set))} own USING (migration_id, name)`
          const moved = recorded.filter(({ of }) => of in set.migrations)
          // A state may be older than all that a package took over from the kernel.
          if (set.formerly === "tools") assert.isNotEmpty(moved, set.name)
          assert.isTrue(moved.every(({ same }) => same === true), set.name)
        }
      }))

    it.effect("has no row that may be changed without being named", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const changed = yield* sql<{ readonly id: string }>`UPDATE settlements SET amount = amount + 1 RETURNING id`
        const named = (yield* differences).filter(({ field, table }) => table === "settlements" && field === "amount")
        assert.isAbove(changed.length, 5)
        assert.deepStrictEqual(named.map(({ id }) => id).sort(), changed.map(({ id }) => id).sort())
        yield* sql`UPDATE settlements SET amount = amount - 1`
      }))
  })
})

/** Begins the log for what it does not know: left out at first, and run when rows have changed since. */
const beginsLog = (name: string) => name.endsWith("_before_log")
const before = migrationSets.map(({ migrations, ...set }) => ({
  ...set,
  migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => !beginsLog(name)))
}))
const beginnings = migrationSets.flatMap(({ migrations }) =>
  Object.entries(migrations).flatMap(([name, migration]) => beginsLog(name) ? [migration] : [])
)
const oldest = readDump("3d21f45")

layer(layerUpgraded(oldest, restored(oldest, [before])), { excludeTestServices: true, timeout: 60_000 })(
  "a log that was begun without what was there",
  (it) => {
    it.effect("is told of settlements that a migration made, once, and of nothing that was edited", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const unknown = yield* differences
        assert.isAbove(unknown.filter(({ derived, table }) => table === "settlements" && derived === ABSENT).length, 5)
        // One goes on after the log was begun; of a payment, whose version has an event, a field is edited.
        const id = paymentOf(oldest.facts, "captured")
        assert.deepInclude(
          yield* api(oldest.facts.merchant.secret_key, "POST", `/v1/payment_intents/${id}/refund`, {
            amount: 100,
            idempotency_key: randomUUID()
          }),
          { status: 200 }
        )
        yield* sql`UPDATE payment_intents SET metadata = '{"order": "edited"}' WHERE id = ${paymentOf(oldest.facts, "refunded")}`
        yield* Effect.all(beginnings, { discard: true })
        const left = yield* differences
        assert.deepStrictEqual(left.map(({ derived, field, stored }) => [field, stored, derived]), [[
          "metadata",
          "{\"order\":\"edited\"}",
          "{\"order\":\"refunded\"}"
        ]])
        yield* sql`UPDATE payment_intents SET metadata = '{"order": "refunded"}' WHERE id = ${paymentOf(oldest.facts, "refunded")}`
        yield* booksAreRight
      }))
  }
)
