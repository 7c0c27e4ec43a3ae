/** What a subscription is charged with once its own card was revoked, or is another customer's. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { after, cyclesOf, idIn, instant, openAccount, sell, subscribe } from "./fixture.ts"
import { Subscriptions } from "./subscriptions.ts"

const START = instant("2026-01-31T10:00:00.000Z")

const card = Effect.fnUntraced(function*(account: AccountFacts, customer_id: string | null, token = "tok_visa") {
  const { body } = yield* (yield* PaymentMethods).create(account, { type: "card", token, customer_id })
  return idIn(body)
})

const paidWith = Effect.fnUntraced(function*({ id }: AccountFacts) {
  const { data } = yield* (yield* PaymentIntents).list(id, {}, { page: 1, per_page: 10 })
  return data.filter(({ state }) => state === "captured").map(({ customer_id, payment_method_id }) => [customer_id, payment_method_id])
})

const lastCycle = (account: AccountFacts, id: string) => Effect.map(cyclesOf(account, id), (cycles) => cycles.at(-1)!)

layer(services, { timeout: 120_000 })("a subscription", (it) => {
  it.effect("is not charged with a card that is another customer's now: it waits, says so, and tries a new card at once", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const [methods, subscriptions] = [yield* PaymentMethods, yield* Subscriptions]
      const own = yield* card(account, null)
      const { id } = yield* subscribe(account, yield* sell(account), { customer_id: "ana", payment_method_id: own })
      yield* methods.update(account.id, own, { customer_id: "ben" })
      yield* after(account, "29 days")
      assert.deepStrictEqual(yield* paidWith(account), [["ana", own]])
      const waiting = yield* lastCycle(account, id)
      assert.deepInclude({ ...waiting.attempts.at(-1) }, { outcome: "skipped", payment_method_id: null })
      assert.include(
        waiting.attempts.at(-1)?.reason ?? "",
        `The subscription's own payment method ${own} is another customer's now, and the customer has no default`
      )

      const refused = yield* Effect.flip((yield* BillingCycles).chargeNow(account, waiting.id, { customer_present: false }))
      assert.deepInclude({ ...refused }, { _tag: "ValidationError", code: "payment_method_id" })
      assert.include(refused.message, own)

      const added = yield* card(account, "ana", "tok_mastercard")
      yield* after(account, "1 second")
      assert.deepInclude({ ...(yield* lastCycle(account, id)) }, { status: "charged" })
      assert.deepInclude({ ...(yield* lastCycle(account, id)).attempts.at(-1) }, { trigger: "new_method", payment_method_id: added })
      assert.deepInclude({ ...(yield* subscriptions.get(account.id, id)) }, { status: "active", payment_method_id: own })
    }))

  it.effect("is charged with the customer's default once its own card was revoked", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      const standard = yield* card(account, "ana", "tok_mastercard")
      const own = yield* card(account, "ana")
      const { id } = yield* subscribe(account, yield* sell(account), { customer_id: "ana", payment_method_id: own })
      yield* (yield* PaymentMethods).revoke(account.id, own)
      yield* after(account, "29 days")
      const { attempts, status } = yield* lastCycle(account, id)
      assert.deepStrictEqual([status, attempts.map(({ payment_method_id }) => payment_method_id)], ["charged", [standard]])
      assert.deepInclude({ ...(yield* (yield* Subscriptions).get(account.id, id)) }, { status: "active" })
    }))

  it.effect("whose own card was refused for good is tried with the default as soon as that card is revoked, or given away", () =>
    Effect.gen(function*() {
      for (const gone of ["revoked", "moved"] as const) {
        yield* TestClock.setTime(START.epochMilliseconds)
        const account = yield* openAccount()
        const methods = yield* PaymentMethods
        const standard = yield* card(account, "ana", "tok_mastercard")
        const own = yield* card(account, "ana", "tok_stolen_card")
        const { id, status } = yield* subscribe(account, yield* sell(account), { customer_id: "ana", payment_method_id: own })
        assert.strictEqual(status, "past_due")
        yield* gone === "revoked" ? methods.revoke(account.id, own) : methods.update(account.id, own, { customer_id: "ben" })
        yield* after(account, "1 second")
        const { attempts, status: paid } = yield* lastCycle(account, id)
        assert.deepStrictEqual([paid, attempts.at(-1)?.payment_method_id], ["charged", standard], gone)
      }
    }))

  it.effect("does not try the default again by itself that was refused for good, after its own card is gone", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(START.epochMilliseconds)
      const account = yield* openAccount()
      yield* card(account, "ana", "tok_stolen_card")
      const own = yield* card(account, "ana", "tok_insufficient_funds")
      const { id } = yield* subscribe(account, yield* sell(account), { customer_id: "ana", payment_method_id: own })
      yield* (yield* PaymentMethods).revoke(account.id, own)
      yield* after(account, "1 second")
      const { attempts, id: cycle, next_attempt_at } = yield* lastCycle(account, id)
      assert.deepStrictEqual([next_attempt_at, attempts.length, attempts.at(-1)?.decline_code], [null, 2, "stolen_card"])
      yield* (yield* BillingCycles).recordChargeResult(account.id, cycle, { success: false })
      assert.isNull((yield* lastCycle(account, id)).next_attempt_at)
    }))
})
