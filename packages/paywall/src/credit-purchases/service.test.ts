/**
 * Purchases on a real database: paid once and granted once, whatever dies between the two accounts; plans give their months by the
 * account's clock.
 */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Committer } from "@svc/kernel/road/committer"
import type { Commit } from "@svc/kernel/road/decision"
import { runDue } from "@svc/kernel/timers/timers"
import { nextId } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { type BuyCreditsRequest, CreditPurchaseId } from "./model.ts"
import { expiryFrom, openCharged } from "./rules.ts"
import { Buying } from "./service/buying.ts"
import { CreditPurchases } from "./service/purchases.ts"

/** Kills whoever makes this commit, before it is written or when it is durable. Once. */
interface Death {
  readonly table: string
  readonly version: number
  readonly when: "before" | "after"
}
let death: Death | undefined

const dies = (when: Death["when"], { writes }: Commit<unknown>) =>
  Effect.suspend(() => {
    if (
      death?.when !== when || !writes.some(({ row, table }) => table.name === death?.table && row.version === death.version)
    ) return Effect.void
    death = undefined
    return Effect.die("killed")
  })

const mortal = replacing(
  Committer,
  ({ commit }) => Committer.of({ commit: (one) => Effect.andThen(dies("before", one), Effect.tap(commit(one), dies("after", one))) })
)

const open = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

const buy = Effect.fnUntraced(function*(account: AccountFacts, payload: BuyCreditsRequest, key: string = randomUUID()) {
  const reply = yield* (yield* Buying).buy({
    account,
    payload,
    keyed: { key, operation: "credit_purchase.buy", fingerprint: JSON.stringify(payload) }
  })
  const json: unknown = parseJson(reply.body)
  return {
    status: reply.status,
    replayed: reply.replayed,
    json: typeof json === "object" && json !== null ? { ...json } as Record<string, unknown> : {}
  }
})

const rows = <Row extends object>(text: string, values: ReadonlyArray<unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Row>(text, values))

const grantsOf = (account: AccountFacts) =>
  Effect.map(
    rows<{ readonly cents: string; readonly source: string; readonly purchase_id: string | null }>(
      "SELECT cents, source, purchase_id FROM credit_grants WHERE account_id = $1 ORDER BY created_at, id",
      [account.id]
    ),
    (all) => all.map(({ cents, source }) => [source, Number(cents)] as const)
  )

const intentsOf = (account: AccountFacts) =>
  Effect.map(
    rows<{ readonly state: string }>(
      "SELECT i.state FROM payment_intents i JOIN credit_purchases p ON p.id = i.metadata ->> 'credit_purchase' WHERE p.account_id = $1 ORDER BY i.id",
      [account.id]
    ),
    (all) => all.map(({ state }) => state)
  )

const statesOf = (account: AccountFacts) =>
  Effect.map(
    rows<{ readonly state: string; readonly charge: unknown }>(
      "SELECT state, charge FROM credit_purchases WHERE account_id = $1 ORDER BY id",
      [account.id]
    ),
    (all) => all.map(({ state }) => state)
  )

const standing = (account: AccountFacts) =>
  Effect.map(
    Effect.flatMap(Meter, (meter) => meter.summary(account.id)),
    ({ balance, quota, tier }) => [tier, quota.limit, quota.remaining, balance]
  )

const later = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

const booksHold = Effect.fnUntraced(function*(account: AccountFacts) {
  const merchantAccount = yield* (yield* MerchantAccount).merchant(true)
  assert.isNull((yield* verifyBooks(account.id)).first_break)
  assert.isNull((yield* verifyBooks(merchantAccount.id)).first_break)
})

/** The purchase is made, its intent is made and captured, the purchase is paid: each dies before and after its commit. */
const deaths: ReadonlyArray<Death> = [
  { table: "credit_purchases", version: 1 },
  { table: "payment_intents", version: 1 },
  { table: "payment_intents", version: 2 },
  { table: "credit_purchases", version: 2 }
].flatMap((point) => [{ ...point, when: "before" }, { ...point, when: "after" }] satisfies ReadonlyArray<Death>)

layer(services.pipe(mortal), { timeout: 60_000 })("purchases", (it) => {
  it.effect.each(deaths.map((one) => [`${one.when} version ${one.version} of ${one.table}`, one] as const))(
    "a death %s leaves a purchase that its timer finishes, once",
    ([, one]) =>
      Effect.gen(function*() {
        const account = yield* open
        yield* (yield* MerchantAccount).merchant(true)
        death = one
        const exit = yield* Effect.exit(buy(account, { amount: 500, payment_method_id: "tok_visa" }))
        assert.isTrue(Exit.isFailure(exit))
        assert.isUndefined(death, "nobody came by there")
        yield* later("3 minutes")
        const nothing = one.version === 1 && one.table === "credit_purchases" && one.when === "before"
        assert.deepStrictEqual(yield* statesOf(account), nothing ? [] : ["paid"])
        assert.deepStrictEqual(yield* grantsOf(account), nothing ? [] : [["purchase", 500]])
        assert.deepStrictEqual(yield* intentsOf(account), nothing ? [] : ["captured"])
        yield* later("2 days")
        assert.lengthOf(yield* grantsOf(account), nothing ? 0 : 1)
        yield* booksHold(account)
      })
  )

  it.effect.each(deaths.map((one) => [`${one.when} version ${one.version} of ${one.table}`, one] as const))(
    "after a death %s the same request is answered, and pays once",
    ([, one]) =>
      Effect.gen(function*() {
        const account = yield* open
        yield* (yield* MerchantAccount).merchant(true)
        const key = randomUUID()
        death = one
        yield* Effect.exit(buy(account, { plan: "starter", payment_method_id: "tok_visa" }, key))
        yield* TestClock.adjust("61 seconds")
        const answers = yield* Effect.all(
          Array.from({ length: 4 }, () => Effect.result(buy(account, { plan: "starter", payment_method_id: "tok_visa" }, key))),
          { concurrency: "unbounded" }
        )
        const done = answers.flatMap((answer) => answer._tag === "Success" ? [answer.success] : [])
        assert.isNotEmpty(done)
        for (const { json } of done) assert.deepInclude(json, { state: "paid", amount: 2_900 })
        assert.strictEqual((yield* buy(account, { plan: "starter", payment_method_id: "tok_visa" }, key)).replayed, true)
        yield* later("5 minutes")
        assert.deepStrictEqual(yield* statesOf(account), ["paid"])
        assert.deepStrictEqual(yield* grantsOf(account), [["plan", 7_500]])
        assert.deepStrictEqual(yield* intentsOf(account), ["captured"])
        yield* booksHold(account)
      })
  )

  it.effect("a timer that comes while the request is at it grants nothing a second time", () =>
    Effect.gen(function*() {
      const account = yield* open
      const purchases = yield* CreditPurchases
      const { json } = yield* buy(account, { amount: 700, payment_method_id: "tok_visa" })
      yield* Effect.all(Array.from({ length: 8 }, () => purchases.proceed(account.id, String(json["id"]))), { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* grantsOf(account), [["purchase", 700]])
    }))

  it.effect.each([["a request", true, "failed"], ["the page", false, "open"]] as const)(
    "a card that is none ends the charge of %s at once",
    ([, final, state]) =>
      Effect.gen(function*() {
        const account = yield* open
        const wanted = {
          id: CreditPurchaseId.make(yield* nextId("cpur")),
          account_id: account.id,
          amount: 700,
          plan: null,
          tool: null,
          pays_for: null,
          expires_at: expiryFrom(yield* now)
        }
        const charged = yield* (yield* CreditPurchases).charge(account, wanted, { kind: "card", token: "tok_declined" }, final)
        assert.strictEqual(charged?.money._tag, "Declined")
        assert.deepInclude(charged?.purchase, {
          state,
          charge: null,
          failure_reason: "The card cannot be charged: no such payment method."
        })
        assert.isEmpty(yield* grantsOf(account))
      })
  )

  it.effect("a timer ends the charge of a card that is none", () =>
    Effect.gen(function*() {
      const account = yield* open
      const purchases = yield* CreditPurchases
      const wanted = {
        id: CreditPurchaseId.make(yield* nextId("cpur")),
        account_id: account.id,
        amount: 700,
        plan: null,
        tool: null,
        pays_for: null,
        expires_at: expiryFrom(yield* now)
      }
      yield* purchases.begin(openCharged(wanted, { kind: "card", token: "tok_declined" }, yield* now, true))
      yield* later("3 minutes")
      assert.deepStrictEqual(yield* statesOf(account), ["failed"])
    }))

  it.effect("a request with a card that is none keeps nothing", () =>
    Effect.gen(function*() {
      const account = yield* open
      const key = randomUUID()
      const refused = yield* Effect.flip(buy(account, { amount: 500, payment_method_id: "tok_declined" }, key))
      assert.deepInclude(refused, { _tag: "ValidationError", code: "payment_method_id" })
      assert.isEmpty(yield* statesOf(account))
      assert.strictEqual((yield* buy(account, { amount: 500, payment_method_id: "tok_visa" }, key)).status, 201, "the key is free")
    }))

  it.effect("one that nobody pays expires after a day; credits last a year", () =>
    Effect.gen(function*() {
      const account = yield* open
      const { json } = yield* buy(account, { amount: 700 })
      yield* later("23 hours")
      assert.deepStrictEqual(yield* statesOf(account), ["open"])
      yield* later("1 hour")
      assert.deepStrictEqual(yield* statesOf(account), ["expired"])
      const facts = yield* (yield* Accounts).facts(account.id)
      const wanted = {
        id: (yield* (yield* CreditPurchases).get(account.id, String(json["id"]))).id,
        account_id: account.id,
        amount: 700,
        plan: null,
        tool: null,
        pays_for: null,
        expires_at: yield* now
      }
      assert.isUndefined(yield* (yield* CreditPurchases).charge(facts, wanted, { kind: "card", token: "tok_visa" }, false))
      yield* buy(account, { amount: 500, payment_method_id: "tok_visa" })
      assert.strictEqual((yield* standing(account))[3], 15_000)
      yield* TestClock.adjust("364 days")
      assert.strictEqual((yield* standing(account))[3], 15_000)
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* standing(account))[3], 10_000)
    }))
})

layer(services, { timeout: 60_000 })("plans that were bought", (it) => {
  it.effect("pro gives its credits each month, which end with the month", () =>
    Effect.gen(function*() {
      const account = yield* open
      assert.deepStrictEqual(yield* standing(account), ["free", 10_000, 10_000, 10_000])
      yield* TestClock.setTime(DateTime.makeUnsafe("2027-01-31T12:00:00.000Z").epochMilliseconds)
      yield* buy(account, { plan: "pro", payment_method_id: "tok_visa" })
      assert.deepStrictEqual(yield* standing(account), ["pro", 300_000, 300_000, 300_000])
      for (const moment of ["2027-02-28", "2027-03-31", "2027-04-30"]) {
        yield* TestClock.setTime(DateTime.makeUnsafe(`${moment}T11:59:59.000Z`).epochMilliseconds)
        const before = yield* grantsOf(account)
        yield* later("1 second")
        assert.lengthOf(yield* grantsOf(account), before.length + 1, moment)
        assert.deepStrictEqual(yield* standing(account), ["pro", 300_000, 300_000, 300_000])
      }
      assert.deepStrictEqual(yield* grantsOf(account), Array.from({ length: 4 }, () => ["plan", 30_000] as const))
      yield* booksHold(account)
    }))

  it.effect("months that passed while nobody worked are not given later, but for the one that runs", () =>
    Effect.gen(function*() {
      const account = yield* open
      yield* TestClock.setTime(DateTime.makeUnsafe("2028-01-10T00:00:00.000Z").epochMilliseconds)
      yield* buy(account, { plan: "pro", payment_method_id: "tok_visa" })
      yield* later("100 days")
      assert.deepStrictEqual(yield* standing(account), ["pro", 300_000, 300_000, 300_000])
    }))

  it.effect("a month's plan ends, and is prolonged by who buys it again in time", () =>
    Effect.gen(function*() {
      const account = yield* open
      yield* TestClock.setTime(DateTime.makeUnsafe("2029-01-10T00:00:00.000Z").epochMilliseconds)
      yield* buy(account, { plan: "starter", payment_method_id: "tok_visa" })
      yield* buy(account, { plan: "starter", payment_method_id: "tok_visa" })
      assert.deepStrictEqual(yield* grantsOf(account), [["plan", 7_500]])
      yield* later("31 days")
      assert.deepStrictEqual(yield* grantsOf(account), [["plan", 7_500], ["plan", 7_500]])
      assert.deepStrictEqual(yield* standing(account), ["starter", 75_000, 75_000, 75_000])
      yield* later("28 days")
      assert.deepStrictEqual(yield* standing(account), ["free", 10_000, 10_000, 10_000])
      yield* buy(account, { plan: "starter", payment_method_id: "tok_visa" })
      assert.deepStrictEqual(yield* standing(account), ["starter", 75_000, 75_000, 75_000])
    }))

  it.effect("bought twice at once, pro is paid and its second price is credits", () =>
    Effect.gen(function*() {
      const account = yield* open
      const answers = yield* Effect.all(
        Array.from({ length: 2 }, () => Effect.result(buy(account, { plan: "pro", payment_method_id: "tok_visa" }))),
        { concurrency: "unbounded" }
      )
      const paid = answers.filter(({ _tag }) => _tag === "Success").length
      assert.deepStrictEqual(yield* grantsOf(account), paid === 1 ? [["plan", 30_000]] : [["plan", 30_000], ["purchase", 9_900]])
      assert.lengthOf(yield* intentsOf(account), paid)
    }))
})
