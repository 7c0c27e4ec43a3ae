/** How far a clock may be sent, and when it may be removed. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result } from "effect"
import { type ClockRemoval, mayAdvance, mayRemove } from "./rules.ts"

const at = (text: string) => DateTime.makeUnsafe(text)
const code = <A, E extends { readonly message: string }>(result: Result.Result<A, E>) =>
  Result.isFailure(result) ? result.failure.message : "may"

describe("mayAdvance", () => {
  it.each([
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "may"],
    ["2026-01-01T00:00:00Z", "2025-12-31T23:59:59Z", "only moves forward"],
    ["2026-01-01T00:00:00Z", "2031-01-02T00:00:00Z", "may"],
    ["2026-01-01T00:00:00Z", "2031-01-02T00:00:00.001Z", "Give 2031-01-02T00:00:00.000Z or an earlier moment"],
    ["2199-06-01T00:00:00Z", "2199-12-31T23:59:59Z", "may"],
    ["2199-06-01T00:00:00Z", "2200-01-01T00:00:00Z", "stays before 2200"]
  ])("from %s to %s: %s", (present, to, says) => assert.include(code(mayAdvance(at(present), at(to))), says))
})

describe("mayRemove", () => {
  const idle: ClockRemoval = {
    present: at("2026-01-01T00:00:00Z"),
    advancing_to: null,
    waiting: [],
    used: false,
    world: at("2026-01-02T00:00:00Z")
  }
  const ahead = { present: at("2027-01-01T00:00:00Z") }
  it.each<readonly [string, Partial<ClockRemoval>, string]>([
    ["an idle one", {}, "may"],
    ["one behind the world's time that was used", { used: true }, "may"],
    ["one ahead of it that was not used", ahead, "may"],
    ["one ahead of it that was used", { ...ahead, used: true }, "ahead of the world's"],
    ["one that something waits for", { waiting: [{ kind: "subscription.renew", count: 2 }] }, "subscription.renew (2)"],
    ["one that moves", { advancing_to: at("2026-02-01T00:00:00Z") }, "on its way to 2026-02-01"]
  ])("%s", (_, more, says) => assert.include(code(mayRemove({ ...idle, ...more })), says))
})
