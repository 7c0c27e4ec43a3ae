import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { Committer } from "@svc/kernel/road/committer"
import { runDue } from "@svc/kernel/timers/timers"
import { makeId } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { jsonOf, layerWith, type Merchant, must, openMerchant, operatorKey, send } from "@svc/testkit/contract/service"
import { processWith } from "@svc/testkit/process"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { DateTime, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Payouts } from "./service.ts"

/** Commits of this process so far, but for those that only tell of a refusal. */
let commits = 0
const counting = replacing(Committer, (committer) => ({
  commit: (commit) =>
    Effect.suspend(() => {
      if (commit.refused === undefined) commits++
      return committer.commit(commit)
    })
}))

const GOOD = "DE89370400440532013000"
const REFUSES = "DE13370400440532010003"
const RETURNS = "DE83370400440532010004"

const post = ({ key }: Merchant, path: string, body: object) =>
  send("POST", path, { key, body: { idempotency_key: randomUUID(), ...body } })
const make = (merchant: Merchant, path: string, body: object) =>
  must("POST", path, { key: merchant.key, body: { idempotency_key: randomUUID(), ...body } })

/** Runs what falls due within so much time from now, each thing at its moment. */
const pass = (days: number) => Effect.flatMap(now, (at) => runDue(DateTime.add(at, { minutes: Math.round(days * 1_440) })))

/** Takes a payment of 100.00 euros, whose fee is 3.20, and has it settled. */
const earn = Effect.fnUntraced(function*(merchant: Merchant) {
  const { id } = yield* make(merchant, "/v1/payment_intents", { amount: 10_000, currency: "EUR" })
  yield* make(merchant, `/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
})

const instrument = Effect.fnUntraced(function*(merchant: Merchant, number = GOOD) {
  const { id } = yield* make(merchant, "/v1/transfer_instruments", { type: "bank_account", currency: "EUR", holder_name: "Acme", number })
  yield* must("POST", `/v1/transfer_instruments/${String(id)}/verify`, { key: merchant.key, body: { method: "instant" } })
  yield* must("POST", `/v1/transfer_instruments/${String(id)}/activate`, { key: merchant.key })
  return String(id)
})

/** A merchant with 96.80 euros and a bank account. */
const merchantWith = Effect.fnUntraced(function*(name: string, number = GOOD) {
  const merchant = yield* openMerchant(name)
  yield* must("PATCH", "/v1/account", { key: merchant.key, body: { settings: { settlement_delay_days: 0 } } })
  const destination_id = yield* instrument(merchant, number)
  yield* earn(merchant)
  yield* pass(0)
  return { merchant, destination_id, body: { amount: 5_000, currency: "EUR", destination_id } }
})

const balance = Effect.fnUntraced(function*({ id }: Merchant) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly available: number; readonly pending: number; readonly reserved: number }
  >`SELECT available, pending, reserved FROM balance_accounts WHERE account_id = ${id} AND currency = 'EUR'`
  return row === undefined ? [] : [row.available, row.pending, row.reserved].map(Number)
})

const payout = ({ key }: Merchant, id: unknown) => must("GET", `/v1/payouts/${String(id)}`, { key })
const terms = (merchant: Merchant, body: object) =>
  Effect.flatMap(operatorKey, (key) => must("PATCH", `/v1/accounts/${merchant.id}`, { key, body }))
const listed = ({ key }: Merchant, query = "") =>
  Effect.map(
    must("GET", `/v1/payouts?${query}`, { key }),
    ({ data }): ReadonlyArray<Readonly<Record<string, unknown>>> => Array.isArray(data) ? data : []
  )

layer(layerWith({}).pipe(counting), { excludeTestServices: true, timeout: "60 seconds" })("payouts", (it) => {
  it.effect("hold the money, can be cancelled for an hour, are submitted, and arrive a day later", () =>
    Effect.gen(function*() {
      const { body, merchant } = yield* merchantWith("manual")
      assert.deepStrictEqual(yield* balance(merchant), [9_680, 0, 0])
      const first = yield* make(merchant, "/v1/payouts", body)
      assert.deepInclude(first, { amount: 5_000, status: "pending", automatic: false, fee_amount: 0 })
      assert.deepStrictEqual(yield* balance(merchant), [4_680, 0, 5_000])
      assert.deepInclude(yield* make(merchant, `/v1/payouts/${String(first["id"])}/cancel`, {}), { status: "cancelled" })
      assert.deepStrictEqual(yield* balance(merchant), [9_680, 0, 0])

      const { id } = yield* make(merchant, "/v1/payouts", body)
      yield* pass(0.1)
      assert.deepInclude(yield* payout(merchant, id), { status: "processing" })
      const late = jsonOf(yield* post(merchant, `/v1/payouts/${String(id)}/cancel`, {}))
      assert.deepInclude(late, { error: "invalid_state" })
      yield* pass(1.1)
      assert.deepInclude(yield* payout(merchant, id), { status: "completed", failure_reason: null })
      yield* pass(30)
      assert.deepInclude(yield* payout(merchant, id), { status: "completed" })
      assert.deepStrictEqual(yield* balance(merchant), [4_680, 0, 0])
      assert.deepStrictEqual([(yield* listed(merchant, "status=completed")).length, (yield* listed(merchant, "currency=USD")).length], [
        1,
        0
      ])
      assert.strictEqual((yield* send("GET", `/v1/payouts/${String(id)}`, { key: (yield* openMerchant("other")).key })).status, 404)
      assert.isTrue((yield* verifyBooks(merchant.id)).ok)
    }))

  it.effect("that the bank refuses give the money back, and so do those that it returns", () =>
    Effect.gen(function*() {
      const refused = yield* merchantWith("refused", REFUSES)
      yield* terms(refused.merchant, { payout_fee: 25 })
      const one = yield* make(refused.merchant, "/v1/payouts", refused.body)
      assert.deepStrictEqual([one["fee_amount"], yield* balance(refused.merchant)], [25, [4_655, 0, 5_000]])
      yield* pass(2)
      assert.deepInclude(yield* payout(refused.merchant, one["id"]), {
        status: "failed",
        failure_reason: "The bank says that the account is closed.",
        completed_at: null
      })
      assert.deepStrictEqual(yield* balance(refused.merchant), [9_680, 0, 0])

      const returned = yield* merchantWith("returned", RETURNS)
      yield* terms(returned.merchant, { payout_fee: 25 })
      const { id } = yield* make(returned.merchant, "/v1/payouts", returned.body)
      yield* pass(1.1)
      assert.deepInclude(yield* payout(returned.merchant, id), { status: "completed" })
      assert.deepStrictEqual(yield* balance(returned.merchant), [4_655, 0, 0])
      yield* pass(4)
      assert.deepInclude(yield* payout(returned.merchant, id), { status: "failed", failure_reason: "returned" })
      assert.deepStrictEqual(yield* balance(returned.merchant), [9_655, 0, 0])
      assert.isTrue((yield* verifyBooks(returned.merchant.id)).ok)
    }))

  it.effect("race for one balance: exactly one wins, and the others hear of it at once", () =>
    Effect.gen(function*() {
      const { body, merchant } = yield* merchantWith("race")
      const before = commits
      const answers = yield* Effect.forEach(Array.from({ length: 20 }), () => post(merchant, "/v1/payouts", { ...body, amount: 9_000 }), {
        concurrency: "unbounded"
      })
      assert.strictEqual(commits - before, 20, "each is decided once")
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array.from({ length: 19 }, () => 400)])
      for (const answer of answers.filter(({ status }) => status === 400)) {
        assert.deepInclude(jsonOf(answer), { error: "insufficient_balance", code: "amount", details: { currency: "EUR", available: 680 } })
      }
      assert.deepStrictEqual(yield* balance(merchant), [680, 0, 9_000])
      const sql = yield* SqlClient.SqlClient
      const refusals = yield* sql<
        { readonly data: string }
      >`SELECT data FROM quiet_changes WHERE account_id = ${merchant.id} AND kind = 'refusals'`
      assert.strictEqual(refusals.length, 19, "the log has each refusal")
      for (const { data } of refusals) {
        assert.deepInclude(parseJson(data), { operation: "payout.create", error: "InsufficientBalance", code: "amount" })
      }
    }))

  it.effect("race in two processes: each knows nothing of the other, and one wins", () =>
    Effect.gen(function*() {
      const { body, merchant } = yield* merchantWith("two processes")
      const account = yield* (yield* Accounts).facts(merchant.id)
      const [here, there] = [yield* Payouts, yield* Effect.provide(Payouts, Layer.fresh(processWith()))]
      for (let round = 0; round < 5; round++) {
        const answers = yield* Effect.forEach([here, there, here, there, here, there], (process, n) =>
          Effect.result(
            process.create({
              account,
              keyed: { key: `${merchant.id}-${round}-${n}`, operation: "payout.create", fingerprint: "0".repeat(64) },
              payload: { ...body, amount: 9_000 }
            })
          ), { concurrency: "unbounded" })
        const made = answers.filter(Result.isSuccess)
        assert.deepStrictEqual([
          made.length,
          answers.flatMap((one) => Result.isFailure(one) ? [one.failure._tag] : [])
        ], [
          1,
          Array.from({ length: 5 }, () => "InsufficientBalance")
        ])
        const id = String(jsonOf({ text: made[0]?.success.body ?? "" })["id"])
        yield* make(merchant, `/v1/payouts/${id}/cancel`, {})
      }
      assert.deepStrictEqual(yield* balance(merchant), [9_680, 0, 0])
    }).pipe(Effect.scoped))

  it.effect("are refused with the reason", () =>
    Effect.gen(function*() {
      const { body, destination_id, merchant } = yield* merchantWith("refusals")
      const said = (more: object) =>
        Effect.map(
          post(merchant, "/v1/payouts", { ...body, ...more }),
          ({ status, ...answer }) => ({ status, error: jsonOf(answer)["error"], code: jsonOf(answer)["code"] })
        )
      assert.deepStrictEqual(yield* said({ amount: 99 }), { status: 400, error: "validation_error", code: "amount" })
      assert.deepStrictEqual(yield* said({ amount: 9_681 }), { status: 400, error: "insufficient_balance", code: "amount" })
      assert.deepStrictEqual(yield* said({ currency: "USD" }), { status: 400, error: "validation_error", code: "destination_id" })
      assert.deepStrictEqual(yield* said({ destination_id: "ti_00000000000000000000000000" }), {
        status: 400,
        error: "validation_error",
        code: "destination_id"
      })
      const { id: pending } = yield* make(merchant, "/v1/transfer_instruments", {
        type: "bank_account",
        currency: "EUR",
        holder_name: "Acme",
        number: GOOD
      })
      assert.deepStrictEqual(yield* said({ destination_id: pending }), { status: 400, error: "validation_error", code: "destination_id" })
      yield* terms(merchant, { restrictions: ["payouts_disabled"] })
      assert.deepStrictEqual(yield* said({}), { status: 403, error: "account_suspended", code: undefined })
      yield* terms(merchant, { restrictions: [] })

      // Live accounts wait for a legal entity, the one behind the instrument or any.
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE accounts SET sandbox = false WHERE id = ${merchant.id}`
      const forget = must("PATCH", "/v1/account", { key: merchant.key, body: { name: randomUUID() } })
      yield* forget
      assert.deepStrictEqual(yield* said({}), { status: 403, error: "forbidden", code: undefined })
      const { id } = yield* make(merchant, "/v1/legal_entities", { type: "individual", legal_name: "Ana", country: "DE" })
      const review = Effect.flatMap(operatorKey, (key) =>
        must("POST", `/v1/accounts/${merchant.id}/legal_entities/${String(id)}/review`, { key, body: { verification_status: "verified" } }))
      yield* review
      yield* sql`UPDATE transfer_instruments SET legal_entity_id = 'le_00000000000000000000000000' WHERE id = ${destination_id}`
      assert.deepStrictEqual(yield* said({}), { status: 403, error: "forbidden", code: undefined })
      yield* sql`UPDATE transfer_instruments SET legal_entity_id = ${id} WHERE id = ${destination_id}`
      assert.strictEqual((yield* said({})).status, 201)
    }))

  it.effect("keep their instrument from being archived and the account from being closed, whatever happens at once", () =>
    Effect.gen(function*() {
      const { body, destination_id, merchant } = yield* merchantWith("archive")
      const archive = (id: string) => send("POST", `/v1/transfer_instruments/${id}/archive`, { key: merchant.key })
      const { id } = yield* make(merchant, "/v1/payouts", body)
      assert.deepInclude(jsonOf(yield* archive(destination_id)), {
        error: "invalid_state",
        details: { state: "active", allowed: ["make_default"], payouts: 1 }
      })
      const closing = jsonOf(yield* send("POST", `/v1/accounts/${merchant.id}/close`, { key: yield* operatorKey }))
      assert.include(String(closing["message"]), "a payout is on the way")
      yield* make(merchant, `/v1/payouts/${String(id)}/cancel`, {})
      for (let round = 0; round < 10; round++) {
        const other = yield* instrument(merchant)
        const [paid, archived] = yield* Effect.all([
          post(merchant, "/v1/payouts", { ...body, amount: 100, destination_id: other }),
          archive(other)
        ], { concurrency: 2 })
        assert.isTrue((paid.status === 201) !== (archived.status === 200), `${paid.status} ${archived.status}`)
        if (paid.status !== 201) assert.deepInclude(jsonOf(paid), { error: "validation_error", code: "destination_id" })
      }
      assert.strictEqual((yield* archive(destination_id)).status, 200)
    }))

  it.effect("are made by the account's schedule, of all that is available, from its minimum on", () =>
    Effect.gen(function*() {
      const { merchant } = yield* merchantWith("schedule")
      const schedule = (payouts: object) => must("PATCH", "/v1/account", { key: merchant.key, body: { settings: { payouts } } })
      yield* pass(8)
      assert.deepStrictEqual(yield* listed(merchant), [], "nothing by itself at first")
      yield* schedule({ schedule: "daily", minimum: 25_000 })
      yield* earn(merchant)
      yield* pass(1.1)
      assert.deepStrictEqual([yield* listed(merchant), yield* balance(merchant)], [[], [19_360, 0, 0]])
      yield* schedule({ schedule: "weekly", minimum: 100 })
      yield* earn(merchant)
      yield* pass(8)
      const [made, ...others] = yield* listed(merchant)
      assert.deepInclude(made, { amount: 29_040, automatic: true })
      assert.deepStrictEqual(others, [])
      yield* pass(20)
      assert.deepInclude((yield* listed(merchant))[0], { status: "completed" })
      assert.deepStrictEqual(yield* balance(merchant), [0, 0, 0])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT kind FROM timers WHERE account_id = ${merchant.id} AND kind LIKE 'payout%'`, [])
      assert.isTrue((yield* verifyBooks(merchant.id)).ok)
    }))

  it.effect("are made of what is available already when the schedule is set", () =>
    Effect.gen(function*() {
      const { merchant } = yield* merchantWith("from now on")
      yield* must("PATCH", "/v1/account", { key: merchant.key, body: { settings: { payouts: { schedule: "daily" } } } })
      yield* pass(1.1)
      assert.deepInclude((yield* listed(merchant))[0], { amount: 9_680, automatic: true })
    }))

  it.effect("go where the account says or nowhere, and what it says is an instrument, not a number", () =>
    Effect.gen(function*() {
      const { destination_id, merchant } = yield* merchantWith("named")
      const named = yield* instrument(merchant)
      const say = (payout_destination: string) =>
        send("PATCH", "/v1/account", { key: merchant.key, body: { payout_destination, settings: { payouts: { schedule: "daily" } } } })
      assert.deepInclude(jsonOf(yield* say(GOOD)), { error: "validation_error", code: "payout_destination" })
      const unknown = yield* say(makeId("ti", 0))
      assert.deepStrictEqual([unknown.status, jsonOf(unknown)["code"]], [400, "payout_destination"])
      const { merchant: other } = yield* merchantWith("not named")
      assert.deepStrictEqual(
        jsonOf(yield* say(yield* instrument(other)))["message"],
        jsonOf(unknown)["message"],
        "another's is as one that does not exist"
      )
      assert.strictEqual((yield* say(named)).status, 200)
      yield* must("POST", `/v1/transfer_instruments/${named}/archive`, { key: merchant.key })
      yield* earn(merchant)
      yield* pass(2)
      assert.deepStrictEqual(
        [yield* listed(merchant), yield* balance(merchant)],
        [[], [19_360, 0, 0]],
        "not to the default, which nobody named"
      )
      yield* say(destination_id)
      const archived = yield* say(named)
      assert.deepStrictEqual([archived.status, jsonOf(archived)["code"]], [400, "payout_destination"])
      assert.include(String(jsonOf(archived)["message"]), "archived")
      yield* earn(merchant)
      yield* pass(2)
      assert.deepStrictEqual((yield* listed(merchant)).map((one) => one["destination_id"]), [destination_id])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(
        yield* sql`SELECT action FROM audit_log WHERE account_id = ${merchant.id} AND (before::text || after::text) LIKE ${`%${GOOD}%`}`,
        []
      )
    }))

  it.effect("are stopped before they are submitted when the account is suspended, and replayed under their key", () =>
    Effect.gen(function*() {
      const { body, merchant } = yield* merchantWith("stopped")
      const keyed = { ...body, idempotency_key: randomUUID() }
      const [first, again] = [yield* post(merchant, "/v1/payouts", keyed), yield* post(merchant, "/v1/payouts", keyed)]
      assert.deepStrictEqual([first.status, again.status, again.text], [201, 200, first.text])
      yield* must("POST", `/v1/accounts/${merchant.id}/suspend`, { key: yield* operatorKey })
      yield* pass(3)
      const stopped = yield* payout(merchant, jsonOf(first)["id"])
      assert.strictEqual(stopped["status"], "cancelled")
      assert.include(String(stopped["failure_reason"]), "suspended")
      assert.deepStrictEqual(yield* balance(merchant), [9_680, 0, 0])
    }))
})
