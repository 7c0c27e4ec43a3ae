import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { AnyRail, AnyRequest, visa } from "./fixture.ts"
import { declineCodes } from "./model.ts"
import type { RailAnswer, RailName, RailRequest } from "./model.ts"
import { Rails } from "./rail.ts"
import { afterAction, simulatedRails, SimulatorUrl } from "./simulator.ts"

const railOf = (name: RailName) =>
  Effect.map(Rails, ({ byName }) => {
    const rail = byName(name)
    assert(rail !== undefined, `no rail ${name}`)
    return rail
  })

/** The answer in one word: its tag, or the code of the decline, or the tag of the failure. */
const word = (result: Result.Result<RailAnswer | { readonly _tag: "Unknown" | "Undecided" }, { readonly _tag: string }>): string => {
  if (Result.isFailure(result)) return result.failure._tag
  return result.success._tag === "Declined" ? result.success.code : result.success._tag
}

const authorize = (name: RailName, request: RailRequest) =>
  Effect.flatMap(railOf(name), (rail) => Effect.map(Effect.result(rail.authorize(request)), word))

const lookup = (name: RailName, request: RailRequest) =>
  Effect.flatMap(railOf(name), (rail) => Effect.map(Effect.result(rail.lookup(request, null)), word))

const byToken: ReadonlyArray<readonly [token: string, rail: RailName, answer: string]> = [
  ["tok_visa", "card_a", "Approved"],
  ["tok_visa", "card_b", "Approved"],
  ["tok_mastercard", "card_a", "Approved"],
  ["tok_amex", "card_b", "Approved"],
  ["tok_generic_decline", "card_a", "generic_decline"],
  ["tok_generic_decline", "card_b", "generic_decline"],
  ["tok_insufficient_funds", "card_a", "insufficient_funds"],
  ["tok_lost_card", "card_a", "lost_card"],
  ["tok_stolen_card", "card_b", "stolen_card"],
  ["tok_expired_card", "card_a", "expired_card"],
  ["tok_incorrect_cvc", "card_a", "incorrect_cvc"],
  ["tok_processing_error", "card_a", "processing_error"],
  ["tok_processing_error", "card_b", "Approved"],
  ["tok_requires_action", "card_a", "RequiresAction"],
  ["tok_dispute", "card_a", "Approved"],
  ["tok_fraudulent", "card_a", "Blocked"],
  ["tok_fraudulent", "card_b", "Blocked"],
  ["tok_usdc", "usdc", "Accepted"],
  ["tok_bank_account", "bank_transfer", "Accepted"],
  ["tok_visa", "usdc", "card_not_supported"],
  ["tok_visa", "bank_transfer", "card_not_supported"],
  ["tok_fraudulent", "usdc", "card_not_supported"],
  ["tok_usdc", "card_a", "card_not_supported"],
  ["tok_bank_account", "usdc", "card_not_supported"],
  ["tok_unknown", "card_a", "card_not_supported"],
  ["", "card_b", "card_not_supported"]
]

type Case = readonly [what: string, metadata: Record<string, string>, token: string, at_once: string, early: string, late: string]

/** On card_a: what is said at once, what a lookup says 1.999 s after the attempt, and 2 s after it. */
const byMetadata: ReadonlyArray<Case> = [
  ["timeout", { "sim.outcome": "timeout" }, "tok_visa", "RailOutcomeUnknown", "Undecided", "Unknown"],
  ["late success", { "sim.outcome": "late_success" }, "tok_visa", "RailOutcomeUnknown", "Undecided", "Approved"],
  ["late decline", { "sim.outcome": "late_decline" }, "tok_visa", "RailOutcomeUnknown", "Undecided", "generic_decline"],
  ["amount mismatch", { "sim.outcome": "amount_mismatch" }, "tok_visa", "RailOutcomeUnknown", "Undecided", "Approved"],
  ["an outcome nobody knows", { "sim.outcome": "toString" }, "tok_visa", "Approved", "Approved", "Approved"],
  ["a decline", { "sim.decline": "do_not_honor" }, "tok_visa", "do_not_honor", "do_not_honor", "do_not_honor"],
  ["a decline code nobody knows", { "sim.decline": "oops" }, "tok_visa", "generic_decline", "generic_decline", "generic_decline"],
  ["an unreachable rail", { "sim.unreachable": "card_a" }, "tok_visa", "RailUnreachable", "Unknown", "Unknown"],
  ["an unreachable rail in a list", { "sim.unreachable": "usdc, card_a" }, "tok_visa", "RailUnreachable", "Unknown", "Unknown"],
  ["another unreachable rail", { "sim.unreachable": "card_b" }, "tok_visa", "Approved", "Approved", "Approved"],
  [
    "a decline before an outcome",
    { "sim.decline": "lost_card", "sim.outcome": "timeout" },
    "tok_visa",
    "lost_card",
    "lost_card",
    "lost_card"
  ],
  [
    "unreachable before all",
    { "sim.unreachable": "card_a", "sim.decline": "lost_card" },
    "tok_fraudulent",
    "RailUnreachable",
    "Unknown",
    "Unknown"
  ],
  ["fraud before the metadata", { "sim.outcome": "late_success" }, "tok_fraudulent", "Blocked", "Blocked", "Blocked"],
  [
    "a wrong rail before the metadata",
    { "sim.outcome": "late_success" },
    "tok_usdc",
    "card_not_supported",
    "card_not_supported",
    "card_not_supported"
  ]
]

describe("the built-in simulator", () => {
  it.effect.each(byToken)("%s on %s: %s", ([token, rail, answer]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* authorize(rail, { ...visa, token }), answer)
    }).pipe(Effect.provide(simulatedRails)))

  it.effect.each(byMetadata)("metadata: %s", ([, metadata, token, at_once, early, late]) =>
    Effect.gen(function*() {
      const request = { ...visa, metadata, token }
      yield* TestClock.setTime(request.attempted_at)
      assert.strictEqual(yield* authorize("card_a", request), at_once)
      yield* TestClock.adjust(1999)
      assert.strictEqual(yield* lookup("card_a", request), early)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* lookup("card_a", request), late)
    }).pipe(Effect.provide(simulatedRails)))

  it.effect.each([["tok_usdc", "usdc"], ["tok_bank_account", "bank_transfer"]] as const)(
    "%s settles on %s two seconds after the attempt",
    ([token, name]) =>
      Effect.gen(function*() {
        const request = { ...visa, token }
        yield* TestClock.setTime(request.attempted_at + 1999)
        assert.strictEqual(yield* lookup(name, request), "Undecided")
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* lookup(name, request), "Approved")
      }).pipe(Effect.provide(simulatedRails))
  )

  it.effect("a dollar token pays dollars only", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* authorize("usdc", { ...visa, token: "tok_usdc", currency: "EUR" }), "currency_not_supported")
    }).pipe(Effect.provide(simulatedRails)))

  it.effect("a reviewer's clearance lets a fraudulent token pass", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* authorize("card_a", { ...visa, token: "tok_fraudulent", risk_cleared: true }), "Approved")
    }).pipe(Effect.provide(simulatedRails)))

  it.effect("a 3DS step is at the address the caller gives, and its end decides", () =>
    Effect.gen(function*() {
      const request = { ...visa, token: "tok_requires_action", key: "svc/1", capture: true }
      const rail = yield* railOf("card_a")
      const answer = yield* rail.authorize(request)
      assert(answer._tag === "RequiresAction")
      assert.strictEqual(answer.url, "https://pay.example/sim/actions/svc%2F1")
      assert.deepStrictEqual(afterAction(request, true), { _tag: "Approved", reference: answer.reference, amount: 1999, captured: true })
      assert.deepStrictEqual(afterAction(request, false), { _tag: "Declined", code: "authentication_required" })
    }).pipe(Effect.provideService(SimulatorUrl, "https://pay.example"), Effect.provide(simulatedRails)))

  it.effect.each([1, 2, 500, 99_999_999_999])("an amount mismatch of %d approves another valid amount", (amount) =>
    Effect.gen(function*() {
      const request = { ...visa, amount, metadata: { "sim.outcome": "amount_mismatch" } }
      yield* TestClock.setTime(request.attempted_at + 2000)
      const answer = yield* (yield* railOf("card_b")).lookup(request, null)
      assert(answer._tag === "Approved")
      assert.notStrictEqual(answer.amount, amount)
      assert(answer.amount >= 1 && answer.amount <= 99_999_999_999)
    }).pipe(Effect.provide(simulatedRails)))

  it.effect("follow-ups are confirmed, with a reference of their own key", () =>
    Effect.gen(function*() {
      const rail = yield* railOf("card_a")
      const call = { key: "svc_2", reference: "sim_1", amount: 5, currency: "USD" }
      const done = yield* rail.refund(call)
      assert.deepStrictEqual(yield* rail.lookupFollowUp(call), done)
      assert.notDeepEqual(yield* rail.refund({ ...call, key: "svc_3" }), done)
    }).pipe(Effect.provide(simulatedRails)))

  const known: ReadonlySet<string> = new Set(declineCodes)
  it.effect.prop(
    "answers the same call the same, and a lookup never contradicts it",
    [AnyRail, AnyRequest],
    ([name, request]) =>
      Effect.gen(function*() {
        yield* TestClock.setTime(request.attempted_at + 2000)
        const rail = yield* railOf(name)
        const first = yield* Effect.result(rail.authorize(request))
        assert.deepStrictEqual(yield* Effect.result(rail.authorize(request)), first)
        const later = yield* rail.lookup(request, null)
        assert.notStrictEqual(later._tag, "Undecided")
        if (Result.isFailure(first)) return
        const answer = first.success
        if (answer._tag === "Declined") assert(known.has(answer.code))
        if (answer._tag !== "Accepted") return assert.deepStrictEqual(later, answer)
        assert.deepStrictEqual(later, { _tag: "Approved", reference: answer.reference, amount: request.amount, captured: request.capture })
      }).pipe(Effect.provide(simulatedRails)),
    { arbitrary: { runs: 1000 } }
  )
})
