/** Refunds and payouts by people above the account's limit wait for another person. See docs/decisions/0080. */
import { assert, layer } from "@effect/vitest"
import type { Role } from "@svc/accounts/access/model"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { verifyBooks } from "../road.ts"
import { layerOfPeople, type Member, People } from "./people.ts"
import { itemsOf, type Merchant, must, openMerchant } from "./service.ts"

const LIMIT = 1_000

const make = ({ key }: Merchant, path: string, body: object) =>
  must("POST", path, { key, body: { idempotency_key: randomUUID(), ...body } })

const limit = ({ key }: Merchant, people: object) => must("PATCH", "/v1/account", { key, body: { settings: { people } } })

/** Runs what falls due within so many days from now. */
const pass = (days: number) => Effect.flatMap(now, (at) => runDue(DateTime.add(at, { days })))

const paid = Effect.fnUntraced(function*(merchant: Merchant, currency = "USD") {
  const { id } = yield* make(merchant, "/v1/payment_intents", { amount: 5_000, currency, payment_method_id: "tok_visa", capture: true })
  return String(id)
})

/** Asks as a person, under a key of its own unless one is given. */
const post = Effect.fnUntraced(function*(member: Member, path: string, body: object = {}, idempotency_key: string = randomUUID()) {
  return yield* (yield* People).ask(member, { method: "POST", path, body: { ...body, idempotency_key } })
})

const refund = (member: Member, payment: string, amount: number, key?: string) =>
  post(member, `/v1/payment_intents/${payment}/refund`, { amount }, key)

const decide = (member: Member, verb: "approve" | "reject", look: unknown) => post(member, `/v1/second_looks/${String(look)}/${verb}`)

const refunded = ({ key }: Merchant, payment: string) =>
  Effect.map(must("GET", `/v1/payment_intents/${payment}`, { key }), ({ refunded_amount }) => refunded_amount)

/** A merchant with a limit, a payment, the person who asks and the one who looks. */
const scene = Effect.fnUntraced(function*(name: string, role: Role = "finance") {
  const merchant = yield* openMerchant(name)
  yield* limit(merchant, { second_look_above: LIMIT })
  const people = yield* People
  return {
    merchant,
    people,
    payment: yield* paid(merchant),
    asker: yield* people.join(merchant, role),
    looker: yield* people.join(merchant, "finance")
  }
})

/** A refund that waits. */
const waiting = Effect.fnUntraced(function*(name: string) {
  const here = yield* scene(name)
  const { json, status } = yield* refund(here.asker, here.payment, 2_000)
  assert.deepStrictEqual([status, json["status"]], [202, "pending"])
  return { ...here, look: json["id"] }
})

interface Case {
  readonly says: string
  readonly amount: number
  readonly settings?: object
  readonly currency?: string
  readonly before?: number
  readonly status: 200 | 202
}

const cases: ReadonlyArray<Case> = [
  { says: "at the limit nobody is asked", amount: LIMIT, status: 200 },
  { says: "above it somebody is", amount: LIMIT + 1, status: 202 },
  { says: "without a limit nobody is", amount: 5_000, settings: { second_look_above: null }, status: 200 },
  { says: "a limit of nothing asks for each", amount: 1, settings: { second_look_above: 0 }, status: 202 },
  { says: "what was refunded of the payment counts", amount: 200, before: 900, status: 202 },
  { says: "another currency is converted: less than the limit", amount: 800, currency: "EUR", status: 200 },
  { says: "another currency is converted: more than the limit", amount: LIMIT, currency: "EUR", status: 202 },
  { says: "a currency that is worth little is", amount: 5_000, currency: "JPY", settings: { second_look_above: 5_000 }, status: 200 }
]

layer(layerOfPeople, { excludeTestServices: true, timeout: "60 seconds" })("a second look", (it) => {
  it.effect("is needed above the limit, by people alone", () =>
    Effect.gen(function*() {
      const { asker, merchant } = yield* scene("limits")
      for (const { amount, before, currency, says, settings, status } of cases) {
        yield* limit(merchant, settings ?? { second_look_above: LIMIT })
        const payment = yield* paid(merchant, currency)
        if (before !== undefined) assert.strictEqual((yield* refund(asker, payment, before)).status, 200, says)
        const answer = yield* refund(asker, payment, amount)
        assert.strictEqual(answer.status, status, `${says}: ${JSON.stringify(answer.json)}`)
        assert.strictEqual(yield* refunded(merchant, payment), (before ?? 0) + (status === 200 ? amount : 0), says)
      }
      yield* limit(merchant, { second_look_above: LIMIT })
      const payment = yield* paid(merchant)
      assert.strictEqual((yield* make(merchant, `/v1/payment_intents/${payment}/refund`, { amount: 4_000 }))["refunded_amount"], 4_000)
    }))

  it.effect("is given by another person, and both stand in the audit log", () =>
    Effect.gen(function*() {
      const { asker, look, looker, merchant, payment } = yield* waiting("given")
      assert.strictEqual(yield* refunded(merchant, payment), 0)
      const { json, status } = yield* decide(looker, "approve", look)
      assert.strictEqual(status, 200, JSON.stringify(json))
      assert.deepInclude(json, { status: "done", requested_by: asker.id, decided_by: looker.id, result_id: payment })
      assert.strictEqual(yield* refunded(merchant, payment), 2_000)
      const entriesOf = (resource: unknown) =>
        Effect.map(must("GET", `/v1/audit_log?resource_id=${String(resource)}`, { key: merchant.key }), (list) =>
          itemsOf(list).map(Object).map(({ action, actor_id }) => [action, actor_id]))
      assert.deepStrictEqual(yield* entriesOf(look), [
        ["second_look.updated", looker.id],
        ["second_look.updated", looker.id],
        ["second_look.created", asker.id]
      ])
      assert.includeDeepMembers(yield* entriesOf(payment), [["payment_intent.updated", looker.id]])
      assert.isTrue((yield* verifyBooks(merchant.id)).ok)
    }))

  it.effect("is asked for once under a key, and what it is about is looked at before", () =>
    Effect.gen(function*() {
      const { asker, payment } = yield* scene("keys")
      const key = randomUUID()
      const [first, again] = [yield* refund(asker, payment, 2_000, key), yield* refund(asker, payment, 2_000, key)]
      assert.deepStrictEqual([again.status, again.json], [202, first.json])
      assert.strictEqual((yield* refund(asker, payment, 2_001, key)).json["error"], "idempotency_key_reused")
      assert.strictEqual((yield* refund(asker, payment, 5_001)).status, 400)
    }))

  it.effect("is no key's, and not that of whoever asked, nor of a role without the right", () =>
    Effect.gen(function*() {
      const { asker, look, merchant, payment, people } = yield* waiting("rights")
      const table: ReadonlyArray<readonly [who: string, Member]> = [
        ["the one who asked", asker],
        ["support, who may not approve", yield* people.join(merchant, "support")],
        ["a viewer", yield* people.join(merchant, "viewer")],
        ["a developer", yield* people.join(merchant, "developer")]
      ]
      for (const verb of ["approve", "reject"] as const) {
        for (const [who, member] of table) assert.strictEqual((yield* decide(member, verb, look)).status, 403, `${verb}: ${who}`)
        const path = `/v1/second_looks/${String(look)}/${verb}`
        const byKey = yield* Effect.exit(make(merchant, path, {}))
        assert.strictEqual(byKey._tag, "Failure", verb)
      }
      const other = yield* people.join(yield* openMerchant("stranger"), "owner")
      assert.strictEqual((yield* decide(other, "approve", look)).status, 404)
      assert.strictEqual(yield* refunded(merchant, payment), 0)
    }))

  it.effect("of two at once is one act", () =>
    Effect.gen(function*() {
      const { look, looker, merchant, payment, people } = yield* waiting("race")
      const owner = yield* people.join(merchant, "owner")
      const answers = yield* Effect.all([decide(looker, "approve", look), decide(owner, "approve", look), decide(owner, "reject", look)], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
      const isDone = answers.some(({ json }) => json["status"] === "done")
      assert.strictEqual(yield* refunded(merchant, payment), isDone ? 2_000 : 0)
    }))

  it.effect("looks anew at who asked, at the payment, and at the time", () =>
    Effect.gen(function*() {
      const lost = yield* waiting("lost")
      yield* lost.people.become(lost.asker, "viewer")
      const refused = yield* decide(lost.looker, "approve", lost.look)
      assert.deepStrictEqual([refused.status, refused.json["error"]], [409, "invalid_state"])
      yield* lost.people.become(lost.asker, undefined)
      assert.strictEqual((yield* decide(lost.looker, "approve", lost.look)).status, 409)
      assert.deepInclude((yield* decide(lost.looker, "reject", lost.look)).json, { status: "rejected", decided_by: lost.looker.id })
      assert.strictEqual(yield* refunded(lost.merchant, lost.payment), 0)

      const spent = yield* waiting("spent")
      yield* make(spent.merchant, `/v1/payment_intents/${spent.payment}/refund`, { amount: 4_000 })
      const failed = (yield* decide(spent.looker, "approve", spent.look)).json
      assert.deepInclude(failed, { status: "failed", result_id: null })
      assert.include(String(failed["failure_reason"]), "1000")
      assert.strictEqual(yield* refunded(spent.merchant, spent.payment), 4_000)

      const raised = yield* waiting("raised")
      yield* limit(raised.merchant, { second_look_above: 100_000 })
      assert.deepInclude((yield* decide(raised.looker, "approve", raised.look)).json, { status: "done" })

      const old = yield* waiting("old")
      yield* pass(8)
      assert.strictEqual((yield* decide(old.looker, "approve", old.look)).status, 409)
      assert.deepInclude(yield* must("GET", `/v1/second_looks/${String(old.look)}`, { key: old.merchant.key }), {
        status: "expired",
        decided_by: null
      })
    }))

  it.effect("is carried out by a timer where the process stopped after the approval, once", () =>
    Effect.gen(function*() {
      const { look, looker, merchant, payment } = yield* waiting("stopped")
      const sql = yield* SqlClient.SqlClient
      yield* Effect.orDie(sql`UPDATE second_looks SET status = 'approved', decided_by = ${looker.id}, decided_at = now(), version = 2
        WHERE id = ${String(look)}`)
      yield* Effect.orDie(sql`INSERT INTO timers (account_id, kind, resource_id, due_at, attempts, held)
        VALUES (${merchant.id}, 'second_look.carry_out', ${String(look)}, now(), 0, false)`)
      yield* pass(1)
      yield* pass(1)
      assert.strictEqual(yield* refunded(merchant, payment), 2_000)
      const audit = yield* must("GET", `/v1/audit_log?actor_id=${looker.id}&resource_id=${payment}`, { key: merchant.key })
      assert.lengthOf(itemsOf(audit), 1)
    }))

  it.effect("is needed for payouts, whose sum in a day counts, too", () =>
    Effect.gen(function*() {
      const { asker, looker, merchant } = yield* scene("payouts")
      yield* must("PATCH", "/v1/account", { key: merchant.key, body: { settings: { settlement_delay_days: 0 } } })
      yield* paid(merchant)
      yield* pass(1)
      const instrument = yield* make(merchant, "/v1/transfer_instruments", {
        type: "bank_account",
        currency: "USD",
        holder_name: "Acme",
        number: "DE89370400440532013000"
      })
      const destination_id = String(instrument["id"])
      yield* must("POST", `/v1/transfer_instruments/${destination_id}/verify`, { key: merchant.key, body: { method: "instant" } })
      yield* must("POST", `/v1/transfer_instruments/${destination_id}/activate`, { key: merchant.key })
      const pay = (amount: number) => post(asker, "/v1/payouts", { amount, currency: "USD", destination_id })
      const atOnce = yield* Effect.all(Array.from({ length: 4 }, () => pay(900)), { concurrency: "unbounded" })
      assert.deepStrictEqual(atOnce.map(({ status }) => status).toSorted((a, b) => a - b), [201, 202, 202, 202])
      const more = yield* pay(200)
      assert.strictEqual(more.status, 202, JSON.stringify(more.json))
      const { json } = yield* decide(looker, "approve", more.json["id"])
      assert.deepInclude(json, { status: "done", act: "payout" })
      assert.deepInclude(yield* must("GET", `/v1/payouts/${String(json["result_id"])}`, { key: merchant.key }), { amount: 200 })
      const sums = yield* must("GET", "/v1/payouts", { key: merchant.key })
      assert.lengthOf(itemsOf(sums), 2)
    }))
})
