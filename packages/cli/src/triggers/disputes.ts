/** A dispute that the simulated network reports, and what comes of it. */
import type { Client } from "@svc/client/client"
import { disputeEvents } from "@svc/payments/disputes/model"
import { Effect, Schedule } from "effect"
import { CommandFailed } from "../failure.ts"
import { capture } from "./payment-intents.ts"
import { key, type Sandbox, triggersOf } from "./trigger.ts"

const open = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id: payment_intent_id } = yield* capture(sandbox)
  return yield* sandbox.client.disputes.simulate({ payload: { payment_intent_id, ...(yield* key) } })
})

const opened = (sandbox: Sandbox) => Effect.map(open(sandbox), ({ id, status: state }) => ({ id, state }))

const updated = Effect.fnUntraced(function*(sandbox: Sandbox) {
  const { id } = yield* open(sandbox)
  const { status: state } = yield* sandbox.client.disputes.add_evidence({
    params: { id },
    payload: { other: "A first piece of evidence", ...(yield* key) }
  })
  return { id, state }
})

/** How often the decision is looked for, and how long. A due one waits for the next poll of a worker at most. */
const LOOK = Schedule.spaced("200 millis")
const PATIENCE = "30 seconds"

const closed = Effect.fnUntraced(function*(client: Client, id: string) {
  return yield* client.disputes.get({ params: { id }, query: {} }).pipe(
    Effect.repeat({ schedule: LOOK, until: ({ closed_at }) => closed_at !== null }),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () =>
        Effect.fail(
          new CommandFailed({
            message: `The dispute ${id} was answered and is not decided within ${PATIENCE}. See that the server runs and what it logs.`
          })
        )
    })
  )
})

const answered = (other: "winning_evidence" | "losing_evidence") =>
  Effect.fnUntraced(function*(sandbox: Sandbox) {
    const { client } = sandbox
    const { id } = yield* open(sandbox)
    yield* client.disputes.submit({ params: { id }, payload: { other, ...(yield* key) } })
    const { status: state } = yield* closed(client, id)
    return { id, state }
  })

const won = answered("winning_evidence")

export const disputes = triggersOf(disputeEvents, {
  "dispute.created": opened,
  "dispute.updated": updated,
  "dispute.evidence_submitted": won,
  "dispute.won": won,
  "dispute.lost": answered("losing_evidence"),
  "dispute.closed": won
})
