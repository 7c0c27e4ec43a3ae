/** A decision stays with the line that led to it: what the same file does when it comes again, and what one does that lacks the line. */
import { assert, layer } from "@effect/vitest"
import { iso } from "@svc/kernel/values/time"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { balance, captureLine, detail, openMerchant, pay, resolve, upload } from "../fixture.ts"

const unnamed = (payment: PaymentIntent, amount = 10_000): string => `capture,,${amount},USD,${iso(payment.updated_at)}`

/** A merchant with two captures that the provider is said not to have. */
const twoTakenBack = Effect.gen(function*() {
  const account = yield* openMerchant()
  const payments = [yield* pay(account), yield* pay(account)] as const
  const before = yield* balance(account)
  const { mismatches } = yield* upload(account, [])
  assert.deepStrictEqual(mismatches.map(({ type }) => type), ["missing_external", "missing_external"])
  yield* Effect.forEach(mismatches, ({ id }) => resolve(account, id, "accept_external"))
  assert.strictEqual(yield* balance(account), before - 20_000)
  return { account, before, payments }
})

const agrees = { matched: 1, mismatched: 0, unreconciled: 0 }

layer(services, { timeout: 60_000 })("a line without a reference that comes again", (it) => {
  it.effect("takes one correction back, however often its file is sent", () =>
    Effect.gen(function*() {
      const { account, before, payments: [payment] } = yield* twoTakenBack
      for (let n = 0; n < 3; n++) {
        const later = yield* upload(account, [unnamed(payment)])
        assert.deepStrictEqual([later.mismatches, later.counts, yield* balance(account)], [[], agrees, before - 10_000])
      }
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("leaves the other correction to a line of its own", () =>
    Effect.gen(function*() {
      const { account, before, payments: [payment] } = yield* twoTakenBack
      yield* upload(account, [unnamed(payment)])
      const later = yield* upload(account, [unnamed(payment), unnamed(payment)])
      assert.deepStrictEqual([later.mismatches, later.counts.matched, yield* balance(account)], [[], 2, before])
    }))

  it.effect("is of the event that it was found for, and finds no other one", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const [payment] = [yield* pay(account), yield* pay(account)]
      for (let n = 0; n < 2; n++) {
        const { counts, mismatches } = yield* upload(account, [unnamed(payment)])
        assert.deepStrictEqual([mismatches.map(({ type }) => type), counts.matched], [["missing_external"], 1])
      }
    }))
})

layer(services, { timeout: 60_000 })("a movement that only an accepted line tells of", (it) => {
  const elsewhere = (payment: PaymentIntent) => captureLine(payment, 700).replace(String(payment.provider_reference), "elsewhere")

  for (const [what, line] of [["a reference", elsewhere], ["no reference", (payment: PaymentIntent) => unnamed(payment, 700)]] as const) {
    it.effect(`and that has ${what}, is missed by a file of its days without the line`, () =>
      Effect.gen(function*() {
        const account = yield* openMerchant()
        const payment = yield* pay(account)
        const before = yield* balance(account)
        const files = { without: [captureLine(payment)], whole: [captureLine(payment), line(payment)] }
        const [unknown] = (yield* upload(account, files.whole)).mismatches
        assert.strictEqual(unknown?.type, "missing_internal")
        yield* resolve(account, unknown!.id, "accept_external")
        assert.strictEqual(yield* balance(account), before + 700)
        assert.deepStrictEqual((yield* upload(account, files.whole)).mismatches, [])

        const silent = yield* upload(account, files.without)
        const [missed, ...others] = silent.mismatches
        assert.deepStrictEqual([others, silent.counts], [[], { matched: 1, mismatched: 0, unreconciled: 1 }])
        assert.deepInclude(missed, { type: "missing_external", status: "open", actual: null, financial_event_id: null })
        assert.deepInclude(missed?.expected ?? {}, { amount: 700, currency: "USD" })

        // A file that has the line again closes it, and the next one without it asks anew.
        const whole = yield* upload(account, files.whole)
        assert.deepStrictEqual([whole.mismatches, whole.counts.unreconciled], [[], 0])
        assert.deepInclude((yield* detail(account, silent.id)).mismatches[0], { status: "resolved", resolved_by: whole.id })
        const [again] = (yield* upload(account, files.without)).mismatches
        yield* resolve(account, again!.id, "accept_external")
        assert.strictEqual(yield* balance(account), before)
        assert.deepStrictEqual((yield* upload(account, files.without)).counts, agrees)

        // The line again is a new difference: nothing of what was decided holds any more.
        assert.deepStrictEqual((yield* upload(account, files.whole)).mismatches.map(({ type }) => type), ["missing_internal"])
        assert.isNull((yield* verifyBooks(account.id)).first_break)
      }))
  }

  it.effect("stays when somebody says so, and is not asked about again", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const before = yield* balance(account)
      const [unknown] = (yield* upload(account, [captureLine(payment), elsewhere(payment)])).mismatches
      yield* resolve(account, unknown!.id, "accept_external")
      const [missed] = (yield* upload(account, [captureLine(payment)])).mismatches
      yield* resolve(account, missed!.id, "accept_internal")
      assert.deepStrictEqual((yield* upload(account, [captureLine(payment)])).mismatches, [])
      assert.strictEqual(yield* balance(account), before + 700)
    }))

  it.effect("is not missed by a file of other days", () =>
    Effect.gen(function*() {
      const account = yield* openMerchant()
      const payment = yield* pay(account)
      const early = elsewhere(payment).replace(iso(payment.updated_at), iso(DateTime.subtract(payment.updated_at, { days: 5 })))
      const [unknown] = (yield* upload(account, [captureLine(payment), early])).mismatches
      yield* resolve(account, unknown!.id, "accept_external")
      yield* TestClock.adjust("8 days")
      assert.deepStrictEqual((yield* upload(account, [])).mismatches, [])
    }))
})
