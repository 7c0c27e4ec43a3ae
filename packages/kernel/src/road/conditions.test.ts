import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { layerRoad, verifyBooks } from "@svc/testkit/road"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as database from "../database/client.ts"
import { Idempotency, keyDone, once } from "../resource/idempotency.ts"
import { makeId } from "../values/ids.ts"
import { openAccount } from "./account-fixture.ts"
import { Committer } from "./committer.ts"
import type { Commit } from "./decision.ts"
import { atLeast, captured, commitOf, funds, outcomeOf, paidOut, payoutCompleted, refunded, TooLittle } from "./road-fixture.ts"
import { noted, Sent } from "./sent-fixture.ts"

const services = Idempotency.layer.pipe(
  Layer.provideMerge(layerRoad),
  Layer.provideMerge(noted),
  Layer.provideMerge(database.layer),
  Layer.provide(layerDatabase)
)

const payout = (account: string, cause: string, amount: number) =>
  commitOf(account, cause, { entries: [paidOut(amount)], requires: [atLeast("USD", "available", 0)] })

/** Sends commits in one turn of the event loop, in this order. */
const together = <R>(commits: ReadonlyArray<Effect.Effect<Commit<R>>>) =>
  Effect.flatMap(
    Committer,
    (committer) =>
      Effect.flatMap(Effect.all(commits), (made) =>
        Effect.forEach(made, (commit) => Effect.result(committer.commit(commit)), { concurrency: "unbounded" }))
  )

const balanceOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly available: number; readonly pending: number; readonly reserved: number }>`
    SELECT available, pending, reserved FROM balance_accounts WHERE account_id = ${account} AND currency = 'USD'`
  return row
})

const fund = Effect.fnUntraced(function*(amount: number) {
  const account = yield* openAccount
  yield* (yield* Committer).commit(yield* commitOf(account, "funds", { entries: funds(amount) }))
  return account
})

layer(services, { excludeTestServices: true })("a condition on a balance", (it) => {
  it.effect("lets one of two payouts of one batch through, and refuses the other at once with what was left", () =>
    Effect.gen(function*() {
      const sent = yield* Sent
      const account = yield* fund(100)
      sent.length = 0
      const [first, second] = yield* together([payout(account, "one", 80), payout(account, "two", 80)])
      assert.deepStrictEqual(first, Result.void)
      assert.isTrue(second !== undefined && Result.isFailure(second) && second.failure instanceof TooLittle)
      assert.deepInclude(second !== undefined && Result.isFailure(second) ? second.failure : {}, {
        currency: "USD",
        bucket: "available",
        held: 20
      })
      assert.strictEqual(sent.length, 2, "the batch, and the one that is let through")
      assert.deepStrictEqual(yield* balanceOf(account), { available: 20, pending: 0, reserved: 80 })
      assert.deepInclude(yield* verifyBooks(account), { ok: true, checked: 3 })
    }))

  it.effect("judges each after those before it, also those that bring money in", () =>
    Effect.gen(function*() {
      const account = yield* fund(100)
      const results = yield* together([
        payout(account, "a", 60),
        payout(account, "b", 60),
        commitOf(account, "in", { entries: funds(25) }),
        payout(account, "c", 60),
        payout(account, "d", 5),
        payout(account, "e", 1)
      ])
      assert.deepStrictEqual(results.map(outcomeOf), ["written", "TooLittle", "written", "written", "written", "TooLittle"])
      assert.deepStrictEqual(yield* balanceOf(account), { available: 0, pending: 0, reserved: 125 })
    }))

  it.effect("refuses a whole batch without asking for each", () =>
    Effect.gen(function*() {
      const sent = yield* Sent
      const account = yield* fund(10)
      sent.length = 0
      const results = yield* together(Array.from({ length: 16 }, (_, n) => payout(account, `p${n}`, 11)))
      assert.deepStrictEqual(new Set(results.map(outcomeOf)), new Set(["TooLittle"]))
      // One statement, or two where the sixteen did not all come in one turn. One by one it takes thirty-one.
      assert.isAtMost(sent.length, 3)
    }))

  it.effect("does not let a refused commit take its neighbours of other accounts along", () =>
    Effect.gen(function*() {
      const [rich, poor, empty] = [yield* fund(100), yield* fund(50), yield* openAccount]
      const results = yield* together([
        payout(rich, "r1", 60),
        payout(poor, "p1", 60),
        payout(empty, "e1", 1),
        payout(rich, "r2", 40),
        payout(poor, "p2", 50)
      ])
      assert.deepStrictEqual(results.map(outcomeOf), ["written", "TooLittle", "TooLittle", "written", "written"])
      // Asking is not having: no balance was opened for it.
      assert.isUndefined(yield* balanceOf(empty))
    }))

  it.effect("is judged anew when a neighbour turns out to be refused for something else", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* fund(100)
      const key = {
        operation: "test",
        fingerprint: "f",
        resource_type: "payout",
        resource_id: "po_1",
        mode: "first" as const,
        reply: { status: 200, body: "{}" }
      }
      const taken = makeId("req", 1)
      yield* committer.commit(yield* commitOf(account, "taken", { key: { ...key, key: taken } }))
      const results = yield* together([
        Effect.map(payout(account, "replay", 80), (commit) => ({ ...commit, key: { ...key, key: taken } })),
        payout(account, "fresh", 80)
      ])
      assert.deepStrictEqual(results.map(outcomeOf), ["key", "written"])
    }))

  it.effect("holds over pending and reserved too, before the ledger's own rule that they are never negative", () =>
    Effect.gen(function*() {
      const account = yield* fund(100)
      const results = yield* together([
        payout(account, "out", 40),
        commitOf(account, "too much", { entries: [payoutCompleted(41)], requires: [atLeast("USD", "reserved", 0)] }),
        commitOf(account, "keeps ten", { entries: [payoutCompleted(31)], requires: [atLeast("USD", "reserved", 10)] }),
        commitOf(account, "done", { entries: [payoutCompleted(30)], requires: [atLeast("USD", "reserved", 10)] }),
        commitOf(account, "none pending", { requires: [atLeast("USD", "pending", 1)] })
      ])
      assert.deepStrictEqual(results.map(outcomeOf), ["written", "TooLittle", "TooLittle", "written", "TooLittle"])
      const held = results.map((result) =>
        Result.isFailure(result) && result.failure instanceof TooLittle ? [result.failure.bucket, result.failure.held] : undefined
      )
      assert.deepStrictEqual(held[1], ["reserved", 40])
      assert.deepStrictEqual(held[4], ["pending", 0])
    }))

  it.effect("counts every entry of the commit, and each currency for itself", () =>
    Effect.gen(function*() {
      const account = yield* fund(100)
      const both = yield* commitOf(account, "both", {
        entries: [paidOut(60), ...funds(10), paidOut(50), { ...captured(1), currency: "EUR" }],
        requires: [atLeast("USD", "available", 0), atLeast("EUR", "pending", 1)]
      })
      assert.deepStrictEqual((yield* together([Effect.succeed(both), Effect.succeed({ ...both, cause: "again" })])).map(outcomeOf), [
        "written",
        "TooLittle"
      ])
      const euro = yield* commitOf(account, "euro", { requires: [atLeast("EUR", "pending", 2)] })
      assert.deepStrictEqual((yield* together([Effect.succeed(euro)])).map(outcomeOf), ["TooLittle"])
    }))

  it.effect("cannot be hidden by a later commit of the batch that brings back what an earlier one overdrew", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const results = yield* together([
        commitOf(account, "overdraws", { entries: [refunded(5)] }),
        commitOf(account, "brings", { entries: [captured(10)] })
      ])
      assert.deepStrictEqual(results.map(outcomeOf), ["below_zero", "written"])
      assert.deepStrictEqual(yield* balanceOf(account), { available: 0, pending: 10, reserved: 0 })
    }))

  it.effect("is told to the caller of a keyed request once, and the key is free", () =>
    Effect.gen(function*() {
      const idempotency = yield* Idempotency
      const committer = yield* Committer
      const account = yield* fund(100)
      const request = { key: makeId("req", 2), operation: "payout.create", fingerprint: "f" }
      let acted = 0
      const send = (amount: number) =>
        once(idempotency, account, request, () =>
          Effect.gen(function*() {
            acted++
            const reply = { status: 201, body: "{}" }
            const commit = yield* payout(account, request.key, amount)
            yield* committer.commit({ ...commit, key: keyDone(request, { type: "payout", id: "po_1" }, reply) })
            return reply
          }))
      const refused = yield* Effect.flip(send(101))
      assert.instanceOf(refused, TooLittle)
      assert.strictEqual(acted, 1)
      assert.isFalse((yield* send(100)).replayed)
      // The money is gone, and yet the same request is answered as it was.
      assert.isTrue((yield* send(100)).replayed)
    }))

  it.effect("that nobody posed ends a keyed request at once, as a defect", () =>
    Effect.gen(function*() {
      const idempotency = yield* Idempotency
      const committer = yield* Committer
      const account = yield* openAccount
      let acted = 0
      const exit = yield* Effect.exit(once(idempotency, account, { key: makeId("req", 3), operation: "x", fingerprint: "f" }, () =>
        Effect.gen(function*() {
          acted++
          yield* committer.commit(yield* commitOf(account, "x", { entries: [refunded(1)] }))
          return { status: 200, body: "{}" }
        })))
      assert.isTrue(
        exit._tag === "Failure" && exit.cause.reasons.some((reason) =>
          reason._tag === "Die"
        )
      )
      assert.strictEqual(acted, 1)
    }))

  it.effect("two processes never pay out more than there is", () =>
    Effect.gen(function*() {
      const here = yield* Committer
      const other = yield* Committer.pipe(Effect.provide(yield* Layer.build(Layer.fresh(layerRoad))))
      const accounts = yield* Effect.forEach(Array.from({ length: 4 }), () => fund(1_000))
      const results = yield* Effect.forEach(Array.from({ length: 240 }, (_, n) => n), (n) =>
        Effect.flatMap(payout(accounts[n % 4]!, `n${n}`, 70), (commit) => Effect.result((n % 8 < 4 ? here : other).commit(commit))), {
        concurrency: 64
      })
      for (const [index, account] of accounts.entries()) {
        const outcomes = results.filter((_, n) =>
          n % 4 === index
        ).map(outcomeOf)
        assert.strictEqual(outcomes.filter((outcome) => outcome === "written").length, 14)
        assert.strictEqual(outcomes.filter((outcome) => outcome === "TooLittle").length, 46)
        assert.deepStrictEqual(yield* balanceOf(account), { available: 20, pending: 0, reserved: 980 })
        assert.isTrue((yield* verifyBooks(account)).ok)
      }
    }), 180_000)

  it.effect("a commit that cannot be written at all takes none of its neighbours along", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* openAccount
      const made = yield* Effect.all([
        commitOf(account, "good", { entries: [captured(1)] }),
        commitOf(account, "no such route", { entries: [{ ...captured(1), counter_account: "P.bank" }] }),
        commitOf(account, "half a unit", { counters: [{ name: "n", key: "k", add: { spent: 0.5, reserved: 0 } }] }),
        commitOf(account, "good too", { entries: [captured(2)] })
      ])
      const exits = yield* Effect.forEach(made, (commit) => Effect.exit(committer.commit(commit)), { concurrency: "unbounded" })
      assert.deepStrictEqual(exits.map(({ _tag }) => _tag), ["Success", "Failure", "Failure", "Success"])
      assert.deepInclude(yield* verifyBooks(account), { ok: true, checked: 2 })
    }))
})
