/** Payments that a part above makes: the same cause is the same payment, and what becomes of it is told in the same commit. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { ValidationError } from "@svc/kernel/resource/errors"
import { FollowUps } from "@svc/kernel/road/follow-ups"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Effect } from "effect"
import { PaymentMethods } from "../payment-methods/service.ts"
import { Rails } from "../rails/rail.ts"
import { captureMade, paymentEnded, type PaymentIntent, refundMade } from "./model.ts"
import { RefundGuards } from "./provider/refund-guards.ts"
import { PaymentIntents } from "./service.ts"

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

const charge = Effect.fnUntraced(function*(account: AccountFacts, cause: string, token: string, customer_present = false) {
  return yield* (yield* PaymentIntents).charge({
    account,
    cause,
    customer_present,
    origin: { type: "note", id: cause },
    payment: { amount: 1999, currency: "USD", customer_id: "customer-1" },
    payment_method_id: token
  })
})

/** What followers are told while the effect runs, as `captured note-1`. */
const told = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.gen(function*() {
    const heard: Array<string> = []
    const note = (what: string) => ({ intent }: { readonly intent: PaymentIntent }) =>
      Effect.sync(() => {
        heard.push(`${what} ${intent.origin?.id}`)
        return {}
      })
    yield* (yield* FollowUps).add([
      captureMade.follow(note("captured")),
      paymentEnded.follow(note("ended")),
      refundMade.follow(({ amount, intent, reverse_credit }) => note(`refunded ${amount} ${reverse_credit}`)({ intent }))
    ])
    yield* effect
    return heard
  }))

const stateOf = (intent: PaymentIntent) => [intent.state, intent.failure_reason ?? intent.pending_reason]

/** The simulator inside this process, and as if each rail were behind a network. */
for (const inline of [true, false]) {
  const rails = replacing(Rails, ({ all }) => Rails.these(all.map((rail) => ({ ...rail, inline }))))
  layer(services.pipe(rails))(`a charge over ${inline ? "inline" : "remote"} rails`, (it) => {
    it.effect("is one payment for one cause, however often it is asked for", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const heard = yield* told(Effect.gen(function*() {
          const [one, two] = [yield* charge(account, "once", "tok_visa"), yield* charge(account, "once", "tok_visa")]
          assert.strictEqual(one.id, two.id)
          assert.deepStrictEqual(stateOf(two), ["captured", null])
          assert.deepInclude(two, { captured_amount: 1999, origin: { type: "note", id: "once" } })
        }))
        assert.deepStrictEqual(heard, ["captured once"])
        assert.isTrue((yield* verifyBooks(account.id)).ok)
      }))

    it.effect("that is declined, blocked, or asks for a customer who is not there, ends and says so", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const heard = yield* told(Effect.gen(function*() {
          assert.deepStrictEqual(stateOf(yield* charge(account, "declined", "tok_insufficient_funds")), ["failed", "insufficient_funds"])
          assert.deepStrictEqual(stateOf(yield* charge(account, "blocked", "tok_fraudulent")), ["cancelled", "fraudulent"])
          assert.deepStrictEqual(stateOf(yield* charge(account, "away", "tok_requires_action")), ["cancelled", "authentication_required"])
          assert.deepStrictEqual(stateOf(yield* charge(account, "there", "tok_requires_action", true)), ["pending", "requires_action"])
        }))
        assert.deepStrictEqual(heard, ["ended declined", "ended blocked", "ended away"])
      }))

    it.effect("that the account's policy blocks ends, and says so", () =>
      Effect.gen(function*() {
        const account = yield* (yield* Accounts).update((yield* openAccount).id, { settings: { block_above: 1_000 } })
        const heard = yield* told(Effect.gen(function*() {
          assert.deepStrictEqual(stateOf(yield* charge(account, "policy", "tok_visa")), ["cancelled", "blocked"])
        }))
        assert.deepStrictEqual(heard, ["ended policy"])
      }))

    it.effect("with a method that is gone leaves no payment behind", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const methods = yield* PaymentMethods
        const { data: before } = yield* (yield* PaymentIntents).list(account.id, {}, { page: 1, per_page: 10 })
        assert.deepInclude(yield* Effect.flip(charge(account, "gone", "pm_01KDVK5D80000000000000000A")), {
          _tag: "ValidationError",
          code: "payment_method_id"
        })
        assert.strictEqual(before.length, (yield* (yield* PaymentIntents).list(account.id, {}, { page: 1, per_page: 10 })).data.length)
        assert.strictEqual((yield* methods.list(account.id, {}, { page: 1, per_page: 10 })).data.length, 0)
      }))

    it.effect("is refunded only as far as the parts above allow, which hear whether credit is taken back", () =>
      Effect.gen(function*() {
        const account = yield* openAccount
        const intents = yield* PaymentIntents
        const { id } = yield* charge(account, "refunded", "tok_visa")
        const refund = (key: string, reverse_credit: boolean) =>
          intents.refund({
            account,
            id,
            keyed: { key: `${account.id}-${key}`, operation: "payment_intent.refund", fingerprint: key },
            payload: { amount: 500, reverse_credit }
          })
        const heard = yield* told(Effect.scoped(Effect.gen(function*() {
          yield* (yield* RefundGuards).add([(intent, { reverse_credit }) =>
            reverse_credit || intent.origin?.id !== "refunded"
              ? Effect.void
              : Effect.fail(new ValidationError({ code: "amount", message: "amount: credit is outstanding." }))])
          assert.deepInclude(yield* Effect.flip(refund("one", false)), { _tag: "ValidationError", code: "amount" })
          yield* refund("two", true)
        })))
        assert.deepStrictEqual(heard, ["refunded 500 true refunded"])
        assert.strictEqual((yield* intents.get(account.id, id)).refunded_amount, 500)
      }))
  })
}
