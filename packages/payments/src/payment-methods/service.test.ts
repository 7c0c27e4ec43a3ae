import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import type { PageRequest } from "@svc/kernel/resource/pages"
import { services } from "@svc/testkit/services"
import { Effect, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { openAccount } from "./fixture.ts"
import { paymentMethods } from "./model.ts"
import { PaymentMethods } from "./service.ts"

const newest: PageRequest = { page: 1, per_page: 20 }
const Made = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))
const idIn = (body: string) => Schema.decodeUnknownSync(Made)(body).id

const make = Effect.fnUntraced(function*(account: AccountFacts, request: { readonly token?: string; readonly customer_id?: string } = {}) {
  const { body } = yield* (yield* PaymentMethods).create(account, { type: "card", token: "tok_visa", ...request })
  return idIn(body)
})

const eventsOf = Effect.fnUntraced(function*(account: AccountFacts, id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly type: string; readonly resource_version: number; readonly data: string }>`
    SELECT type, resource_version, data FROM events WHERE account_id = ${account.id} AND resource_id = ${id} ORDER BY seq`
})

layer(services)("payment methods", (it) => {
  it.effect("a method is kept, told of, and never shows its token", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const { body, replayed, status } = yield* methods.create(account, {
        type: "card",
        token: "tok_visa",
        customer_id: "c",
        metadata: { a: "1" }
      })
      assert.deepStrictEqual({ status, replayed }, { status: 201, replayed: false })
      const method = yield* methods.get(account.id, idIn(body))
      assert.strictEqual(method.token, "tok_visa")
      assert.strictEqual(paymentMethods.encode(method).wire, body)
      assert.notInclude(body, "tok_visa")
      assert.deepStrictEqual(yield* eventsOf(account, method.id), [{ type: "payment_method.created", resource_version: 1, data: body }])
    }))

  it.effect("each change is one version and one event that carries it", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const id = yield* make(account)
      yield* TestClock.adjust("1 day")
      const updated = yield* methods.update(account.id, id, { customer_id: "d" })
      const same = yield* methods.update(account.id, id, { customer_id: "d" })
      assert.deepStrictEqual({ ...same }, { ...updated })
      const revoked = yield* methods.revoke(account.id, id, 2)
      assert.deepInclude({ ...revoked }, { status: "revoked", version: 3, customer_id: "d" })
      assert.deepStrictEqual({ ...(yield* methods.get(account.id, id)) }, { ...revoked })
      assert.strictEqual(revoked.updated_at.epochMilliseconds - revoked.created_at.epochMilliseconds, 86_400_000)
      const events = yield* eventsOf(account, id)
      assert.deepStrictEqual(events.map(({ resource_version, type }) => [type, resource_version]), [
        ["payment_method.created", 1],
        ["payment_method.updated", 2],
        ["payment_method.revoked", 3]
      ])
      assert.strictEqual(events[2]?.data, paymentMethods.encode(revoked).wire)
    }))

  it.effect("of many revocations at once one succeeds, and one event tells of it", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const id = yield* make(account)
      const results = yield* Effect.all(Array.from({ length: 16 }, () => Effect.result(methods.revoke(account.id, id))), {
        concurrency: "unbounded"
      })
      const said = results.map((result) => Result.isSuccess(result) ? "revoked" : result.failure._tag).sort()
      assert.deepStrictEqual(said, [...Array.from({ length: 15 }, () => "InvalidState"), "revoked"])
      assert.strictEqual((yield* eventsOf(account, id)).length, 2)
    }))

  it.effect("of many updates at once none is lost", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const id = yield* make(account)
      const values = Array.from({ length: 10 }, (_, n) => `customer ${n}`)
      yield* Effect.forEach(values, (customer_id) => methods.update(account.id, id, { customer_id }), { concurrency: "unbounded" })
      assert.strictEqual((yield* methods.get(account.id, id)).version, 11)
      const told = (yield* eventsOf(account, id)).slice(1).map(({ data }) => values.find((value) => data.includes(`"${value}"`)))
      assert.deepStrictEqual([...told].sort(), values)
    }))

  it.effect("one key makes one method, however many ask at once", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const keyed = { key: "same", operation: "payment_method.create", fingerprint: "f" }
      const request = { type: "card", token: "tok_visa" } as const
      const answers = yield* Effect.all(Array.from({ length: 16 }, () => methods.create(account, request, keyed)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(answers.map(({ body }) => body)).size, 1)
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array.from({ length: 15 }, () => 200), 201])
      assert.strictEqual(answers.filter(({ replayed }) => !replayed).length, 1)
      assert.strictEqual((yield* methods.list(account.id, {}, newest)).total, 1)
      const reused = yield* Effect.flip(methods.create(account, request, { ...keyed, fingerprint: "g" }))
      const foreign = yield* Effect.flip(methods.create(yield* openAccount(), request, keyed))
      assert.strictEqual(reused._tag, "IdempotencyKeyReused")
      assert.deepStrictEqual({ ...foreign }, { ...reused })
    }))

  it.effect("a refused request does not use up its key", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const keyed = { key: "refused first", operation: "payment_method.create", fingerprint: "f" }
      const refused = yield* Effect.flip(methods.create(account, { type: "card", token: "nonsense" }, keyed))
      assert.strictEqual(refused._tag, "ValidationError")
      assert.strictEqual((yield* methods.create(account, { type: "card", token: "tok_visa" }, { ...keyed, fingerprint: "g" })).status, 201)
    }))

  it.effect("what to charge: the account's own active methods, and test tokens in sandbox", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const other = yield* openAccount()
      const live = yield* openAccount("live")
      const methods = yield* PaymentMethods
      const own = yield* make(account, { token: "tok_amex" })
      const foreign = yield* make(other)
      const revoked = yield* make(account)
      yield* methods.revoke(account.id, revoked)
      const refusal = (of: AccountFacts, id: string) =>
        Effect.map(Effect.flip(methods.tokenFor(of, id, null)), (error) => JSON.stringify(error))

      assert.deepStrictEqual(yield* methods.tokenFor(account, own, null), { type: "card", token: "tok_amex" })
      assert.deepStrictEqual(yield* methods.tokenFor(account, "tok_usdc", null), { type: "usdc_wallet", token: "tok_usdc" })
      const unknown = yield* refusal(account, "pm_01KDV8Q400ABCDEFGHJKMNPQRS")
      assert.include(unknown, `"code":"payment_method_id"`)
      for (const id of [foreign, "tok_nobody", "", "pm_", "\u0000", "4242424242424242"]) {
        assert.strictEqual(yield* refusal(account, id), unknown, id)
      }
      assert.strictEqual(yield* refusal(live, "tok_visa"), unknown, "a live account has no test tokens")
      assert.notStrictEqual(yield* refusal(account, revoked), unknown)
      assert.strictEqual(yield* refusal(other, revoked), unknown, "that it was revoked is its owner's business")
    }))

  it.effect("a live account keeps a real provider's token and charges with it", () =>
    Effect.gen(function*() {
      const account = yield* openAccount("live")
      const id = yield* make(account, { token: "prov_9" })
      assert.deepStrictEqual(yield* (yield* PaymentMethods).tokenFor(account, id, null), { type: "card", token: "prov_9" })
    }))

  it.effect("nobody sees, changes or lists another account's methods", () =>
    Effect.gen(function*() {
      const owner = yield* openAccount()
      const stranger = yield* openAccount()
      const methods = yield* PaymentMethods
      const id = yield* make(owner)
      const absent = JSON.stringify(yield* Effect.flip(methods.get(stranger.id, "pm_01KDV8Q400ABCDEFGHJKMNPQRS")))
      const tries: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        methods.get(stranger.id, id),
        methods.update(stranger.id, id, { customer_id: "mine" }),
        methods.revoke(stranger.id, id),
        methods.get(stranger.id, "\u0000")
      ]
      for (const attempt of tries) assert.strictEqual(JSON.stringify(yield* Effect.flip(attempt)), absent)
      assert.strictEqual((yield* methods.list(stranger.id, {}, newest)).total, 0)
      assert.strictEqual((yield* methods.get(owner.id, id)).version, 1)
    }))

  it.effect("lists newest first, by page and by cursor, of all or of one customer", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const methods = yield* PaymentMethods
      const made = yield* Effect.forEach(Array.from({ length: 7 }, (_, n) => n), (n) =>
        Effect.andThen(TestClock.adjust(1), make(account, n % 2 === 0 ? { customer_id: "even" } : {})))
      const expected = [...made].reverse()
      const ids = Effect.fnUntraced(function*(page: Partial<PageRequest>, customer_id?: string) {
        const found = yield* methods.list(account.id, customer_id === undefined ? {} : { customer_id }, { ...newest, ...page })
        return {
          ids: found.data.map(({ id }): string =>
            id
          ),
          total: found.total,
          more: found.has_more
        }
      })
      assert.deepStrictEqual(yield* ids({}), { ids: expected, total: 7, more: false })
      assert.deepStrictEqual(yield* ids({ per_page: 3 }), { ids: expected.slice(0, 3), total: 7, more: true })
      assert.deepStrictEqual(yield* ids({ per_page: 3, page: 3 }), { ids: expected.slice(6), total: 7, more: false })
      assert.deepStrictEqual(yield* ids({ per_page: 3, after: expected[2] ?? "" }), { ids: expected.slice(3, 6), total: 7, more: true })
      assert.deepStrictEqual(yield* ids({ per_page: 3, before: expected[6] ?? "" }), { ids: expected.slice(3, 6), total: 7, more: true })
      assert.deepStrictEqual(yield* ids({ per_page: 3, before: expected[3] ?? "" }), { ids: expected.slice(0, 3), total: 7, more: false })
      assert.deepStrictEqual(yield* ids({}, "even"), { ids: expected.filter((_, n) => n % 2 === 0), total: 4, more: false })
      assert.deepStrictEqual(yield* ids({}, "nobody"), { ids: [], total: 0, more: false })
    }))

  it.effect("the list of one customer is served from its index", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const sql = yield* SqlClient.SqlClient
      yield* make(account, { customer_id: "c" })
      const text = (rows: ReadonlyArray<object>) => JSON.stringify(rows)
      const plan = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SET LOCAL enable_seqscan = off`
        return text(
          yield* sql`EXPLAIN SELECT * FROM payment_methods WHERE account_id = ${account.id} AND customer_id = 'c' ORDER BY id DESC LIMIT 21`
        )
      }))
      assert.include(plan, "payment_methods_customer")
      assert.notInclude(plan, "Sort")
    }))
})
