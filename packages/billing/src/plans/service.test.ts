import { assert, layer } from "@effect/vitest"
import type { PageRequest } from "@svc/kernel/resource/pages"
import { openAccount } from "@svc/kernel/road/account-fixture"
import { services } from "@svc/testkit/services"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { CANCEL_SUBSCRIPTIONS, type CreatePlanRequest, type PlanFilter, plans as table, PlansById } from "./model.ts"
import { Plans } from "./service.ts"

const newest: PageRequest = { page: 1, per_page: 20 }
const Made = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))
const usual: CreatePlanRequest = { name: "Professional", amount: 2_000, currency: "USD", billing_period: "monthly" }

const account = Effect.map(openAccount, (id) => ({ id }))

const make = Effect.fnUntraced(function*(of: { readonly id: string }, request: Partial<CreatePlanRequest> = {}) {
  const { body } = yield* (yield* Plans).create(of, { ...usual, ...request })
  return Schema.decodeUnknownSync(Made)(body).id
})

const timersOf = Effect.fnUntraced(function*(of: { readonly id: string }) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<
    { readonly kind: string; readonly resource_id: string }
  >`SELECT kind, resource_id FROM timers WHERE account_id = ${of.id}`
})

layer(services)("plans", (it) => {
  it.effect("a plan is made as a draft, activated, sold, and archived", () =>
    Effect.gen(function*() {
      const of = yield* account
      const plans = yield* Plans
      const { body, replayed, status } = yield* plans.create(of, usual)
      assert.deepStrictEqual({ status, replayed }, { status: 201, replayed: false })
      const id = Schema.decodeUnknownSync(Made)(body).id
      assert.strictEqual(table.encode(yield* plans.get(of.id, id)).wire, body)
      assert.strictEqual((yield* Effect.flip(plans.planFor(of.id, id)))._tag, "PlanNotActive")
      yield* TestClock.adjust("1 day")
      yield* plans.update(of.id, id, { amount: 2_500 }, 1)
      const active = yield* plans.activate(of.id, id, 2)
      assert.deepInclude({ ...active }, { status: "active", amount: 2_500, version: 3 })
      assert.deepStrictEqual({ ...(yield* plans.planFor(of.id, id)) }, { ...active })
      const refused = yield* Effect.flip(plans.update(of.id, id, { amount: 3_000 }))
      assert.deepInclude({ ...refused }, { error: "invalid_state" })
      const archived = yield* plans.archive(of.id, id)
      assert.deepInclude({ ...archived }, { status: "archived", archive_option: "none", version: 4 })
      assert.deepStrictEqual({ ...(yield* plans.get(of.id, id)) }, { ...archived })
      assert.strictEqual((yield* Effect.flip(plans.planFor(of.id, id)))._tag, "PlanNotActive")
      assert.deepStrictEqual(yield* timersOf(of), [])
    }))

  it.effect("archived with its subscriptions, it has the timer that ends them", () =>
    Effect.gen(function*() {
      const of = yield* account
      const plans = yield* Plans
      const id = yield* make(of)
      yield* plans.activate(of.id, id)
      yield* plans.archive(of.id, id, "at_period_end", 2)
      assert.strictEqual((yield* plans.get(of.id, id)).archive_option, "at_period_end")
      assert.deepStrictEqual(yield* timersOf(of), [{ kind: CANCEL_SUBSCRIPTIONS, resource_id: id }])
    }))

  it.effect("one key makes one plan, however many ask at once", () =>
    Effect.gen(function*() {
      const of = yield* account
      const plans = yield* Plans
      const keyed = { key: `plan ${of.id}`, operation: "plan.create", fingerprint: "f" }
      const answers = yield* Effect.all(Array.from({ length: 16 }, () => plans.create(of, usual, keyed)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(answers.map(({ body }) => body)).size, 1)
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array.from({ length: 15 }, () => 200), 201])
      assert.strictEqual((yield* plans.list(of.id, {}, newest)).total, 1)
      assert.strictEqual((yield* Effect.flip(plans.create(of, usual, { ...keyed, fingerprint: "g" })))._tag, "IdempotencyKeyReused")
    }))

  it.effect("of two who change one version one is told", () =>
    Effect.gen(function*() {
      const of = yield* account
      const plans = yield* Plans
      const id = yield* make(of)
      const both = yield* Effect.all(["One", "Two"].map((name) => Effect.result(plans.update(of.id, id, { name }, 1))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(both.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
      assert.strictEqual((yield* plans.get(of.id, id)).version, 2)
    }))

  it.effect("nobody sees, changes, sells on or lists another account's plans", () =>
    Effect.gen(function*() {
      const [owner, stranger] = [yield* account, yield* account]
      const plans = yield* Plans
      const id = yield* make(owner)
      yield* plans.activate(owner.id, id)
      const absent = "plan_01KDV8Q400ABCDEFGHJKMNPQRS"
      const asked = (
        of: string
      ) => [
        plans.get(stranger.id, of),
        plans.update(stranger.id, of, { name: "Mine" }),
        plans.activate(stranger.id, of),
        plans.archive(stranger.id, of, "now")
      ]
      for (const verb of [0, 1, 2, 3]) {
        const [one, other, odd] = yield* Effect.forEach([id, absent, "\u0000"], (of) => Effect.flip(asked(of)[verb]!))
        assert.strictEqual(one?._tag, "NotFound")
        assert.strictEqual(JSON.stringify(one), JSON.stringify(other))
        assert.strictEqual(JSON.stringify(odd), JSON.stringify(other))
      }
      const [one, other] = yield* Effect.forEach([id, absent], (of) => Effect.flip(plans.planFor(stranger.id, of)))
      assert.deepInclude({ ...one }, { _tag: "ValidationError", code: "plan_id" })
      assert.strictEqual(JSON.stringify(one), JSON.stringify(other))
      assert.strictEqual((yield* plans.list(stranger.id, {}, newest)).total, 0)
      const byId = yield* PlansById
      assert.deepStrictEqual(yield* byId(stranger.id, [id]), [])
      assert.deepStrictEqual((yield* byId(owner.id, [id, absent, id])).map((plan): string => plan.id), [id])
    }))

  it.effect("lists are narrowed by status, currency, period and external id, each by an index", () =>
    Effect.gen(function*() {
      const of = yield* account
      const sql = yield* SqlClient.SqlClient
      const plans = yield* Plans
      const first = yield* make(of, { external_id: "one" })
      yield* make(of, { currency: "EUR", billing_period: "weekly" })
      yield* plans.activate(of.id, first)
      const count = (filter: PlanFilter) => Effect.map(plans.list(of.id, filter, newest), ({ total }) => total)
      const filters: ReadonlyArray<PlanFilter> = [
        {},
        { status: "active" },
        { status: "archived" },
        { currency: "EUR" },
        { billing_period: "monthly" },
        { external_id: "one" },
        { external_id: "two" },
        { status: "draft", currency: "USD" }
      ]
      assert.deepStrictEqual(yield* Effect.forEach(filters, count), [2, 1, 0, 1, 1, 1, 0, 0])
      for (const column of ["status", "currency", "billing_period", "external_id"]) {
        const plan = yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`SET LOCAL enable_seqscan = off`
          return JSON.stringify(
            yield* sql`EXPLAIN SELECT * FROM plans WHERE account_id = ${of.id} AND ${sql(column)} = 'x' ORDER BY id DESC LIMIT 21`
          )
        }))
        assert.include(plan, `plans_${column}`)
        assert.notInclude(plan, "Sort")
      }
    }))
})
