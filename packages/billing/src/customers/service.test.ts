import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import { contribute } from "@svc/kernel/parts/contributions"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import type { PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { openAccount as opened } from "@svc/kernel/road/account-fixture"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { now } from "@svc/kernel/values/time"
import { PaymentMethodId } from "@svc/payments/payment-methods/model"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { services } from "@svc/testkit/services"
import { Effect, Latch, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CUSTOMERS_OF_METHODS } from "./migrations.ts"
import { CustomersByReference, defaultMethodChanged } from "./model.ts"
import { Customers } from "./service.ts"

const newest: PageRequest = { page: 1, per_page: 20 }
const Made = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))
const MadeMethod = Schema.fromJsonString(Schema.Struct({ id: PaymentMethodId }))
const idIn = ({ body }: { readonly body: string }) => Schema.decodeUnknownSync(Made)(body).id

const openAccount = Effect.map(
  opened,
  (id): AccountFacts => ({
    id,
    sandbox: true,
    status: "active",
    capabilities: ["charges", "payouts"],
    restrictions: [],
    fee_tier_bps: null,
    settings: defaultSettings,
    api_version: CURRENT_API_VERSION
  })
)

/** A method of the customer, or of nobody. */
const method = (account: AccountFacts, customer_id: string | null = null) =>
  Effect.flatMap(
    PaymentMethods,
    (methods) =>
      Effect.map(methods.create(account, { type: "card", token: "tok_visa", customer_id }), ({ body }) =>
        Schema.decodeUnknownSync(MadeMethod)(body).id)
  )

const known = Effect.fnUntraced(function*(account: AccountFacts, reference: string) {
  const found = yield* (yield* Customers).find(account.id, reference)
  return found === undefined ? undefined : { default: found.default_payment_method_id, version: found.version }
})

/** Commits what a part above writes with an addition of customers. */
const commit = Effect.fnUntraced(function*(account: AccountFacts, addition: Addition) {
  const { clear = [], entries = [], events = [], moments = [], set = [], writes = [] } = addition
  yield* (yield* Committer).commit({ account_id: account.id, at: yield* now, cause: "test", writes, entries, events, set, clear, moments })
})

/** What followers of the default heard. */
const heard: Array<string> = []
const listening = contribute(
  FollowUps,
  Effect.succeed([
    defaultMethodChanged.follow(({ before, customer }) =>
      Effect.sync((): Addition => {
        heard.push(`${customer.customer_id} ${before ?? "none"} ${customer.default_payment_method_id ?? "none"}`)
        return {}
      })
    )
  ])
)

layer(listening.pipe(Layer.provideMerge(services)))("customers", (it) => {
  it.effect("are made, found by id and by reference, and changed", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const customers = yield* Customers
      const made = yield* customers.create(account, { customer_id: "c/1 ü", name: "Jo", email: "jo@example.com" })
      assert.strictEqual(made.status, 201)
      const customer = yield* customers.get(account.id, idIn(made))
      assert.deepInclude({ ...customer }, {
        customer_id: "c/1 ü",
        name: "Jo",
        email: "jo@example.com",
        locale: null,
        default_payment_method_id: null,
        version: 1
      })
      assert.deepStrictEqual({ ...(yield* customers.get(account.id, "c/1 ü")) }, { ...customer })
      const changed = yield* customers.update(account.id, "c/1 ü", { locale: "de", metadata: { a: "1" } }, 1)
      assert.deepInclude({ ...changed }, { locale: "de", metadata: { a: "1" }, name: "Jo", version: 2 })
      assert.strictEqual((yield* Effect.flip(customers.update(account.id, customer.id, { name: null }, 1)))._tag, "VersionConflict")
      const nameless = yield* customers.create(account, {})
      assert.strictEqual((yield* customers.get(account.id, idIn(nameless))).customer_id, idIn(nameless))
    }))

  it.effect("a reference is one customer's: the second is refused, also of many at once", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const customers = yield* Customers
      const results = yield* Effect.all(Array.from({ length: 8 }, () => Effect.result(customers.create(account, { customer_id: "c" }))), {
        concurrency: "unbounded"
      })
      assert.strictEqual(results.filter(({ _tag }) => _tag === "Success").length, 1)
      const refused = yield* Effect.flip(customers.create(account, { customer_id: "c" }))
      assert.deepInclude({ ...refused }, { _tag: "ValidationError", code: "customer_id" })
      yield* customers.create(yield* openAccount, { customer_id: "c" })
    }))

  it.effect("one key makes one customer, however many ask at once", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const customers = yield* Customers
      const keyed = { key: `customer ${account.id}`, operation: "customer.create", fingerprint: "f" }
      const answers = yield* Effect.all(Array.from({ length: 16 }, () => customers.create(account, { customer_id: "c" }, keyed)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(answers.map(({ body }) => body)).size, 1)
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [...Array.from({ length: 15 }, () => 200), 201])
    }))

  it.effect("of many commits that name one unknown customer, one makes it and the others find it", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const customers = yield* Customers
      const everybodyLooked = Latch.makeUnsafe(false)
      let decisions = 0
      const naming = Effect.gen(function*() {
        const { customer, ...addition } = yield* customers.known(account.id, "new", yield* now, { email: "jo@example.com" })
        if (++decisions === 8) everybodyLooked.openUnsafe()
        yield* everybodyLooked.await
        yield* commit(account, addition)
        return customer
      })
      const named = yield* Effect.all(Array.from({ length: 8 }, () => untilCommitted("customer", naming)), { concurrency: "unbounded" })
      assert.strictEqual(new Set(named.map(({ id }) => id)).size, 1)
      assert.strictEqual((yield* customers.list(account.id, {}, newest)).total, 1)
      assert.strictEqual(named[0]?.email, "jo@example.com")
      assert.isAbove(decisions, 8, "those who lost decided again")
      const { customer: _, ...more } = yield* customers.known(account.id, "new", yield* now)
      assert.deepStrictEqual(more, {})
    }))

  it.effect("a payment method makes its customer, whose default the first one is", () =>
    Effect.gen(function*() {
      heard.length = 0
      const account = yield* openAccount
      const first = yield* method(account, "c")
      assert.deepStrictEqual(yield* known(account, "c"), { default: first, version: 1 })
      yield* method(account, "c")
      assert.deepStrictEqual(yield* known(account, "c"), { default: first, version: 1 })
      yield* method(account)
      assert.strictEqual((yield* (yield* Customers).list(account.id, {}, newest)).total, 1)
      assert.deepStrictEqual(heard, [`c none ${first}`])
    }))

  it.effect("of many methods for one new customer at once each is kept, and one is the default", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const made = yield* Effect.all(Array.from({ length: 8 }, () => method(account, "c")), { concurrency: "unbounded" })
      const found = yield* known(account, "c")
      assert.include(made, found?.default)
      assert.strictEqual((yield* (yield* PaymentMethods).list(account.id, { customer_id: "c" }, newest)).total, 8)
    }))

  it.effect("the default that is revoked, or given to another customer, is the default no longer", () =>
    Effect.gen(function*() {
      heard.length = 0
      const account = yield* openAccount
      const methods = yield* PaymentMethods
      const [first, second] = [yield* method(account, "c"), yield* method(account, "c")]
      yield* methods.revoke(account.id, first)
      assert.deepInclude(yield* known(account, "c"), { default: null })
      const third = yield* method(account, "c")
      assert.deepInclude(yield* known(account, "c"), { default: third })
      yield* methods.update(account.id, third, { customer_id: "d" })
      assert.deepInclude(yield* known(account, "c"), { default: null })
      assert.deepStrictEqual(yield* known(account, "d"), { default: third, version: 1 })
      yield* methods.update(account.id, second, { metadata: { a: "1" } })
      yield* methods.update(account.id, third, { customer_id: null })
      assert.deepInclude(yield* known(account, "d"), { default: null })
      assert.deepStrictEqual(heard, [
        `c none ${first}`,
        `c ${first} none`,
        `c none ${third}`,
        `c ${third} none`,
        `d none ${third}`,
        `d ${third} none`
      ])
    }))

  it.effect("the default is an active method of the customer, or of nobody, whose it then is", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const [customers, methods] = [yield* Customers, yield* PaymentMethods]
      const [own, another, nobodys, revoked] = [
        yield* method(account, "c"),
        yield* method(account, "d"),
        yield* method(account),
        yield* method(account, "c")
      ]
      const foreign = yield* method(yield* openAccount, "c")
      yield* methods.revoke(account.id, revoked)
      const choose = (default_payment_method_id: string | null) => customers.update(account.id, "c", { default_payment_method_id })
      const refusals = yield* Effect.forEach([another, revoked, foreign, "pm_01KDV8Q400ABCDEFGHJKMNPQRS", "tok_visa", "\u0000"], (id) =>
        Effect.flip(choose(id)))
      for (const refused of refusals) {
        assert.deepInclude({ ...refused }, { _tag: "ValidationError", code: "default_payment_method_id" })
      }
      assert.strictEqual(JSON.stringify(refusals[2]), JSON.stringify(refusals[3]), "another account's is like none")
      assert.strictEqual((yield* choose(nobodys)).default_payment_method_id, nobodys)
      assert.deepInclude({ ...(yield* methods.get(account.id, nobodys)) }, { customer_id: "c", version: 2 })
      assert.strictEqual((yield* choose(own)).default_payment_method_id, own)
      assert.isNull((yield* choose(null)).default_payment_method_id)
      const made = yield* customers.create(account, { customer_id: "e", default_payment_method_id: yield* method(account) })
      assert.isNotNull((yield* customers.get(account.id, idIn(made))).default_payment_method_id)
      assert.deepInclude({ ...(yield* Effect.flip(customers.create(account, { customer_id: "f", default_payment_method_id: own }))) }, {
        code: "default_payment_method_id"
      })
      assert.isUndefined(yield* known(account, "f"))
    }))

  it.effect("who revokes a method and who makes it the default never both go by what was before", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const [customers, methods] = [yield* Customers, yield* PaymentMethods]
      for (let n = 0; n < 8; n++) {
        yield* method(account, "c")
        const id = yield* method(account, "c")
        const choice = customers.update(account.id, "c", { default_payment_method_id: id })
        yield* Effect.all([Effect.result(choice), Effect.result(methods.revoke(account.id, id))], { concurrency: "unbounded" })
        const found = yield* known(account, "c")
        if (found?.default !== null && found?.default !== undefined) {
          assert.strictEqual((yield* methods.get(account.id, found.default)).status, "active")
        }
      }
    }))

  it.effect("a part above makes a method the default in its own commit", () =>
    Effect.gen(function*() {
      heard.length = 0
      const account = yield* openAccount
      const customers = yield* Customers
      const [first, nobodys] = [yield* method(account, "c"), yield* method(account)]
      const charge = Effect.fnUntraced(function*(reference: string, id: string) {
        const { customer, ...addition } = yield* customers.charging(account.id, { reference, method: id }, yield* now)
        yield* commit(account, addition)
        assert.deepInclude(yield* known(account, reference), { default: customer.default_payment_method_id })
      })
      yield* charge("c", nobodys)
      yield* charge("c", nobodys)
      yield* charge("new", yield* method(account))
      assert.deepStrictEqual(heard.slice(0, 2), [`c none ${first}`, `c ${first} ${nobodys}`])
      assert.strictEqual(heard.length, 3)
      const refused = yield* Effect.flip(customers.charging(account.id, { reference: "other", method: nobodys }, yield* now))
      assert.deepInclude({ ...refused }, { code: "payment_method_id" })
    }))

  it.effect("are nobody else's, and lists are narrowed by reference and address, each by an index", () =>
    Effect.gen(function*() {
      const [account, stranger] = [yield* openAccount, yield* openAccount]
      const customers = yield* Customers
      const sql = yield* SqlClient.SqlClient
      const id = idIn(yield* customers.create(account, { customer_id: "c", email: "jo@example.com" }))
      yield* customers.create(account, { customer_id: "d" })
      for (const asked of [id, "c", "\u0000", ""]) {
        for (const attempt of [customers.get(stranger.id, asked), customers.update(stranger.id, asked, { name: "Mine" })]) {
          assert.strictEqual(
            JSON.stringify(yield* Effect.flip(attempt)),
            JSON.stringify(yield* Effect.flip(customers.get(stranger.id, "cus_01KDV8Q400ABCDEFGHJKMNPQRS")))
          )
        }
      }
      const byReference = yield* CustomersByReference
      assert.deepStrictEqual((yield* byReference(account.id, ["c", "nobody", "c"])).map((customer): string => customer.id), [id])
      assert.deepStrictEqual(yield* byReference(stranger.id, ["c"]), [])
      const count = (filter: Parameters<typeof customers.list>[1]) =>
        Effect.map(customers.list(account.id, filter, newest), ({ total }) => total)
      assert.deepStrictEqual(
        yield* Effect.all([
          count({}),
          count({ customer_id: "c" }),
          count({ email: "jo@example.com" }),
          count({ email: "JO@Example.COM" }),
          count({ email: "al@example.com" })
        ]),
        [2, 1, 1, 1, 0]
      )
      assert.strictEqual((yield* customers.list(stranger.id, {}, newest)).total, 0)
      const [byAddress, byName] = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SET LOCAL enable_seqscan = off`
        return [
          JSON.stringify(
            yield* sql`EXPLAIN SELECT * FROM customers WHERE account_id = ${account.id} AND lower(email) = lower('x')
              ORDER BY id DESC LIMIT 21`
          ),
          JSON.stringify(yield* sql`EXPLAIN SELECT * FROM customers WHERE account_id = ${account.id} AND customer_id = 'x'`)
        ]
      }))
      assert.include(byAddress, "customers_lower_email")
      assert.include(byName, "customers_one_a_reference")
    }))

  it.effect("that are missing for methods kept before there were any are made by the migration", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const [methods, sql] = [yield* PaymentMethods, yield* SqlClient.SqlClient]
      const [first, second] = [yield* method(account, "c"), yield* method(account, "c")]
      const gone = yield* method(account, "d")
      yield* method(account)
      yield* methods.revoke(account.id, first)
      yield* methods.revoke(account.id, gone)
      yield* sql`DELETE FROM customers`
      yield* sql.unsafe(CUSTOMERS_OF_METHODS)
      assert.deepStrictEqual(yield* known(account, "c"), { default: second, version: 1 })
      assert.deepStrictEqual(yield* known(account, "d"), { default: null, version: 1 })
      const customers = yield* Customers
      assert.strictEqual((yield* customers.list(account.id, {}, newest)).total, 2)
      assert.strictEqual((yield* customers.get(account.id, "c")).id, `cus_${first.slice(3)}`)
    }))
})
