/** What the page of the test clock says. */
import type { ClockTexts } from "../shapes/clocks.ts"

export const clock: ClockTexts = {
  title: "Test clock",
  none: "This sandbox lives by the world's time",
  noneNote:
    "With a clock of its own you see today what happens in a year: the clock stands still until you advance it, and never goes back.",
  live: "Live accounts have no test clock. Open the desk of a sandbox account.",
  give: "Give it a clock",
  now: "Present moment of the account",
  statuses: { ready: "stands still", advancing: "on its way" },
  nextDue: "Next thing due",
  nothingDue: "Nothing waits.",
  since: "Since",
  advance: "Advance",
  by: { hour: "1 hour", day: "1 day", week: "1 week", month: "1 month" },
  toNext: "To the next thing due",
  toMoment: "Advance to this moment",
  moment: "Moment (UTC)",
  watching: "The clock is on its way. This page looks again by itself.",
  stop: "Stop here",
  stopped: (reason) => `The last advance ended early: ${reason}.`,
  onTheWay: "What happened on the way",
  lately: "What happened lately",
  nothingHappened: "Nothing happened.",
  more: "More happened; the event log has it all.",
  refused: "The clock was not moved",
  remove: "Remove the clock",
  removeNote: "The account lives by the world's time again. That works only while nothing depends on the clock."
}
