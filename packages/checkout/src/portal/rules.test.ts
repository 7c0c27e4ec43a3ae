import { assert, describe, it } from "@effect/vitest"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import { standingIn } from "@svc/billing/engine/fixture"
import type { Subscription } from "@svc/billing/subscriptions/model"
import { offered } from "./rules.ts"

const settings = { ...defaultSettings.portal_settings, actions: ["cancel", "pause"] as const }
const paused = (changes: Partial<Subscription>): Subscription => ({ ...standingIn("paused").subscription, ...changes })

describe("what the card of a paused subscription offers", () => {
  it.each(
    [
      ["time left", {}, ["cancel", "resume"]],
      ["no time left", { paused_remaining_seconds: 0 }, ["cancel", "resume"]],
      ["time left, and to end", { cancel_at_end: true, cancel_reason: "customer_request" }, ["uncancel", "resume"]],
      ["no time left, and to end", { cancel_at_end: true, cancel_reason: "customer_request", paused_remaining_seconds: 0 }, ["uncancel"]]
    ] as const
  )("with %s", (_, changes, verbs) => {
    assert.sameMembers([...offered(settings, paused(changes))], [...verbs])
  })
})
