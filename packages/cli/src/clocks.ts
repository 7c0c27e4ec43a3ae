/** The clock of an account, as commands meet it. */
import type { TestClockId } from "@svc/accounts/test-clocks/model"
import type { Client } from "@svc/client/client"
import { type DateTime, Effect, Schedule } from "effect"

/** The account's clock, if it has one. */
export const clockOf = (client: Client) => Effect.map(client.test_clocks.list({ query: { per_page: 1 } }), ({ data: [clock] }) => clock)

/** How often a clock that takes long is looked at. */
const LOOK = Schedule.spaced("500 millis")

/** Advances the clock and waits until everything that fell due is done. */
export const advanceTo = Effect.fnUntraced(function*(client: Client, id: TestClockId, to: DateTime.Utc) {
  const answer = yield* client.test_clocks.advance({ params: { id }, payload: { to } })
  return answer.status === "ready"
    ? answer
    : yield* Effect.repeat(client.test_clocks.get({ params: { id } }), { schedule: LOOK, until: ({ status }) => status === "ready" })
})
