import { assert, describe, it } from "@effect/vitest"
import type { RoutingRule } from "@svc/accounts/accounts/settings"
import { locales } from "@svc/design/locale"
import { route, type RoutingFacts } from "@svc/payments/rails/routing"
import { simulatorRails } from "@svc/payments/rails/simulator"
import { routingReason } from "./routing-reasons.ts"

const facts: RoutingFacts = { currency: "USD", amount: 1_000, country: null, method: "card", metadata: { tier: "gold" } }

const conditions: ReadonlyArray<Omit<RoutingRule, "name" | "rails">> = [
  { currency: "EUR" },
  { min_amount: 1_001 },
  { max_amount: 999 },
  { country: "FR" },
  { method: "usdc_wallet" },
  { metadata: { tier: "silver" } },
  {}
]

/** All that the routing says of rules and rails; "ghost" is not installed. */
const { log } = route(
  facts,
  conditions.map((one) => ({ ...one, name: "b first", rails: ["card_b", "ghost"] })),
  simulatorRails
)
const reasons = Array.from(new Set([...log.rules, ...log.candidates].map(({ reason }) => reason)))

const saidIn = (locale: (typeof locales)[number], reason: string): string =>
  routingReason({ pageLocale: { locale, tag: locale, direction: locale === "ar" ? "rtl" : "ltr" } }, reason, { currency: "USD" })

describe("the reasons of the routing", () => {
  it("are said in words, amounts in the payment's currency", () => {
    const said = reasons.map((reason) => saidIn("en", reason))
    assert.includeMembers(said, [
      "currency is USD, not EUR",
      "the amount is below $10.01",
      "the amount is above $9.99",
      "country is none, not FR",
      "payment method is Card, not USDC wallet",
      "tier is not silver",
      "all conditions hold",
      "by the rule b first",
      "not installed",
      "the usual order",
      "does not take Card"
    ])
  })

  for (const locale of locales.filter((one) => one !== "en")) {
    it(`are said in ${locale}, all of them`, () => {
      assert.deepStrictEqual(reasons.filter((reason) => saidIn(locale, reason) === reason), [])
    })
  }

  it("are said as they are where they are not known", () => {
    assert.strictEqual(saidIn("de", "something new"), "something new")
  })
})
