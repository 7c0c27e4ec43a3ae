import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import type { AccountSettings } from "@svc/accounts/accounts/settings"
import { VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency, internalCause } from "@svc/kernel/resource/idempotency"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { LedgerExport } from "@svc/ledger/export/service"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Deferred, Effect, Fiber, Layer, Result, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { PaymentIntent } from "./model.ts"
import { PaymentIntents } from "./service.ts"

const openAccount = Effect.fnUntraced(
  function*(settings: Partial<AccountSettings> = {}): Effect.fn.Return<AccountFacts, never, Accounts | SqlClient.SqlClient> {
    const sql = yield* SqlClient.SqlClient
    const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
    const all = { ...defaultSettings, ...settings }
    yield* Effect.orDie(sql`UPDATE accounts SET settings = ${JSON.stringify(all)}::jsonb WHERE id = ${account.id}`)
    return { ...account, settings: all }
  }
)

let keys = 0
const fresh = (operation: string) => {
  const key = IdempotencyKey.make(`service-test-${keys++}`)
  return { key, operation, fingerprint: "0".repeat(64) }
}

/** A verb asked for with a fresh key and an empty body. */
const on = (account: AccountFacts, id: string, verb: string) => ({ account, id, keyed: fresh(`payment_intent.${verb}`), payload: {} })

const create = Effect.fnUntraced(function*(account: AccountFacts, amount = 10_000, metadata: Record<string, string> = {}) {
  const keyed = fresh("payment_intent.create")
  const reply = yield* (yield* PaymentIntents).create({ account, keyed, payload: { amount, currency: "USD", metadata } })
  const { id }: PaymentIntent = JSON.parse(reply.body)
  return id
})

const authorize = Effect.fnUntraced(function*(account: AccountFacts, id: string, token: string, capture = false) {
  const keyed = fresh("payment_intent.authorize")
  return yield* (yield* PaymentIntents).authorize({ account, id, keyed, payload: { payment_method_id: token, capture } })
})

const timers = Effect.flatMap(now, (at) => runDue(at))
const after = (duration: Parameters<typeof TestClock.adjust>[0]) => Effect.andThen(TestClock.adjust(duration), timers)
const read = (account: AccountFacts, id: string) => Effect.flatMap(PaymentIntents, (intents) => intents.get(account.id, id))

const entriesOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    { readonly event_type: string }
  >`SELECT event_type FROM financial_events WHERE resource_id = ${id} ORDER BY sequence_id`
  return rows.map(({ event_type }) => event_type)
})

layer(services, { timeout: 60_000 })("payment intents", (it) => {
  it.effect("an outcome nobody knew ends up right", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const expected = [
        ["late_success", "authorized", null, ["payment_authorized"]],
        ["late_decline", "failed", "generic_decline", ["payment_failed"]],
        ["timeout", "failed", "provider_never_received", ["payment_failed"]],
        ["amount_mismatch", "failed", "amount_mismatch", ["payment_failed"]]
      ] as const
      for (const [outcome, state, reason, entries] of expected) {
        const id = yield* create(account, 10_000, { "sim.outcome": outcome })
        const reply = yield* authorize(account, id, "tok_visa")
        assert.strictEqual(reply.status, 200)
        const pending = yield* read(account, id)
        assert.deepStrictEqual([pending.state, pending.pending_reason], ["pending", "unknown_outcome"], outcome)
        yield* after("10 seconds")
        const settled = yield* read(account, id)
        assert.deepStrictEqual([settled.state, settled.failure_reason, settled.pending_reason], [state, reason, null], outcome)
        assert.deepStrictEqual(yield* entriesOf(id), Array.from(entries), outcome)
      }
    }))

  it.effect("a stablecoin payment is confirmed later and then captured", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const id = yield* create(account)
      yield* authorize(account, id, "tok_usdc", true)
      assert.strictEqual((yield* read(account, id)).pending_reason, "async_rail")
      yield* after("10 seconds")
      const intent = yield* read(account, id)
      assert.deepStrictEqual([intent.state, intent.captured_amount, intent.selected_rail], ["captured", 10_000, "usdc"])
    }))

  it.effect.each([[true, "captured"], [false, "failed"]] as const)(
    "a 3DS step that ends %s leaves the payment %s, once",
    ([passed, state]) =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const intents = yield* PaymentIntents
        const id = yield* create(account)
        yield* authorize(account, id, "tok_requires_action", true)
        const pending = yield* read(account, id)
        assert.strictEqual(pending.pending_reason, "requires_action")
        const key = pending.next_action?.url.split("/").at(-1) ?? ""
        assert.strictEqual((yield* intents.completeAction(key, passed)).state, state)
        assert.strictEqual((yield* read(account, id)).state, state)
        assert.strictEqual((yield* Effect.flip(intents.completeAction(key, passed))).error, "not_found")
      })
  )

  it.effect("a 3DS step that lost a race with another writer is decided again, and is told to be over only when nobody waits", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const intents = yield* PaymentIntents
      const sql = yield* SqlClient.SqlClient
      const id = yield* create(account)
      yield* authorize(account, id, "tok_requires_action", true)
      const key = (yield* read(account, id)).next_action?.url.split("/").at(-1) ?? ""
      const [changed, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // Another writer has changed the row and not committed yet: whoever decides now reads what was before.
      const writer = yield* Effect.forkChild(sql.withTransaction(Effect.gen(function*() {
        yield* sql`UPDATE payment_intents SET version = version + 1 WHERE id = ${id}`
        yield* Deferred.succeed(changed, undefined)
        yield* Deferred.await(go)
      })))
      yield* Deferred.await(changed)
      const step = yield* Effect.forkChild(intents.completeAction(key, true))
      const blocked = sql<
        { readonly n: number }
      >`SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        OR NOT granted AND locktype = 'transactionid'`
      yield* Effect.repeat(blocked, { until: ([row]) => (row?.n ?? 0) > 0 })
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(writer)
      assert.strictEqual((yield* Fiber.join(step)).state, "captured")
      assert.strictEqual((yield* read(account, id)).captured_amount, 10_000)
      assert.strictEqual((yield* Effect.flip(intents.completeAction(key, true))).error, "not_found")
    }))

  it.effect("a step that nobody takes fails after seven days", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const id = yield* create(account)
      yield* authorize(account, id, "tok_requires_action")
      yield* after("7 days")
      const intent = yield* read(account, id)
      assert.deepStrictEqual([intent.state, intent.failure_reason], ["failed", "expired"])
    }))

  it.effect("a hold ends by itself, and not before its time", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const id = yield* create(account)
      yield* authorize(account, id, "tok_visa")
      yield* after("604799 seconds")
      assert.strictEqual((yield* read(account, id)).state, "authorized")
      yield* after("1 second")
      const intent = yield* read(account, id)
      assert.deepStrictEqual([intent.state, intent.failure_reason], ["cancelled", "authorization_expired"])
      const sql = yield* SqlClient.SqlClient
      const told = yield* sql<{ readonly metadata: string | null }>`
        SELECT metadata FROM events WHERE resource_id = ${id} AND type = 'payment_intent.cancelled'`
      assert.deepStrictEqual(told.map(({ metadata }) => parseJson(metadata ?? "null")), [
        { status: "cancelled", provider_reference: intent.provider_reference }
      ])
      assert.deepStrictEqual(yield* entriesOf(id), ["payment_authorized", "orchestration_leg_reversed"])
    }))

  it.effect("what waits for approval is authorized by it, rejected, or cancelled in time", () =>
    Effect.gen(function*() {
      const account = yield* openAccount({ require_approval_above: 5_000 })
      const intents = yield* PaymentIntents
      const [approved, rejected, forgotten] = yield* Effect.all([create(account), create(account), create(account)])
      for (const id of [approved, rejected, forgotten]) {
        yield* authorize(account, id, "tok_visa", true)
        assert.strictEqual((yield* read(account, id)).pending_reason, "requires_approval")
        assert.deepStrictEqual(yield* entriesOf(id), [])
      }
      yield* intents.approve(on(account, approved, "approve"))
      yield* intents.reject(on(account, rejected, "reject"))
      yield* after("7 days")
      const states = yield* Effect.forEach([approved, rejected, forgotten], (id) =>
        Effect.map(read(account, id), ({ failure_reason, state }) => [state, failure_reason]))
      assert.deepStrictEqual(states, [["captured", null], ["cancelled", "rejected"], ["cancelled", "approval_expired"]])
    }))

  it.effect("a blocked payment goes past the rule once it is approved", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const intents = yield* PaymentIntents
      const id = yield* create(account)
      const blocked = yield* authorize(account, id, "tok_fraudulent")
      assert.strictEqual(blocked.status, 402)
      assert.strictEqual(JSON.parse(blocked.body).decline_code, "fraudulent")
      assert.strictEqual((yield* read(account, id)).state, "blocked")
      yield* intents.approve(on(account, id, "approve"))
      yield* authorize(account, id, "tok_fraudulent")
      assert.strictEqual((yield* read(account, id)).state, "authorized")
    }))

  it.effect("falls back to the next rail by the class of the decline, and says so in the routing", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const soft = yield* create(account)
      yield* authorize(account, soft, "tok_processing_error")
      const second = yield* read(account, soft)
      assert.deepStrictEqual([second.state, second.selected_rail], ["authorized", "card_b"])
      assert.deepStrictEqual(second.attempts.map(({ decline_code, outcome, rail }) => [rail, outcome, decline_code]), [
        ["card_a", "declined", "processing_error"],
        ["card_b", "approved", null]
      ])
      const hard = yield* create(account)
      yield* authorize(account, hard, "tok_lost_card")
      assert.deepStrictEqual((yield* read(account, hard)).attempts.map(({ rail }) => rail), ["card_a"])
    }))

  it.effect("writes a leg for each rail it was tried on, and the reversal of the one that was left; of the first rail alone, nothing", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const legs = ["orchestration_leg_debit", "orchestration_leg_reversed", "orchestration_leg_credit"]
      const [plain, second, held, refused] = [
        yield* create(account),
        yield* create(account),
        yield* create(account),
        yield* create(account, 10_000, { "sim.decline": "generic_decline" })
      ]
      yield* authorize(account, plain, "tok_visa", true)
      yield* authorize(account, second, "tok_processing_error", true)
      yield* authorize(account, held, "tok_processing_error")
      yield* (yield* PaymentIntents).void(on(account, held, "void"))
      assert.strictEqual((yield* authorize(account, refused, "tok_visa")).status, 402)
      const captured = ["payment_authorized", "payment_captured", "fee_charged", "settlement_queued"]
      assert.deepStrictEqual(yield* Effect.forEach([plain, second, held, refused], entriesOf), [
        captured,
        [...legs, ...captured],
        [...legs, "payment_authorized", "orchestration_leg_reversed"],
        ["orchestration_leg_debit", "orchestration_leg_reversed", "orchestration_leg_debit", "payment_failed"]
      ])
      assert.isTrue((yield* verifyBooks(account.id)).ok)
      const lines = yield* Effect.scoped(Effect.flatMap((yield* LedgerExport).lines(account.id), Stream.mkString))
      const exported = lines.split("\n").flatMap((line) => /"event_type":"(orchestration_leg_\w+)"/.exec(line)?.[1] ?? [])
      assert.deepStrictEqual(exported, [
        ...legs,
        ...legs,
        "orchestration_leg_reversed",
        "orchestration_leg_debit",
        "orchestration_leg_reversed",
        "orchestration_leg_debit"
      ])
    }))

  it.effect("what another process did meanwhile is seen, whatever this one remembers", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const here = yield* PaymentIntents
      const there = yield* Effect.provide(PaymentIntents, yield* Layer.build(Layer.fresh(PaymentIntents.layer)))
      const id = yield* create(account)
      yield* there.authorize({ ...on(account, id, "authorize"), payload: { payment_method_id: "tok_visa" } })
      const reply = yield* here.capture(on(account, id, "capture"))
      assert.strictEqual(JSON.parse(reply.body).state, "captured")
      assert.strictEqual((yield* Effect.flip(there.void(on(account, id, "void"))))._tag, "InvalidState")
    }))

  it.effect("a verb on a version acts on that one only, and its replay is not asked for it again", () =>
    Effect.gen(function*() {
      const intents = yield* PaymentIntents
      const account = yield* openAccount()
      const id = yield* create(account)
      const { version } = yield* read(account, id)
      const command = { ...on(account, id, "authorize"), payload: { payment_method_id: "tok_visa" } }
      const at = (expected: number) => intents.authorize({ ...command, version: expected })
      const stale = yield* Effect.flip(at(version + 1))
      assert.strictEqual(stale._tag, "VersionConflict")
      assert.deepStrictEqual(
        stale,
        new VersionConflict({
          message: `The payment intent is at version ${version}, not ${version + 1}. Read it again and decide anew.`,
          details: { version }
        })
      )
      assert.strictEqual((yield* read(account, id)).state, "created")
      // The refusal has not used up the key.
      const done = yield* at(version)
      const again = yield* at(version)
      assert.deepStrictEqual([again.replayed, again.body], [true, done.body])
      const after = yield* read(account, id)
      assert.deepStrictEqual([after.state, after.version], ["authorized", version + 1])
      assert.strictEqual((yield* Effect.flip(intents.void({ ...on(account, id, "void"), version })))._tag, "VersionConflict")
      const one = yield* Effect.result(intents.capture({ ...on(account, id, "capture"), version: version + 1 }))
      assert.isTrue(Result.isSuccess(one))
    }))

  it.effect("a version that another process made counts, whatever this one remembers", () =>
    Effect.gen(function*() {
      const intents = yield* PaymentIntents
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount()
      const id = yield* create(account)
      const { version } = yield* read(account, id)
      yield* sql`UPDATE payment_intents SET version = version + 1 WHERE id = ${id}`
      assert.strictEqual((yield* Effect.flip(intents.void({ ...on(account, id, "void"), version })))._tag, "VersionConflict")
      const voided: PaymentIntent = JSON.parse((yield* intents.void({ ...on(account, id, "void"), version: version + 1 })).body)
      assert.deepStrictEqual([voided.state, voided.version], ["cancelled", version + 2])
    }))

  it.effect("a request that stopped half way goes on, though it has made another version itself", () =>
    Effect.gen(function*() {
      const intents = yield* PaymentIntents
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount()
      const id = yield* create(account)
      const { version } = yield* read(account, id)
      const command = on(account, id, "void")
      const { keyed } = command
      // Another process announced a call under this key, and its lease is over.
      yield* sql`UPDATE payment_intents SET version = version + 1 WHERE id = ${id}`
      yield* sql`INSERT INTO idempotency_keys (key, account_id, operation, fingerprint, resource_type, resource_id, status, lease_until, first_seen_at)
        VALUES (${keyed.key}, ${account.id}, ${keyed.operation}, ${keyed.fingerprint}, 'payment_intent', ${id}, 'in_progress', to_timestamp(0), to_timestamp(0))`
      yield* TestClock.adjust("1 second")
      const resumed: PaymentIntent = JSON.parse((yield* intents.void({ ...command, version })).body)
      assert.deepStrictEqual([resumed.state, resumed.version], ["cancelled", version + 2])
    }))

  it.effect("a request that another process answered is replayed here, and its key is refused for anything else", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const here = yield* PaymentIntents
      const there = yield* Effect.provide(
        PaymentIntents,
        yield* Layer.build(
          Layer.fresh(PaymentIntents.layer).pipe(Layer.provide(Layer.fresh(Idempotency.layer)))
        )
      )
      const [id, other] = [yield* create(account), yield* create(account)]
      for (const each of [id, other]) yield* authorize(account, each, "tok_visa", true)
      const command = { ...on(account, id, "refund"), payload: { amount: 1_000 } }
      const first = yield* here.refund(command)
      assert.deepStrictEqual(yield* there.refund(command), { ...first, replayed: true })
      const changed = { ...command, keyed: { ...command.keyed, fingerprint: "1".repeat(64) } }
      assert.strictEqual((yield* Effect.flip(there.refund({ ...changed, payload: { amount: 2_000 } })))._tag, "IdempotencyKeyReused")
      assert.strictEqual((yield* Effect.flip(there.refund({ ...changed, id: other })))._tag, "IdempotencyKeyReused")
      assert.deepStrictEqual([(yield* read(account, id)).refunded_amount, (yield* read(account, other)).refunded_amount], [1_000, 0])
    }))

  it.effect("no merchant's key stands in the way of a hold that ends", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const [held, voided] = [yield* create(account), yield* create(account)]
      for (const each of [held, voided]) yield* authorize(account, each, "tok_visa")
      const cause = internalCause("payment_intent.expires", held)
      const command = on(account, voided, "void")
      yield* (yield* PaymentIntents).void({ ...command, keyed: { ...command.keyed, key: IdempotencyKey.make(cause.trim()) } })
      yield* after("604800 seconds")
      assert.strictEqual((yield* read(account, held)).state, "cancelled")
      assert.throws(() => IdempotencyKey.make(cause))
    }))

  it.effect("no rail in reach is 503, charges nothing and leaves the key free", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const id = yield* create(account, 10_000, { "sim.unreachable": "card_a,card_b" })
      const refused = yield* Effect.flip(authorize(account, id, "tok_visa"))
      assert.strictEqual(refused._tag, "ProviderUnavailable")
      assert.strictEqual((yield* read(account, id)).state, "created")
    }))

  it.effect("a suspended account takes no new charges but still refunds", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const intents = yield* PaymentIntents
      const id = yield* create(account)
      yield* authorize(account, id, "tok_visa", true)
      const suspended: AccountFacts = { ...account, status: "suspended" }
      assert.strictEqual((yield* Effect.flip(create(suspended)))._tag, "AccountSuspended")
      const reply = yield* intents.refund(on(suspended, id, "refund"))
      assert.strictEqual(JSON.parse(reply.body).state, "refunded")
    }))
})
