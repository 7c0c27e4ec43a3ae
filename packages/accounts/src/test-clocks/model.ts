/** The test clock: the time of a sandbox account, once it has one of its own. */
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"

export const TestClockId = idSchema("clock", "TestClockId")
export type TestClockId = typeof TestClockId.Type

export const testClockStatuses = ["ready", "advancing"] as const
export const TestClockStatus = Schema.Literals(testClockStatuses).annotate({
  identifier: "TestClockStatus",
  description: "`advancing` while what falls due on the way to the moment it was sent to is still being done"
})
export type TestClockStatus = typeof TestClockStatus.Type

export const StoppedAdvance = Schema.Struct({
  reason: Schema.Literals(["cancelled", "limit"]).annotate({
    description: "`cancelled`: it was asked to end. `limit`: it had done as much as one advance may"
  }),
  to: Timestamp.annotate({ description: "Where it was on the way to" })
}).annotate({
  identifier: "StoppedAdvance",
  description:
    "Why the last advance ended before it had arrived. Everything up to the clock's present moment is done; advance again to go on."
})

export const TestClock = Schema.Struct({
  id: TestClockId,
  now: Timestamp.annotate({ description: "The present moment of the account" }),
  status: TestClockStatus,
  next_due_at: Schema.NullOr(Timestamp).annotate({
    description: "When the next thing in the account falls due, such as a renewal or a settlement; null while nothing waits"
  }),
  created_at: Timestamp.annotate({ description: "When the account got its clock, which began at that moment" }),
  stopped: Schema.NullOr(StoppedAdvance).annotate({ description: "Null unless the last advance ended before it had arrived" })
}).annotate({ identifier: "TestClock", description: "The time of a sandbox account. It stands still until it is advanced." })
  .pipe(
    Schema.annotateEncoded({
      examples: [{ id: exampleId("clock"), now: EXAMPLE_TIME, status: "ready", next_due_at: null, created_at: EXAMPLE_TIME, stopped: null }]
    })
  )
export type TestClock = typeof TestClock.Type

/** Later moments are refused: ids, timers and holds must find room behind them. */
export const LAST_MOMENT = "2200-01-01T00:00:00.000Z"

/** How many days one advance goes at most: five years. */
export const MOST_DAYS = 1827

export const AdvanceTestClockRequest = Schema.Struct({
  to: Timestamp.annotate({
    description: "The moment to go to: the clock's present one or later, at most 1,827 days (five years) further, and before the year 2200"
  })
}).annotate({ identifier: "AdvanceTestClockRequest" }).pipe(Schema.annotateEncoded({ examples: [{ to: "2026-02-01T12:00:00.000Z" }] }))
export type AdvanceTestClockRequest = typeof AdvanceTestClockRequest.Type
