import { assert, describe, it } from "@effect/vitest"
import { exponentOf } from "@svc/kernel/values/currency"
import { roundHalfUp } from "@svc/kernel/values/money"
import { DateTime, Result, Schema } from "effect"
import { across, ratioOf } from "../rates/model.ts"
import { builtIn } from "../rates/table.ts"
import { quoteMachine } from "./machine.ts"
import { QuoteId } from "./model.ts"
import { converted, decimalOf, expire, quote } from "./rules.ts"

const at = DateTime.makeUnsafe("2026-11-22T00:00:00.000Z")
const id = QuoteId.make("qt_01KDVK5D80000000000000000A")
const account = { id: "acct_01KDVK5D80000000000000000A" }

const ratioBetween = (source: string, target: string) => across(ratioOf(builtIn.units[source] ?? ""), ratioOf(builtIn.units[target] ?? ""))
const rateBetween = (source: string, target: string) =>
  source === target ? undefined : { ratio: ratioBetween(source, target), date: builtIn.date, source: builtIn.source }

const ask = (source_amount: number, source_currency: string, target_currency: string) =>
  Result.map(
    quote({ source_amount, source_currency, target_currency }, { id, account, rate: rateBetween(source_currency, target_currency), at }),
    (made) => made
  )

const Listed = Schema.Literals(Object.keys(builtIn.units))
const Amounts = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999_999 }))
const Digits = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999_999_999 }))

describe("what an amount comes to", () => {
  it.each(
    [
      // 100.00 less 1 % is 99.00 dollars, at 0.865.
      [10_000, "USD", "EUR", { fee_amount: 100, target_amount: 8_563, rate: "0.865" }],
      // Yen have no minor unit: 99.00 dollars are 15364.8 yen.
      [10_000, "USD", "JPY", { fee_amount: 100, target_amount: 15_364, rate: "155.2" }],
      // Dinars have three: 99.00 dollars are 30.3732 dinars.
      [10_000, "USD", "KWD", { fee_amount: 100, target_amount: 30_373, rate: "0.3068" }],
      // 9900 yen at 0.3068 / 155.2, rounded down to 12 digits.
      [10_000, "JPY", "KWD", { fee_amount: 100, target_amount: 19_570, rate: "0.00197680412371" }],
      [1_000, "KWD", "JPY", { fee_amount: 10, target_amount: 500, rate: "505.867014341" }],
      // The fee of 50 minor units is half of one: it goes up.
      [50, "USD", "EUR", { fee_amount: 1, target_amount: 42, rate: "0.865" }],
      [49, "USD", "EUR", { fee_amount: 0, target_amount: 42, rate: "0.865" }],
      [1_999, "USD", "USD", { fee_amount: 0, target_amount: 1_999, rate: null, rate_date: null, rate_source: null }]
    ] as const
  )("%i of %s in %s", (amount, source, target, expected) => {
    assert.deepInclude(Result.getOrThrow(ask(amount, source, target)).quote, expected)
  })

  it("says the day and the source of its rate, holds 5 minutes, and is told in the books without moving money", () => {
    const { clear, entries, quote: made, set } = Result.getOrThrow(ask(10_000, "USD", "EUR"))
    assert.deepInclude(made, { rate_date: "2026-11-20", rate_source: "svc built-in reference rates", status: "active" })
    assert.strictEqual(DateTime.formatIso(made.expires_at), "2026-11-22T00:05:00.000Z")
    assert.deepStrictEqual(set, [{ kind: "quote.expires", resource_id: id, due_at: made.expires_at }])
    assert.isEmpty(clear)
    assert.deepInclude(entries[0], {
      event_type: "quote_generated",
      amount: 10_000,
      currency: "USD",
      delta_available: 0,
      delta_pending: 0,
      delta_reserved: 0,
      resource_id: id
    })
  })

  it("is refused where it comes to nothing", () => {
    const refusal = Result.match(ask(1, "VND", "KWD"), { onFailure: ({ code }) => code, onSuccess: () => "quoted" })
    assert.strictEqual(refusal, "source_amount")
  })

  it.prop(
    "never more than the exact rate gives, and never a whole unit less for what the rate's digits lose",
    [Amounts, Listed, Listed],
    ([amount, source, target]) => {
      if (source === target) return
      const made = ask(amount, source, target)
      if (Result.isFailure(made)) return
      const { fee_amount, rate, target_amount } = made.success.quote
      assert.strictEqual(BigInt(fee_amount), roundHalfUp(BigInt(amount) * 100n, 10_000n))
      const { denominator, numerator } = ratioBetween(source, target)
      const [top, bottom] = [
        BigInt(amount - fee_amount) * numerator * 10n ** BigInt(exponentOf(target)),
        denominator * 10n ** BigInt(exponentOf(source))
      ]
      const exact = top / bottom
      assert.isTrue(BigInt(target_amount) <= exact)
      assert.isTrue(exact - BigInt(target_amount) <= exact / 10n ** 11n + 1n)
      assert.strictEqual(BigInt(target_amount), converted(amount - fee_amount, rate ?? "", source, target))
    }
  )

  it.prop(
    "is never more than what was sent after it was exchanged there and back",
    [Amounts, Listed, Listed],
    ([amount, source, target]) => {
      if (source === target) return
      const there = ask(amount, source, target)
      if (Result.isFailure(there)) return
      const back = ask(Math.min(there.success.quote.target_amount, 99_999_999_999), target, source)
      if (Result.isSuccess(back)) assert.isAtMost(back.success.quote.target_amount, amount)
    }
  )
})

describe("a rate as a decimal", () => {
  it.prop("is the ratio rounded down, to a part in 10^11, in digits that a number can say", [Digits, Digits], ([n, d]) => {
    const [numerator, denominator] = [BigInt(n), BigInt(d)]
    const decimal = decimalOf({ numerator, denominator })
    const [whole = "", fraction = ""] = decimal.split(".")
    const [top, bottom] = [BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length)]
    assert.isTrue(top * denominator <= numerator * bottom)
    assert.isTrue((numerator * bottom - top * denominator) * 10n ** 11n <= numerator * bottom)
    assert.isAtMost(decimal.replace(".", "").replace(/^0+/u, "").length, 12)
    // The number on the wire and the text beside it say the same.
    const shown = Number(decimal)
    assert.strictEqual(shown >= 1e-6 ? String(shown) : shown.toFixed(fraction.length), decimal)
  })
})

describe("a quote's end", () => {
  const made = Result.getOrThrow(ask(10_000, "USD", "EUR")).quote

  it("comes when its time is over, and not before", () => {
    assert.isUndefined(expire(made, DateTime.add(at, { seconds: 299 })))
    const ended = expire(made, DateTime.add(at, { seconds: 300 }))
    assert.deepInclude(ended?.quote, { status: "expired", version: 2 })
  })

  it.each(["used", "expired"] as const)("does not come to one that is %s", (status) => {
    assert.isUndefined(expire({ ...made, status }, DateTime.add(at, { days: 1 })))
    assert.include(quoteMachine.terminal, status)
  })
})
