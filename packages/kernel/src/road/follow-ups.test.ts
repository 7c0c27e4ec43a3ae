import { assert, layer } from "@effect/vitest"
import { road, verifyBooks } from "@svc/testkit/road"
import { Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { contribute } from "../parts/contributions.ts"
import { InvalidState } from "../resource/errors.ts"
import { now } from "../values/time.ts"
import { openAccount } from "./account-fixture.ts"
import { Committer } from "./committer.ts"
import { atMost, LimitReached } from "./conditions.ts"
import type { Addition, FollowUp } from "./decision.ts"
import { FollowUps, moment } from "./follow-ups.ts"
import { atLeast, captured, commitOf, funds, memo, paidOut, type TooLittle } from "./road-fixture.ts"

/** What a part below does, and says of it. */
interface Capture {
  readonly intent: string
  readonly amount: number
}
const capturing = moment<Capture, InvalidState | LimitReached>("intent.capturing")
const refunding = moment<{ readonly intent: string }, InvalidState>("intent.refunding")
/** What the first follower does, and says of it. */
const settling = moment<{ readonly settlement: string }, TooLittle>("settlement.settling")

/** Follows for the length of an effect, as a part does for the length of the process. */
const following = (...followUps: ReadonlyArray<FollowUp>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(FollowUps, (all) => Effect.andThen(all.add(followUps), effect)))

const count = Effect.fnUntraced(function*(table: "events" | "timers" | "counters", account: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM ${sql(table)} WHERE account_id = ${account}`).length
})

const capture = Effect.fnUntraced(function*(account: string, intent: string, amount: number) {
  const committer = yield* Committer
  const commit = yield* commitOf<InvalidState | LimitReached>(account, intent, {
    entries: [captured(amount)],
    moments: [capturing.of({ intent, amount })]
  })
  yield* committer.commit(commit)
})

const disputed = new InvalidState({ message: "A dispute of this payment is open." })

layer(road, { excludeTestServices: true })("a follower", (it) => {
  it.effect("adds to the commit that it follows, which is written whole", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const due_at = yield* now
      const settle = capturing.follow(({ amount, intent }, { account_id }) =>
        Effect.succeed({
          entries: [{ ...memo, event_type: "settlement_queued", amount, resource_type: "settlement", resource_id: account_id }],
          events: [{ type: "settlement.queued", resource_type: "settlement", resource_id: intent, resource_version: 1, data: "{}" }],
          set: [{ kind: "settlement", resource_id: intent, due_at }]
        })
      )
      const quota = capturing.follow(() =>
        Effect.succeed({ counters: [{ name: "captures", key: "", add: { spent: 1, reserved: 0 }, limit: atMost(2) }] })
      )
      yield* following(settle, quota)(Effect.gen(function*() {
        yield* capture(account, "pi_1", 10)
        yield* capture(account, "pi_2", 20)
        assert.deepInclude(yield* Effect.flip(capture(account, "pi_3", 30)), { _tag: "LimitReached", name: "captures", left: 0 })
      }))
      assert.deepInclude(yield* verifyBooks(account), { ok: true, checked: 4 })
      assert.deepStrictEqual([yield* count("events", account), yield* count("timers", account), yield* count("counters", account)], [
        2,
        2,
        1
      ])
    }))

  it.effect("refuses with its own error, and nothing is written", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* openAccount
      const dispute = refunding.follow(({ intent }) => intent === "pi_disputed" ? Effect.fail(disputed) : Effect.succeed({}))
      const refund = (intent: string) =>
        Effect.flatMap(
          commitOf<InvalidState>(account, intent, { entries: [captured(1)], moments: [refunding.of({ intent })] }),
          committer.commit
        )
      yield* following(dispute)(Effect.gen(function*() {
        assert.strictEqual(yield* Effect.flip(refund("pi_disputed")), disputed)
        yield* refund("pi_fine")
      }))
      assert.deepInclude(yield* verifyBooks(account), { ok: true, checked: 1 })
      // Nobody follows any more.
      yield* refund("pi_disputed")
    }))

  it.effect("is followed in turn, and its conditions are conditions of the commit", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const seen: Array<string> = []
      const first = capturing.follow(({ amount, intent }) => {
        seen.push(`capture of ${intent}`)
        return Effect.succeed({ entries: [{ ...funds(amount)[1]!, resource_id: intent }] })
      })
      const second = settling.follow(({ settlement }) => {
        seen.push(settlement)
        return Effect.succeed({ entries: [paidOut(60)], requires: [atLeast("USD", "available", 0)] })
      })
      const committer = yield* Committer
      const settleNow = (settlement: string, amount: number) =>
        Effect.flatMap(
          commitOf<TooLittle>(account, settlement, { entries: funds(amount), moments: [settling.of({ settlement })] }),
          committer.commit
        )
      yield* following(first, second)(Effect.gen(function*() {
        yield* capture(account, "pi_1", 40)
        assert.deepInclude(yield* Effect.flip(settleNow("too little", 10)), {
          _tag: "TooLittle",
          currency: "USD",
          bucket: "available",
          held: 40
        })
        yield* settleNow("enough", 20)
      }))
      assert.deepStrictEqual(seen, ["capture of pi_1", "too little", "enough"])
      assert.deepInclude(yield* verifyBooks(account), { ok: true, checked: 5 })
    }))

  it.effect("that adds a moment is followed too; a circle is a defect and no endless loop", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* openAccount
      const outer = moment<{ readonly depth: number }>("outer")
      const inner = moment<{ readonly depth: number }>("inner")
      const into = outer.follow(({ depth }) => Effect.succeed<Addition>({ moments: [inner.of({ depth: depth + 1 })] }))
      const entry = inner.follow(({ depth }) => Effect.succeed<Addition>({ entries: [captured(depth)] }))
      const back = inner.follow(({ depth }) => Effect.succeed<Addition>({ moments: [outer.of({ depth: depth + 1 })] }))
      const send = Effect.flatMap(commitOf(account, "deep", { moments: [outer.of({ depth: 1 })] }), committer.commit)
      const exit = yield* following(into, back)(Effect.exit(send))
      assert.include(exit._tag === "Failure" ? String(exit.cause) : "", "circle")
      yield* following(into, entry)(send)
      assert.deepInclude(yield* verifyBooks(account), { ok: true, checked: 1 })
    }))

  it.effect("of another moment is not asked", () =>
    Effect.gen(function*() {
      const account = yield* openAccount
      const twin = moment<Capture, InvalidState>("intent.capturing")
      const asked: Array<string> = []
      const other = twin.follow(({ intent }) =>
        Effect.sync(() => {
          asked.push(intent)
          return {}
        })
      )
      yield* following(other)(capture(account, "pi_1", 1))
      assert.deepStrictEqual(asked, [])
    }))
})

/** A service of a package above, which itself commits. */
class Disputes
  extends Context.Service<Disputes, { readonly open: (intent: string) => Effect.Effect<boolean> }>()("@svc/kernel/follow-ups.test/Disputes")
{
  static readonly layer = Layer.effect(
    Disputes,
    Effect.map(Committer, () => ({ open: (intent: string) => Effect.succeed(intent === "pi_disputed") }))
  )
}

const refusesWhileDisputed = Effect.map(Disputes, (disputes) => [
  refunding.follow(({ intent }) => Effect.flatMap(disputes.open(intent), (open) => open ? Effect.fail(disputed) : Effect.succeed({})))
])

const countsRefunds = Effect.succeed([
  refunding.follow(() => Effect.succeed({ counters: [{ name: "refunds", key: "", add: { spent: 1, reserved: 0 } }] }))
])

const parts = Layer.merge(contribute(FollowUps, refusesWhileDisputed), contribute(FollowUps, countsRefunds)).pipe(
  Layer.provideMerge(Disputes.layer),
  Layer.provideMerge(road)
)

layer(parts, { excludeTestServices: true })("follow-ups of parts", (it) => {
  it.effect("are contributed by any number of layers above the road, with services that stand on it", () =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* openAccount
      const refund = (intent: string) =>
        Effect.flatMap(commitOf<InvalidState>(account, intent, { entries: [captured(1)], moments: [refunding.of({ intent })] }), (commit) =>
          Effect.result(committer.commit(commit)))
      const results = yield* Effect.forEach(["pi_disputed", "pi_1", "pi_2"], refund)
      assert.deepStrictEqual(
        results.map((result) =>
          Result.isSuccess(result) ? "written" : result.failure
        ),
        [disputed, "written", "written"]
      )
      assert.strictEqual(yield* count("counters", account), 1)
    }))
})
