import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import {
  EXPIRES,
  type PortalPlanChange,
  PortalSessionId,
  PortalSessionJson,
  portalSessions,
  portalSessionStatuses,
  wireOf
} from "./model.ts"
import { create, expire, isOpen, planChanged, revoke } from "./rules.ts"

const encodeJson = Schema.encodeSync(PortalSessionJson)

const ID = PortalSessionId.make("cps_01KAAAAAAAAAAAAAAAAAAAAAAA")
const at = DateTime.makeUnsafe("2026-11-22T12:00:00Z")
const later = (minutes: number) => DateTime.add(at, { minutes })

const open = create({ customer_id: "customer-1" }, {
  id: ID,
  account: { id: "acct_01KAAAAAAAAAAAAAAAAAAAAAAA" },
  url: `https://pay.example.com/portal/${ID}/secret`,
  secret: { key: "a", box: "AA" },
  at
})

const change: PortalPlanChange = {
  subscription_id: "sub_1",
  from_plan_id: "plan_1",
  to_plan_id: "plan_2",
  proration_behavior: "now",
  requested_at: later(1)
}

describe("a portal session", () => {
  it("is open for an hour, and its timer ends it then", () => {
    assert.strictEqual(open.event, "session.created")
    assert.deepEqual(open.set, [{ kind: EXPIRES, resource_id: ID, due_at: later(60) }])
    assert.isTrue(isOpen(open.session, later(59)))
    // The timer may be late; the hour is not.
    assert.isFalse(isOpen(open.session, later(60)))
    assert.isUndefined(expire(open.session, later(59)))
    const ended = expire(open.session, later(60))
    assert.deepInclude(ended?.session, { status: "expired", version: 2 })
    assert.strictEqual(ended?.event, "session.expired")
    assert.isUndefined(expire(ended?.session ?? open.session, later(61)))
  })

  it("is revoked once, and then neither open nor expired", () => {
    const revoked = Result.getOrThrow(revoke(open.session, later(5)))
    assert.deepInclude(revoked.session, { status: "revoked", revoked_at: later(5) })
    assert.deepEqual(revoked.clear, [{ kind: EXPIRES, resource_id: ID }])
    assert.isFalse(isOpen(revoked.session, later(6)))
    assert.isUndefined(expire(revoked.session, later(90)))
    for (const status of portalSessionStatuses.filter((one) => one !== "active")) {
      const again = revoke({ ...open.session, status }, later(7))
      assert.deepInclude(Result.isFailure(again) ? again.failure : {}, { _tag: "InvalidState", details: { state: status, allowed: [] } })
    }
  })

  it("tells of each change of plan, and sets no timer for it", () => {
    const told = planChanged(open.session, change, later(1))
    assert.deepEqual([told.event, told.set, told.clear], ["plan_changed", [], []])
    assert.deepInclude(told.session, { last_plan_change: change, updated_at: later(1), version: 2 })
  })

  it("has its address in the API alone: events are kept longer than an hour", () => {
    assert.include(JSON.stringify(encodeJson(open.session)), "/secret")
    assert.notInclude(portalSessions.encode(open.session).wire, "/secret")
    // Nor does an answer that is kept with its key have it.
    assert.notInclude(wireOf(open.session), "/secret")
  })
})
