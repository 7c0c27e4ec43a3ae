/** A cycle that is not paid: it fails for good at its ceiling and never before, whatever the preset. */
import { assert, describe, it } from "@effect/vitest"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import { DateTime } from "effect"
import { BillingCycle, BillingCycleId, effectiveCharge } from "../../billing-cycles/model.ts"
import { InvoiceId } from "../../invoices/model.ts"
import type { Subscription } from "../../subscriptions/model.ts"
import { planOf, subscriptionOn } from "../fixture.ts"
import type { CycleFacts } from "./charged.ts"
import { failed, graceOver, isOver } from "./failed.ts"
import { begin } from "./renew.ts"
import type { DecisionStep } from "./steps.ts"

const at = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")

const owedWith = (
  dunning: CycleFacts["issuer"]["account"]["settings"]["billing"]["dunning"],
  on_exhaustion: "cancel" | "pause" = "cancel"
): CycleFacts => {
  const plan = planOf(2_000)
  const issuer = {
    account: {
      id: plan.account_id,
      sandbox: true,
      status: "active" as const,
      capabilities: ["charges"],
      restrictions: [],
      settings: { ...defaultSettings, billing: { ...defaultSettings.billing, dunning, on_exhaustion } }
    },
    prefix: "ACME",
    url: "http://svc.test"
  }
  const fresh = {
    cycle_id: BillingCycleId.make("billcycle_01KDVK5D80000000000000000A"),
    invoice_id: InvoiceId.make("inv_01KDVK5D80000000000000000A"),
    token: "t"
  }
  const charging = { _tag: "Now", trigger: "schedule", payment_method_id: "tok_visa", reason: "It was due" } as const
  const { opened, subscription } = begin(
    subscriptionOn(plan, { latest_billing_cycle_id: "billcycle_before", billing_cycle_anchor: at }),
    at,
    { plan, issuer, fresh, charging, at }
  )
  return { subscription, cycle: opened.cycle, invoice: undefined, issuer, at }
}

const cycleIn = (steps: ReadonlyArray<DecisionStep>, before: BillingCycle): BillingCycle =>
  steps.reduce((found, step) => step.of === "billing_cycle" ? step.to : found, before)
const subscriptionIn = (steps: ReadonlyArray<DecisionStep>, before: Subscription): Subscription =>
  steps.reduce((found, step) => step.of === "subscription" ? step.to : found, before)
const toldBy = (steps: ReadonlyArray<DecisionStep>) =>
  steps.flatMap((step) => "event" in step && step.event !== undefined ? [`${step.of}.${step.event}`] : [])

describe("a cycle that is declined again and again", () => {
  it.each(["derived", "polar21", "stripe14", [1, 2, 3], [1]] as const)(
    "%o fails at the ceiling, and each try before leaves it pending",
    (dunning) => {
      let owed = owedWith(dunning)
      const { max_retries } = owed.cycle
      for (let n = 1; n <= max_retries; n++) {
        const decided = failed(owed, {
          cause: "insufficient_funds",
          payment_intent_id: `pi_${n}`,
          decline_code: "insufficient_funds",
          random: null
        })
        const cycle = cycleIn(decided.steps, owed.cycle)
        const subscription = subscriptionIn(decided.steps, owed.subscription)
        assert.deepInclude({ ...cycle }, { retries: n, status: n === max_retries ? "failed" : "pending", payment_intent_id: `pi_${n}` })
        assert.strictEqual(effectiveCharge(cycle), 2_000)
        assert.deepStrictEqual(toldBy(decided.steps), [
          "subscription.payment_failed",
          ...(n === max_retries ? ["billing_cycle.failed", "subscription.canceled"] : [])
        ])
        assert.deepInclude(
          { ...subscription },
          n === max_retries ? { status: "canceled", cancel_reason: "payment_failure" } : { status: "past_due", failed_attempts: n }
        )
        owed = { ...owed, cycle, subscription, at: cycle.next_attempt_at ?? owed.at }
      }
    }
  )

  it.each(["lost_card", "stolen_card", "expired_card", "fraudulent", "card_not_supported", "currency_not_supported"] as const)(
    "%s is not tried again by itself, and fails when the grace is over",
    (cause) => {
      const owed = owedWith("derived", "pause")
      const decided = failed(owed, { cause, payment_intent_id: "pi_1", decline_code: cause, random: null })
      const waiting = { ...owed, cycle: cycleIn(decided.steps, owed.cycle), subscription: subscriptionIn(decided.steps, owed.subscription) }
      assert.deepInclude({ ...waiting.cycle }, { status: "pending", retries: 1, next_attempt_at: null })
      assert.deepStrictEqual(decided.set.map(({ due_at, kind }) => [kind, due_at]), [["billing_cycle.attempt", owed.cycle.grace_until]])
      assert.isFalse(isOver(waiting))
      const later = { ...waiting, at: owed.cycle.grace_until }
      assert.isTrue(isOver(later))
      const over = graceOver(later)
      assert.deepStrictEqual(toldBy(over.steps), ["billing_cycle.failed", "subscription.paused"])
      assert.deepInclude({ ...subscriptionIn(over.steps, later.subscription) }, { status: "paused", paused_remaining_seconds: 0 })
    }
  )
})
