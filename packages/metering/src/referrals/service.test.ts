/** A token that is always the same, one referrer an account, one reward a referral, and milestones that are reached once. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Meter } from "../tool-calls/service/meter.ts"
import { EARNED_AFTER, milestones, REWARD } from "./model.ts"
import { Referrals } from "./service.ts"

const open = Effect.fnUntraced(function*(name: string) {
  return (yield* (yield* Accounts).create({ name, sandbox: true })).account.id
})

const paid = Effect.fnUntraced(function*(account: string, cents: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO tool_calls (account_id, id, tool, mode, arguments_sha256, price, paid_by, state, shares, created_at, finished_at, updated_at, version)
    VALUES (${account}, ${`call_${account}_${cents}`}, 'ping_payment', 'standard', '', ${cents}, 'card', 'settled', '[]', now(), now(), now(), 1)`
})

layer(services, { excludeTestServices: true, timeout: "60 seconds" })("referrals", (it) => {
  it.effect("an account has one token, and nobody comes by their own or by one that nobody has", () =>
    Effect.gen(function*() {
      const referrals = yield* Referrals
      const [ada, bob] = [yield* open("Ada"), yield* open("Bob")]
      const token = yield* referrals.token(ada)
      assert.strictEqual(yield* referrals.token(ada), token)
      assert.notStrictEqual(yield* referrals.token(bob), token)
      assert.isFalse(yield* referrals.join(token, ada))
      assert.isFalse(yield* referrals.join("ref_00000000000000000000", bob))
      assert.deepInclude(yield* referrals.status(ada), { referral_token: token, joined: 0, paying: 0 })
    }))

  it.effect("the first token counts, also when many are sent at once", () =>
    Effect.gen(function*() {
      const referrals = yield* Referrals
      const [ada, bob, eve] = [yield* open("Ada"), yield* open("Bob"), yield* open("Eve")]
      const tokens = [yield* referrals.token(ada), yield* referrals.token(eve)]
      const joined = yield* Effect.forEach(
        Array.from({ length: 16 }, (_, n) => tokens[n % 2] ?? ""),
        (token) => referrals.join(token, bob),
        { concurrency: 16 }
      )
      assert.lengthOf(joined.filter((one) => one), 1)
      assert.strictEqual((yield* referrals.status(ada)).joined + (yield* referrals.status(eve)).joined, 1)
      assert.deepStrictEqual((yield* referrals.status(bob)).free_calls, { granted: 1, used: 0, remaining: 1, up_to_cents: 10 })
      assert.deepStrictEqual([yield* referrals.isFree(bob, 10), yield* referrals.isFree(bob, 11), yield* referrals.isFree(ada, 1)], [
        true,
        false,
        false
      ])
    }))

  it.effect("a call paid by referral uses the free one up", () =>
    Effect.gen(function*() {
      const referrals = yield* Referrals
      const [ada, bob] = [yield* open("Ada"), yield* open("Bob")]
      yield* referrals.join(yield* referrals.token(ada), bob)
      const sql = yield* SqlClient.SqlClient
      yield* sql`
      INSERT INTO tool_calls (account_id, id, tool, mode, arguments_sha256, price, paid_by, state, shares, created_at, finished_at, updated_at, version)
      VALUES (${bob}, 'call_free', 'svc_web_research', 'standard', '', 0, 'referral', 'settled', '[]', now(), now(), now(), 1)`
      assert.isFalse(yield* referrals.isFree(bob, 1))
      assert.deepInclude((yield* referrals.status(bob)).free_calls, { used: 1, remaining: 0 })
    }))

  it.effect("whoever referred earns once for each that pays, and more with the fifth; the credits can be spent", () =>
    Effect.gen(function*() {
      const referrals = yield* Referrals
      const meter = yield* Meter
      const ada = yield* open("Ada")
      const token = yield* referrals.token(ada)
      const { balance } = yield* meter.summary(ada)
      for (let n = 1; n <= 5; n++) {
        const friend = yield* open(`Friend ${n}`)
        yield* referrals.join(token, friend)
        yield* paid(friend, EARNED_AFTER - 1)
        yield* referrals.reward(friend)
        assert.strictEqual((yield* referrals.status(ada)).paying, n - 1)
        yield* paid(friend, 1)
        // Retries and calls at once reward once.
        yield* Effect.all(Array.from({ length: 4 }, () => referrals.reward(friend)), { concurrency: 4 })
        yield* referrals.reward(friend)
      }
      const { earned_cents, earned_credits, milestones, paying } = yield* referrals.status(ada)
      assert.deepStrictEqual([paying, earned_cents, earned_credits], [5, 1000, 10_000])
      assert.deepStrictEqual(milestones.map(({ reached }) => reached), [true, false, false])
      assert.strictEqual((yield* meter.summary(ada)).balance - balance, earned_credits)
      const stranger = yield* open("Stranger")
      yield* referrals.reward(stranger)
      assert.strictEqual((yield* referrals.status(ada)).earned_cents, 1000)
    }))

  it.effect("those who pay at the same moment reach a milestone once", () =>
    Effect.gen(function*() {
      const referrals = yield* Referrals
      const ada = yield* open("Ada")
      const token = yield* referrals.token(ada)
      const friends = yield* Effect.forEach(Array.from({ length: 8 }, (_, n) => `Friend ${n}`), open)
      for (const friend of friends) {
        yield* referrals.join(token, friend)
        yield* paid(friend, EARNED_AFTER)
      }
      yield* Effect.forEach(friends, (friend) => referrals.reward(friend), { concurrency: "unbounded" })
      const { earned_cents, paying } = yield* referrals.status(ada)
      assert.deepStrictEqual([paying, earned_cents], [8, 8 * 100 + 500])
    }))

  it.effect("nobody gains by sending accounts of their own: they pay more than they earn", () =>
    Effect.sync(() => {
      for (let came = 1; came <= 1_000; came++) {
        const earned = came * REWARD + milestones.reduce((sum, { at, cents }) => came >= at ? sum + cents : sum, 0)
        assert.isBelow(earned, came * EARNED_AFTER)
      }
    }))
})
