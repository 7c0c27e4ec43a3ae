import { assert, describe, it } from "@effect/vitest"
import type { Currency } from "@svc/kernel/values/currency"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime, Effect, Result, Schema } from "effect"
import { DisputeId } from "../../disputes/model.ts"
import * as disputes from "../../disputes/rules.ts"
import { ConversionId, type ExchangeTerms } from "../../quotes/model.ts"
import { decimalOf } from "../../quotes/rules.ts"
import { across, ratioOf } from "../../rates/model.ts"
import { builtIn } from "../../rates/table.ts"
import { at, authorized, facts, refundOf } from "../fixture.ts"
import type { PaymentIntent } from "../model.ts"
import { capture } from "./capture.ts"
import type { IntentDecision } from "./decision.ts"
import { exchanged } from "./exchange.ts"
import { checkRefundAmount } from "./refund.ts"

const rateOf = (source: Currency, target: Currency): string =>
  decimalOf(across(ratioOf(builtIn.units[source] ?? "0"), ratioOf(builtIn.units[target] ?? "0")))

const termsOf = (rate: string): ExchangeTerms => ({
  conversion_id: ConversionId.make(makeId("cnv", at.epochMilliseconds)),
  quote_id: null,
  rate,
  rate_date: "2026-11-20",
  rate_source: "test",
  holds_until: at
})

/** Captured, and exchanged where it comes to anything. */
const taken = (amount: number, source: Currency, target: Currency, known = facts()): IntentDecision => {
  const held: PaymentIntent = { ...authorized(amount, known), currency: source, destination_currency: target }
  return capture(held, { amount, exchange: termsOf(rateOf(source, target)) }, known)
}

describe("a capture that is settled in another currency", () => {
  it.for(
    [
      // amount, from, to, rate, what is exchanged, fee of the exchange, what comes of it
      [10_000, "USD", "EUR", "0.865", 9_900, 100, 8_563],
      [10_000, "USD", "JPY", "155.2", 9_900, 100, 15_364],
      [10_000, "JPY", "USD", "0.00644329896907", 9_900, 100, 6_378],
      [10_000, "USD", "KWD", "0.3068", 9_900, 100, 30_373],
      [10_000, "BHD", "USD", "2.65957446808", 9_900, 100, 2_632],
      [10_000, "KWD", "JPY", "505.867014341", 9_900, 100, 5_008],
      [10_000, "JPY", "BHD", "0.00242268041237", 9_900, 100, 23_984],
      // Half of a unit goes up: the fee is the platform's.
      [50, "USD", "EUR", "0.865", 49, 1, 42]
    ] as const
  )(
    "%i of %s comes in %s to what the rate says, rounded down",
    ([amount, source, target, rate, source_amount, fee_amount, target_amount]) => {
      assert.deepInclude(exchanged(amount, termsOf(rate), source, target), {
        source_amount,
        fee_amount,
        target_amount,
        target_currency: target
      })
    }
  )

  it("stays what it is where it comes to less than one unit of the other", () => {
    assert.isUndefined(exchanged(1, termsOf(rateOf("JPY", "USD")), "JPY", "USD"))
    const { entries, intent } = taken(120, "IDR", "USD")
    assert.deepStrictEqual([intent.conversion, entries.map(({ currency }) => currency)], [null, entries.map(() => "IDR")])
  })

  it("posts its fee and both legs, and queues the settlement in the other currency", () => {
    const { entries, intent } = taken(10_000, "USD", "EUR")
    assert.deepStrictEqual(
      entries.map(({ amount, currency, event_type, delta_pending }) => [event_type, currency, amount, delta_pending]),
      [
        ["payment_captured", "USD", 10_000, 10_000],
        ["fee_charged", "USD", 320, -320],
        ["fee_charged", "USD", 97, -97],
        ["conversion_executed", "USD", 9_583, -9_583],
        ["conversion_executed", "EUR", 8_289, 8_289],
        ["settlement_queued", "EUR", 8_289, 0]
      ]
    )
    assert.deepInclude(intent, { fee_amount: 417, unsettled_amount: 8_289 })
  })
})

const Currencies = Schema.Literals(["USD", "EUR", "JPY", "KWD", "BHD", "IDR", "KRW"])
const History = Schema.Struct({
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_999_999_999 })),
  source: Currencies,
  target: Currencies,
  settledAfter: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 12 })),
  proportional: Schema.Boolean,
  moves: Schema.Array(Schema.Struct({
    kind: Schema.Literals(["refund", "refund", "win", "lose"]),
    share: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))
  })).check(Schema.isMaxLength(12))
})

/** Opened, and then decided; what it did to the payment and what it posted. */
const disputed = (intent: PaymentIntent, amount: number, ending: "win" | "lose") => {
  const opened = Result.getOrThrow(
    disputes.open({ amount, reason: "10.4", network_reference: "net" }, {
      id: DisputeId.make(makeId("dp", at.epochMilliseconds)),
      intent,
      previous: undefined,
      fee: 0,
      at
    })
  )
  const answered = Result.getOrThrow(disputes.submit(opened.dispute, { other: "evidence" }, at, () => at))
  const closed = disputes.proceed(
    answered.dispute,
    opened.intent ?? intent,
    DateTime.add(at, { days: 9 }),
    ending === "win" ? "won" : "lost"
  )
  return { intent: closed?.intent ?? opened.intent ?? intent, entries: [...opened.entries, ...closed?.entries ?? []] }
}

describe("what is given back of an exchanged payment", () => {
  it.effect.prop(
    "undoes its part at the same rate: no history wins by a rounding, and the whole undoes the whole",
    [History],
    ([{ amount, moves, proportional, settledAfter, source, target }]) =>
      Effect.sync(() => {
        if (source === target) return
        const known = facts({ fee_refund_policy: proportional ? "proportional" : "none" })
        const made = taken(amount, source, target, known)
        let intent: PaymentIntent = made.intent
        const { conversion } = intent
        if (conversion === null) return
        let settled = 0
        const entries = [...made.entries]
        for (const [index, { kind, share }] of moves.entries()) {
          if (index === settledAfter) {
            settled = intent.unsettled_amount
            intent = { ...intent, unsettled_amount: 0 }
          }
          const part = Math.max(1, Number(BigInt(intent.captured_amount) * BigInt(share) / 1000n))
          if (Result.isFailure(checkRefundAmount(intent, part))) continue
          const moved = kind === "refund" ? refundOf(intent, part, known) : disputed(intent, part, kind)
          entries.push(...moved.entries)
          intent = moved.intent
        }
        const sum = (currency: string, what: "delta_pending" | "counter_delta", account?: string) =>
          entries.filter((entry) => entry.currency === currency && (account === undefined || entry.counter_account === account)).reduce(
            (total, entry) => total + BigInt(entry[what]),
            0n
          )
        for (const { counter_delta, delta_available, delta_pending, delta_reserved } of entries) {
          assert.strictEqual(delta_available + delta_pending + delta_reserved + counter_delta, 0)
        }
        // What waits to be settled waits in the other currency.
        assert.strictEqual(sum(source, "delta_pending"), 0n)
        assert.strictEqual(sum(target, "delta_pending"), BigInt(intent.unsettled_amount + settled))
        // The platform's exchange: what it holds of the one is worth at least its part of what it gave of the other, and at most a unit more.
        const [gone, captured] = [BigInt(intent.refunded_amount + intent.disputed_amount), BigInt(intent.captured_amount)]
        const [S, T] = [BigInt(conversion.source_amount), BigInt(conversion.target_amount)]
        const [holds, gave] = [sum(source, "counter_delta", "P.fx"), -sum(target, "counter_delta", "P.fx")]
        const [fairHolds, fairGave] = [S * (captured - gone), T * (captured - gone)]
        assert.isTrue(holds * captured >= fairHolds && holds * captured < fairHolds + captured)
        assert.isTrue(gave * captured <= fairGave && gave * captured > fairGave - captured)
        if (gone === captured) {
          assert.deepStrictEqual([holds, gave], [0n, 0n])
        }
      }),
    { arbitrary: { runs: 2_000 } }
  )

  it.each(["win", "lose"] as const)("is exchanged again when a dispute is won, and only then: %s", (ending) => {
    const { intent } = taken(10_000, "USD", "EUR")
    const { entries } = disputed(intent, 2_500, ending)
    const legs = entries.filter(({ event_type }) => event_type === "conversion_executed").map((
      { currency, delta_available }
    ) => [currency, delta_available])
    // A quarter of 95.83 USD and 82.89 EUR.
    assert.deepStrictEqual(
      legs,
      ending === "win" ? [["EUR", -2_073], ["USD", 2_395], ["EUR", 2_073], ["USD", -2_395]] : [["EUR", -2_073], ["USD", 2_395]]
    )
  })
})
