import { assert, describe, it } from "@effect/vitest"
import { RoutingRule } from "@svc/accounts/accounts/settings"
import { Schema } from "effect"
import { AnyRail, railNames } from "./fixture.ts"
import { declineCodes, RailOutcomeUnknown, RailUnreachable } from "./model.ts"
import type { Rail } from "./rail.ts"
import { mayTryNext, route } from "./routing.ts"
import type { RoutingFacts } from "./routing.ts"
import { simulatorRails } from "./simulator.ts"

const facts: RoutingFacts = { currency: "USD", amount: 1000, country: "DE", method: "card", metadata: { tier: "gold" } }
const names = (routed: ReadonlyArray<{ readonly rail: Rail }>) => routed.map(({ rail }) => rail.name)

describe("a rule", () => {
  const b = { name: "b first", rails: ["card_b"] } as const
  it.each<[what: string, rule: Omit<RoutingRule, "name" | "rails">, reason: string]>([
    ["without conditions", {}, "all conditions hold"],
    ["of this currency", { currency: "USD" }, "all conditions hold"],
    ["of another currency", { currency: "EUR" }, "currency is USD, not EUR"],
    ["from exactly the amount", { min_amount: 1000 }, "all conditions hold"],
    ["from above it", { min_amount: 1001 }, "amount is below 1001"],
    ["up to exactly the amount", { max_amount: 1000 }, "all conditions hold"],
    ["up to below it", { max_amount: 999 }, "amount is above 999"],
    ["of this country", { country: "DE" }, "all conditions hold"],
    ["of another country", { country: "FR" }, "country is DE, not FR"],
    ["of this method", { method: "card" }, "all conditions hold"],
    ["of another method", { method: "usdc_wallet" }, "method is card, not usdc_wallet"],
    ["with this metadata", { metadata: { tier: "gold" } }, "all conditions hold"],
    ["with other metadata", { metadata: { tier: "silver" } }, "metadata tier is not silver"],
    ["with metadata that is absent", { metadata: { tier: "gold", vip: "yes" } }, "metadata vip is not yes"],
    ["with metadata every object inherits", { metadata: { constructor: "x" } }, "metadata constructor is not x"],
    ["with two conditions that fail, the first counts", { currency: "EUR", country: "FR" }, "currency is USD, not EUR"]
  ])("%s", (_what, conditions, reason) => {
    const { log, rails } = route(facts, [{ ...b, ...conditions }], simulatorRails)
    const matched = reason === "all conditions hold"
    assert.deepStrictEqual(log.rules, [{ rule: "b first", matched, reason }])
    assert.deepStrictEqual(names(rails), matched ? ["card_b", "card_a"] : ["card_a", "card_b"])
  })

  it("with a country does not hold where no country is given", () => {
    const { log } = route({ ...facts, country: null }, [{ ...b, country: "DE" }], simulatorRails)
    assert.strictEqual(log.rules[0]?.reason, "country is not given, not DE")
  })
})

describe("the order of rails", () => {
  it("without rules is the installation's, and says why the rest is left out", () => {
    assert.deepStrictEqual(route(facts, [], simulatorRails).log, {
      rules: [],
      candidates: [
        { rail: "card_a", score: 100, reason: "fallback order" },
        { rail: "card_b", score: 90, reason: "fallback order" },
        { rail: "bank_transfer", score: 0, reason: "does not take card" },
        { rail: "usdc", score: 0, reason: "does not take card" }
      ]
    })
  })

  it("follows the first rule that applies; later rules are not tried", () => {
    const { log, rails } = route(facts, [
      { name: "euros", currency: "EUR", rails: ["card_a"] },
      { name: "germany", country: "DE", rails: ["card_b", "usdc"] },
      { name: "all", rails: ["card_a"] }
    ], simulatorRails)
    assert.deepStrictEqual(log.rules.map(({ matched, rule }) => [rule, matched]), [["euros", false], ["germany", true]])
    assert.deepStrictEqual(rails.map(({ rail, reason, score }) => [rail.name, score, reason]), [
      ["card_b", 100, "rule germany"],
      ["card_a", 90, "fallback order"]
    ])
  })

  it("a rule cannot force a rail that does not take the method", () => {
    const { rails, whenNone } = route({ ...facts, method: "usdc_wallet" }, [{ name: "cards", rails: ["card_a"] }], simulatorRails)
    assert.deepStrictEqual(names(rails), ["usdc"])
    assert.strictEqual(whenNone, "currency_not_supported")
  })

  it("names the currency when only that is the obstacle", () => {
    const { log, rails, whenNone } = route({ ...facts, method: "usdc_wallet", currency: "EUR" }, [], simulatorRails)
    assert.deepStrictEqual(rails, [])
    assert.strictEqual(whenNone, "currency_not_supported")
    assert.strictEqual(log.candidates.find(({ rail }) => rail === "usdc")?.reason, "does not take EUR")
  })

  it("names the method when no rail takes it", () => {
    assert.strictEqual(route({ ...facts, method: "bank_account" }, [], simulatorRails.slice(0, 2)).whenNone, "card_not_supported")
  })

  it("says of a rail in a rule that it is not installed", () => {
    const { log } = route(facts, [{ name: "b", rails: ["card_b"] }], simulatorRails.slice(0, 1))
    assert.deepStrictEqual(log.candidates.find(({ rail }) => rail === "card_b"), { rail: "card_b", score: 0, reason: "is not installed" })
  })

  const Facts = Schema.Struct({
    currency: Schema.Literals(["USD", "EUR", "JPY"]),
    amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
    country: Schema.NullOr(Schema.Literals(["DE", "FR"])),
    method: Schema.Literals(["card", "bank_account", "usdc_wallet"]),
    metadata: Schema.Struct({ tier: Schema.optionalKey(Schema.Literals(["gold", "silver"])) })
  })
  const Rule = Schema.Struct({
    name: Schema.String.check(Schema.isBetweenLength(1, 8)),
    currency: Schema.optionalKey(Schema.Literals(["USD", "EUR"])),
    min_amount: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 }))),
    country: Schema.optionalKey(Schema.Literals(["DE", "FR"])),
    metadata: Schema.optionalKey(Schema.Struct({ tier: Schema.Literals(["gold", "silver"]) })),
    rails: Schema.Array(AnyRail).check(Schema.isBetweenLength(1, 4))
  })
  const Rules = Schema.Array(Rule).check(Schema.isMaxLength(5))

  it.prop("holds each rail that takes the payment once, and no other", [Facts, Rules], ([any, rules]) => {
    const { log, rails } = route(any, rules, simulatorRails)
    const able = simulatorRails.filter((rail) =>
      rail.methods.includes(any.method) && (rail.currencies.length === 0 || rail.currencies.includes(any.currency))
    )
    assert.deepStrictEqual([...names(rails)].sort(), able.map(({ name }) => name).sort())
    assert.deepStrictEqual(log.candidates.map(({ rail }) => rail).sort(), [...railNames].sort())
    rails.forEach(({ score }, place) => assert.strictEqual(score, 100 - 10 * place))
    for (const { rail, reason, score } of log.candidates) {
      assert.strictEqual(score > 0, able.some(({ name }) => name === rail))
      assert.notStrictEqual(reason, "")
    }
  }, { arbitrary: { runs: 1000 } })

  it.prop("is the same whatever follows the rule that applied", [Facts, Rules, Rules], ([any, rules, more]) => {
    const own = [...rules, { name: "any", rails: ["card_b", "usdc"] as const }]
    const alone = route(any, own, simulatorRails)
    assert.deepStrictEqual(route(any, [...own, ...more], simulatorRails), alone)
    assert.strictEqual(alone.log.rules.findIndex(({ matched }) => matched), alone.log.rules.length - 1)
  }, { arbitrary: { runs: 1000 } })
})

describe("another rail may be tried", () => {
  const elsewhere = ["generic_decline", "processing_error", "do_not_honor"]
  it.each(declineCodes)("after a decline with %s, or not", (code) => {
    assert.strictEqual(mayTryNext({ _tag: "Declined", code }), elsewhere.includes(code))
  })

  it("after a call that did not reach the provider", () => {
    assert.isTrue(mayTryNext(new RailUnreachable({ rail: "card_a", message: "" })))
  })

  it("never while the outcome is unknown", () => {
    assert.isFalse(mayTryNext(new RailOutcomeUnknown({ rail: "card_a", message: "" })))
  })

  it.each(
    [
      { _tag: "Approved", reference: "r", amount: 1, captured: false },
      { _tag: "Accepted", reference: "r" },
      { _tag: "RequiresAction", reference: "r", url: "/" },
      { _tag: "Blocked" }
    ] as const
  )("never after $_tag", (answer) => {
    assert.isFalse(mayTryNext(answer))
  })
})
