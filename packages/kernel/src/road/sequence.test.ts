/** Commits with conditions, sent at once, against a model that takes them one after the other. */
import { assert, layer } from "@effect/vitest"
import { layerRoad, road, verifyBooks } from "@svc/testkit/road"
import { Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { openAccount } from "./account-fixture.ts"
import { Committer } from "./committer.ts"
import { atMost } from "./conditions.ts"
import type { Commit, CounterMove, Entry } from "./decision.ts"
import { atLeast, captured, commitOf, funds, memo, outcomeOf, paidOut, payoutCompleted, refunded } from "./road-fixture.ts"

const amount = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum }))
const Step = Schema.Struct({
  what: Schema.Literals(["funds", "captured", "refunded", "paidOut", "payoutCompleted", "memo"]),
  amount: amount(40),
  required: Schema.Array(Schema.Struct({
    bucket: Schema.Literals(["available", "pending", "reserved"]),
    at_least: Schema.Literals([0, 15])
  })).check(Schema.isMaxLength(2)),
  counters: Schema.Array(Schema.Struct({
    key: Schema.Literals(["a", "b"]),
    spent: Schema.Int.check(Schema.isBetween({ minimum: -2, maximum: 12 })),
    reserved: Schema.Int.check(Schema.isBetween({ minimum: -2, maximum: 12 })),
    limit: Schema.Literals([0, 40, 80])
  })).check(Schema.isMaxLength(2))
})
type Step = typeof Step.Type
const Steps = Schema.Array(Step).check(Schema.isBetweenLength(10, 24))

const entriesOf = ({ amount: of, what }: Step): ReadonlyArray<Entry> => {
  // Each has an entry, so that the journal shows where it stands.
  return [{ funds, captured, refunded, paidOut, payoutCompleted, memo: () => memo }[what](of)].flat()
}

const movesOf = (step: Step) =>
  step.counters.map(({ key, limit, reserved, spent }): CounterMove<{ readonly _tag: string }> => ({
    name: "model",
    key,
    add: { spent, reserved },
    // Nothing is taken without a limit, as nobody does.
    ...(limit === 0 && spent + reserved <= 0 ? {} : { limit: atMost(limit) })
  }))

const send = (account: string, step: Step, n: number): Effect.Effect<Commit<{ readonly _tag: string }>> =>
  commitOf(account, `step ${n}`, {
    entries: entriesOf(step),
    requires: step.required.map(({ at_least, bucket }) => atLeast("USD", bucket, at_least)),
    counters: movesOf(step)
  })

type State = Readonly<Record<string, number>>

const nothing: State = {}
/** Every bucket has something to begin with. */
const START = 25
const begun: State = { available: START, pending: START, reserved: START }
const open = Effect.gen(function*() {
  const account = yield* openAccount
  yield* (yield* Committer).commit(yield* commitOf(account, "begun", { entries: [...funds(2 * START), captured(START), paidOut(START)] }))
  return account
})

const at = (state: State, name: string): number => state[name] ?? 0
const plus = (state: State, name: string, by: number): State => ({ ...state, [name]: at(state, name) + by })

/** The state after a commit, or why there is none: of several reasons those that any order of looking may name. */
const applied = (state: State, step: Step): Result.Result<State, ReadonlyArray<string>> => {
  const entries = entriesOf(step)
  let after = state
  for (const entry of entries) {
    for (const bucket of ["available", "pending", "reserved"] as const) after = plus(after, bucket, entry[`delta_${bucket}`])
  }
  const moves = movesOf(step)
  for (const { add, key } of moves) after = plus(plus(after, `${key} spent`, add.spent), `${key} reserved`, add.reserved)
  const why: Array<string> = []
  if (step.required.some(({ at_least, bucket }) => at(after, bucket) < at_least)) why.push("TooLittle")
  if (moves.some(({ key, limit }) => limit !== undefined && at(after, `${key} spent`) + at(after, `${key} reserved`) > limit.at_most)) {
    why.push("LimitReached")
  }
  const lowered = (name: string) => at(after, name) < 0
  if (["pending", "reserved"].some((bucket) => at(after, bucket) < at(state, bucket) && lowered(bucket))) why.push("below_zero")
  if (moves.some(({ add, key }) => (add.spent < 0 && lowered(`${key} spent`)) || (add.reserved < 0 && lowered(`${key} reserved`)))) {
    why.push("below_zero")
  }
  return why.length === 0 ? Result.succeed(after) : Result.fail(why)
}

/** The steps that were written, in the order of the journal. */
const journalOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  const order = yield* sql<{ readonly cause: string }>`SELECT idempotency_key AS cause FROM financial_events
    WHERE merchant_id = ${account} AND idempotency_key <> 'begun' GROUP BY idempotency_key ORDER BY min(sequence_id)`
  return order.map(({ cause }) => Number(cause.replace("step ", "")))
})

const checkState = Effect.fnUntraced(function*(account: string, state: State) {
  const sql = yield* SqlClient.SqlClient
  const [balance] = yield* sql<State>`SELECT available, pending, reserved FROM balance_accounts WHERE account_id = ${account}`
  for (const bucket of ["available", "pending", "reserved"]) assert.strictEqual(at(balance ?? nothing, bucket), at(state, bucket), bucket)
  const counters = yield* sql<{ readonly key: string; readonly spent: number; readonly reserved: number }>`
    SELECT key, spent, reserved FROM counters WHERE account_id = ${account}`
  for (const key of ["a", "b"]) {
    const row = counters.find((counter) => counter.key === key)
    assert.deepStrictEqual([row?.spent ?? 0, row?.reserved ?? 0], [at(state, `${key} spent`), at(state, `${key} reserved`)], key)
  }
  assert.isTrue((yield* verifyBooks(account)).ok)
})

layer(road, { excludeTestServices: true })("commits with conditions", (it) => {
  it.effect.prop("are accepted and refused as if each had come alone, in their order", [Steps], ([steps]) =>
    Effect.gen(function*() {
      const committer = yield* Committer
      const account = yield* open
      const made = yield* Effect.forEach(steps, (step, n) => send(account, step, n))
      const outcomes = (yield* Effect.forEach(made, (commit) => Effect.result(committer.commit(commit)), { concurrency: "unbounded" })).map(
        outcomeOf
      )
      let state = begun
      for (const [n, step] of steps.entries()) {
        const next = applied(state, step)
        assert.include(Result.isSuccess(next) ? ["written"] : next.failure, outcomes[n], `step ${n}`)
        if (Result.isSuccess(next)) state = next.success
      }
      assert.deepStrictEqual(yield* journalOf(account), steps.map((_, n) => n).filter((n) => outcomes[n] === "written"))
      yield* checkState(account, state)
    }), { arbitrary: { runs: 50 }, timeout: 120_000 })

  it.effect.prop(
    "of two processes are accepted in one order, and each refusal has a place in it",
    [Steps],
    ([steps]) =>
      Effect.gen(function*() {
        const here = yield* Committer
        const other = yield* Committer.pipe(Effect.provide(yield* Layer.build(Layer.fresh(layerRoad))))
        const account = yield* open
        const made = yield* Effect.forEach(steps, (step, n) => send(account, step, n))
        const outcomes = (yield* Effect.forEach(
          made,
          (commit, n) => Effect.result((n % 2 === 0 ? here : other).commit(commit)),
          { concurrency: "unbounded" }
        )).map(outcomeOf)
        const journal = yield* journalOf(account)
        assert.deepStrictEqual(journal.toSorted((a, b) => a - b), steps.map((_, n) => n).filter((n) => outcomes[n] === "written"))
        const states: Array<State> = [begun]
        for (const n of journal) {
          const step = steps[n]
          const next = step === undefined ? undefined : applied(states.at(-1) ?? begun, step)
          if (next === undefined || Result.isFailure(next)) return assert.fail(`step ${n} was written`)
          states.push(next.success)
        }
        yield* checkState(account, states.at(-1) ?? begun)
        // A process keeps the order in which it was asked, so a refusal stands between its own neighbours that were written.
        for (const [n, step] of steps.entries()) {
          if (outcomes[n] === "written") continue
          const own = (m: number) => m % 2 === n % 2
          const from = journal.findLastIndex((m) => own(m) && m < n) + 1
          const until = journal.findIndex((m) => own(m) && m > n)
          const places = states.slice(from, until < 0 ? undefined : until + 1)
          assert.isTrue(
            places.some((state) => {
              const next = applied(state, step)
              return Result.isFailure(next) && next.failure.includes(outcomes[n] ?? "")
            }),
            `step ${n} was refused with ${outcomes[n]}`
          )
        }
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 25 }, timeout: 120_000 }
  )
})
