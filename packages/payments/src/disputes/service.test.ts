import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { PaymentIntents } from "../payment-intents/service.ts"
import type { SimulateDisputeRequest } from "./model.ts"
import { Disputes } from "./service.ts"

let keys = 0
const keyed = (operation: string) => ({ key: IdempotencyKey.make(`disputes-${keys++}`), operation, fingerprint: "0".repeat(64) })

const open = (sandbox = true) =>
  Effect.flatMap(Accounts, (accounts) => Effect.map(accounts.create({ name: "Acme", sandbox }), ({ account }): AccountFacts => account))

const idIn = (body: string): string => String((parseJson(body) as { readonly id: unknown }).id)

/** A captured payment of 100.00, fee 3.20. */
const capture = Effect.fnUntraced(function*(account: AccountFacts, payment_method_id = "tok_visa", metadata: Record<string, string> = {}) {
  const intents = yield* PaymentIntents
  const { body } = yield* intents.create({
    account,
    keyed: keyed("payment_intent.create"),
    payload: { amount: 10_000, currency: "USD", metadata }
  })
  yield* intents.authorize({
    account,
    id: idIn(body),
    keyed: keyed("payment_intent.authorize"),
    payload: { payment_method_id, capture: true }
  })
  return idIn(body)
})

const refund = (account: AccountFacts, id: string, amount?: number) =>
  Effect.flatMap(
    PaymentIntents,
    (intents) => intents.refund({ account, id, keyed: keyed("payment_intent.refund"), payload: amount === undefined ? {} : { amount } })
  )

const simulate = Effect.fnUntraced(function*(account: AccountFacts, payment_intent_id: string, more: Partial<SimulateDisputeRequest> = {}) {
  const disputes = yield* Disputes
  const { body } = yield* disputes.simulate({ account, keyed: keyed("dispute.simulate"), payload: { payment_intent_id, ...more } })
  return yield* disputes.get(account.id, idIn(body))
})

const submit = (account: AccountFacts, id: string, evidence: { readonly other?: string }) =>
  Effect.flatMap(Disputes, (disputes) => disputes.submit({ account, id, keyed: keyed("dispute.submit"), payload: evidence }))

const accept = (account: AccountFacts, id: string) =>
  Effect.flatMap(Disputes, (disputes) => disputes.accept({ account, id, keyed: keyed("dispute.accept"), payload: {} }))

const of = (account: AccountFacts, intent: string) =>
  Effect.flatMap(
    Disputes,
    (disputes) => Effect.map(disputes.list(account.id, { payment_intent_id: intent }, { page: 1, per_page: 10 }), ({ data }) => data)
  )

/** Available, pending and reserved. */
const balance = Effect.fnUntraced(function*(account: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly available: number; readonly pending: number; readonly reserved: number }
  >`SELECT available, pending, reserved FROM balance_accounts WHERE account_id = ${account.id}`
  return [row?.available, row?.pending, row?.reserved]
})

const disputed = (account: AccountFacts, id: string) =>
  Effect.flatMap(PaymentIntents, (intents) => Effect.map(intents.get(account.id, id), ({ disputed_amount }) => disputed_amount))

const told = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql<{ readonly type: string }>`SELECT type FROM events WHERE resource_id = ${id} ORDER BY seq`).map(({ type }) =>
    type.replace("dispute.", "")
  )
})

/** What the events of a dispute say to route by. */
const hintsOf = Effect.fnUntraced(function*(id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly metadata: string | null }>`SELECT metadata FROM events WHERE resource_id = ${id} ORDER BY seq`
  return rows.map(({ metadata }) => metadata === null ? null : parseJson(metadata))
})

const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

const booksHold = Effect.fnUntraced(function*(account: AccountFacts) {
  assert.isNull((yield* verifyBooks(account.id)).first_break)
})

layer(services, { timeout: 60_000 })("disputes", (it) => {
  it.effect("a payment with tok_dispute is disputed a day after its settlement: the money is held, and the dispute costs its fee", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const intent = yield* capture(account, "tok_dispute")
      yield* after("71 hours")
      assert.deepStrictEqual(yield* of(account, intent), [])
      yield* after("1 hours")
      const [dispute, ...others] = yield* of(account, intent)
      assert.deepInclude(dispute, { status: "open", amount: 10_000, reason: "10.4", fee_amount: 1_500, previous_dispute_id: null })
      assert.strictEqual(others.length, 0)
      assert.deepStrictEqual(yield* balance(account), [9_680 - 10_000 - 1_500, 0, 10_000])
      assert.strictEqual(yield* disputed(account, intent), 10_000)
      assert.deepStrictEqual(yield* told(dispute!.id), ["created"])
      assert.deepStrictEqual(yield* hintsOf(dispute!.id), [{ status: "open" }])
      yield* booksHold(account)
    }))

  it.effect.each(
    [
      ["won", "5 days", { other: "delivered" }, [8_180, 0, 0], 0, ["created", "evidence_submitted", "updated", "won", "closed"]],
      ["won", "1 second", { other: "winning_evidence" }, [8_180, 0, 0], 0, ["created", "evidence_submitted", "updated", "won", "closed"]],
      ["lost", "1 second", { other: "losing_evidence" }, [-1_820, 0, 0], 10_000, [
        "created",
        "evidence_submitted",
        "updated",
        "lost",
        "closed"
      ]]
    ] as const
  )("is %s %s after its evidence was submitted", ([status, time, evidence, balances, remains, events]) =>
    Effect.gen(function*() {
      const account = yield* open()
      const intent = yield* capture(account)
      yield* after("2 days")
      const { id } = yield* simulate(account, intent)
      yield* submit(account, id, evidence)
      assert.strictEqual((yield* (yield* Disputes).get(account.id, id)).status, "under_review")
      yield* after(time)
      const closed = yield* (yield* Disputes).get(account.id, id)
      assert.strictEqual(closed.status, status)
      assert.isNotNull(closed.closed_at)
      assert.deepStrictEqual(yield* balance(account), [...balances])
      assert.strictEqual(yield* disputed(account, intent), remains)
      assert.deepStrictEqual(yield* told(id), [...events])
      yield* booksHold(account)
    }))

  it.effect("one that is accepted, or that nobody answers in 20 days, is lost", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const [one, two] = [yield* capture(account), yield* capture(account)]
      const [accepted, silent] = [yield* simulate(account, one), yield* simulate(account, two)]
      yield* accept(account, accepted.id)
      yield* after("20 days")
      const disputes = yield* Disputes
      assert.strictEqual((yield* disputes.get(account.id, accepted.id)).status, "accepted")
      assert.deepInclude(yield* disputes.get(account.id, silent.id), { status: "expired", evidence_due_by: null })
      assert.deepStrictEqual(yield* told(accepted.id), ["created", "updated", "closed"])
      assert.deepStrictEqual(yield* told(silent.id), ["created", "updated", "closed"])
      assert.deepStrictEqual(yield* hintsOf(accepted.id), [null, null, null])
      assert.deepStrictEqual(yield* hintsOf(silent.id), [null, { status: "expired" }, { status: "expired" }])
      assert.deepStrictEqual(yield* balance(account), [2 * (9_680 - 10_000 - 1_500), 0, 0])
      yield* booksHold(account)
    }))

  it.effect("while it is open its payment is not refunded, and afterwards only what nobody took back", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const intent = yield* capture(account)
      const { id } = yield* simulate(account, intent, { amount: 6_000 })
      const refused = yield* Effect.result(refund(account, intent, 1_000))
      assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "InvalidState")
      yield* accept(account, id)
      const tooMuch = yield* Effect.result(refund(account, intent, 4_001))
      assert.isTrue(Result.isFailure(tooMuch) && tooMuch.failure._tag === "ValidationError")
      yield* refund(account, intent)
      assert.strictEqual((yield* (yield* PaymentIntents).get(account.id, intent)).refunded_amount, 4_000)
      const nothingLeft = yield* Effect.result(refund(account, intent))
      assert.isTrue(Result.isFailure(nothingLeft) && nothingLeft.failure._tag === "ValidationError")
      yield* booksHold(account)
    }))

  it.effect("a payment has one open dispute, another may follow one that was won, and what the network says twice is one", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const intent = yield* capture(account)
      const first = yield* simulate(account, intent)
      const second = yield* Effect.result(simulate(account, intent, { amount: 1 }))
      assert.isTrue(Result.isFailure(second) && second.failure._tag !== "NotFound")
      yield* submit(account, first.id, { other: "delivered" })
      yield* after("5 days")
      const again = yield* simulate(account, intent)
      assert.strictEqual(again.previous_dispute_id, first.id)
      const disputes = yield* Disputes
      const repeated = yield* disputes.report(account, intent, {
        amount: undefined,
        reason: "10.4",
        network_reference: again.network_reference
      })
      assert.strictEqual(repeated.id, again.id)
      yield* booksHold(account)
    }))

  it.effect("of a refund and a dispute of the same money at once the dispute opens, and the refund is made before it or not at all", () =>
    Effect.gen(function*() {
      const account = yield* open()
      for (let n = 0; n < 5; n++) {
        const intent = yield* capture(account)
        yield* Effect.all([Effect.result(refund(account, intent)), Effect.result(simulate(account, intent))], { concurrency: 2 })
        const { disputed_amount, refunded_amount } = yield* (yield* PaymentIntents).get(account.id, intent)
        assert.strictEqual(disputed_amount, 10_000)
        assert.include([0, 10_000], refunded_amount)
      }
      yield* booksHold(account)
    }))

  it.effect.each(
    [
      ["all of it", undefined, undefined, 10_000],
      ["a part of it", 4_000, 9_000, 9_000],
      ["a part of it, of what is left", 4_000, undefined, 6_000]
    ] as const
  )("a payment of which %s was refunded is disputed as the network says", ([_what, refunded, amount, held]) =>
    Effect.gen(function*() {
      const account = yield* open()
      const [won, lost] = [yield* capture(account), yield* capture(account)]
      yield* after("2 days")
      yield* Effect.forEach([won, lost], (intent) => refund(account, intent, refunded))
      const [available = 0] = yield* balance(account)
      const more = amount === undefined ? {} : { amount }
      const [first, second] = [yield* simulate(account, won, more), yield* simulate(account, lost, more)]
      assert.deepInclude(first, { status: "open", amount: held })
      assert.deepStrictEqual(yield* balance(account), [available - 2 * held - 3_000, 0, 2 * held])
      yield* submit(account, first.id, { other: "winning_evidence" })
      yield* submit(account, second.id, { other: "losing_evidence" })
      yield* after("1 second")
      assert.deepStrictEqual(yield* balance(account), [available - held - 3_000, 0, 0])
      assert.deepStrictEqual([yield* disputed(account, won), yield* disputed(account, lost)], [0, held])
      const beyond = yield* Effect.result(simulate(account, lost, { amount: 10_001 - held }))
      assert.isTrue(Result.isFailure(beyond) && beyond.failure._tag === "ValidationError")
      yield* booksHold(account)
    }))

  it.effect("evidence is kept, replaced field by field, and sent once", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const disputes = yield* Disputes
      const { id } = yield* simulate(account, yield* capture(account))
      const empty = yield* Effect.result(submit(account, id, {}))
      assert.isTrue(Result.isFailure(empty) && empty.failure._tag === "ValidationError")
      const add = (payload: object) => disputes.addEvidence({ account, id, keyed: keyed("dispute.add_evidence"), payload })
      yield* add({ other: "one", refund_policy: "30 days" })
      yield* add({ other: "two" })
      yield* submit(account, id, {})
      const sent = yield* disputes.get(account.id, id)
      assert.deepStrictEqual(sent.evidence, { other: "two", refund_policy: "30 days" })
      for (const late of [add({ other: "three" }), submit(account, id, { other: "three" }), accept(account, id)]) {
        const refused = yield* Effect.result(late)
        assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "InvalidState")
      }
    }))

  it.effect("live accounts have no simulated disputes, and an account with an open dispute is not closed", () =>
    Effect.gen(function*() {
      const live = yield* open(false)
      const refused = yield* Effect.result(simulate(live, "pi_01KDVK5D80000000000000000A"))
      assert.isTrue(Result.isFailure(refused) && refused.failure._tag === "Forbidden")
      const account = yield* open()
      yield* simulate(account, yield* capture(account))
      const closing = yield* Effect.result((yield* Accounts).move(AccountId.make(account.id), "close"))
      assert.isTrue(Result.isFailure(closing) && closing.failure.message.includes("a dispute is open"))
    }))
})
