import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { CHANGED, EXPIRES, PortalSession, type PortalPlanChange, PortalSessionId, portalSessionStatuses, wireOf, encode } from "./model.ts"
import { announce, cameOf, create, expire, isOpen, revoke, settle } from "./rules.ts"

const ID = PortalSessionId.make("cps_01KAAAAAAAAAAAAAAAAAAAAAAA")
const at = DateTime.makeUnsafe("2026-11-22T12:00:00Z")
const later = (minutes: number) => DateTime.add(at, { minutes })

const open = create({ customer_id: "customer-1" }, { id: ID, account: { id: "acct_01KAAAAAAAAAAAAAAAAAAAAAAA" }, url: `https://pay.example.com/portal/${ID}/secret`, secret: { key: "a", box: "AA" }, at })

const change: PortalPlanChange = { subscription_id: "sub_1", from_plan_id: "plan_1", to_plan_id: "plan_2", proration_behavior: "now", requested_at: later(1) }

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
      const again = revoke(new PortalSession({ ...open.session, status }), later(7))
      assert.deepInclude(Result.isFailure(again) ? again.failure : {}, { _tag: "InvalidState", details: { state: status, allowed: [] } })
    }
  })

  it("tells of a change of plan once, and of none that was not made", () => {
    const announced = announce(open.session, change)
    assert.isUndefined(announced.event)
    assert.deepEqual(announced.set, [{ kind: CHANGED, resource_id: ID, due_at: later(2) }])
    const made = settle(announced.session, "made", later(1))
    assert.strictEqual(made?.event, "plan_changed")
    assert.deepInclude(made?.session, { last_plan_change: change, changing: null, version: 3 })
    assert.isUndefined(settle(made?.session ?? open.session, "made", later(1)))
    const refused = settle(announced.session, "dropped", later(1))
    assert.isUndefined(refused?.event)
    assert.deepInclude(refused?.session, { last_plan_change: null, changing: null })
    const waiting = settle(announced.session, "waits", later(1))
    assert.isUndefined(waiting?.event)
    assert.deepEqual([waiting?.session.changing, waiting?.set], [change, [{ kind: CHANGED, resource_id: ID, due_at: later(2) }]])
  })

  it.each<readonly [string, string | null, string | null, string]>([
    ["plan_2", null, null, "made"],
    ["plan_1", "plan_2", null, "made"],
    ["plan_1", "plan_2", "billcycle_1", "waits"],
    ["plan_1", null, null, "dropped"],
    ["plan_1", "plan_3", null, "dropped"]
  ])("finds out what came of a change: on %s, pending %s by %s is %s", (plan_id, pending, billing_cycle_id, came) => {
    const pending_change = pending === null ? null : { plan_id: pending, behavior: "now" as const, billing_cycle_id, requested_at: at, lines: [], credit_granted: [] }
    assert.strictEqual(cameOf(change, { plan_id, pending_change }), came)
  })

  it("has its address in the API alone: events are kept longer than an hour", () => {
    assert.include(wireOf(open.session), "/secret")
    assert.notInclude(encode(open.session).wire, "/secret")
    assert.notInclude(encode(open.session).wire, "changing")
  })
})
