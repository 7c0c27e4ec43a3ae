/**
 * A captured payment whose settlement falls due now. Where the account has a clock, that is advanced to the day; where it lives by the time
 * of the world, the payment is captured under a delay of no days, and the account's own delay is put back at once.
 */
import type { Client } from "@svc/client/client"
import { settlementEvents } from "@svc/payments/settlements/model"
import { DateTime, Effect, Schedule } from "effect"
import { advanceTo, clockOf } from "../clocks.ts"
import { CommandFailed } from "../failure.ts"
import { authorize } from "./payment-intents.ts"
import { key, type Sandbox, triggersOf } from "./trigger.ts"

/** Runs the effect while captures of the account settle on the same day. */
const withoutDelay = Effect.fnUntraced(function*<A, E>(client: Client, effect: Effect.Effect<A, E>) {
  const { settings: { settlement_delay_days: usual } } = yield* client.accounts.own()
  const set = (settlement_delay_days: number) => client.accounts.update({ headers: {}, payload: { settings: { settlement_delay_days } } })
  return yield* Effect.acquireUseRelease(set(0), () => effect, () => set(usual))
})

/** How often one that is on its way is looked at, and how long. A due one waits for the next poll of a worker at most. */
const LOOK = Schedule.spaced("200 millis")
const PATIENCE = "30 seconds"

const ended = Effect.fnUntraced(function*(client: Client, id: string) {
  return yield* client.settlements.get({ params: { id }, query: {} }).pipe(
    Effect.repeat({ schedule: LOOK, until: ({ status }) => status === "completed" || status === "failed" }),
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () =>
        Effect.fail(
          new CommandFailed({
            message: `The settlement ${id} is due and has not ended within ${PATIENCE}. See that the server runs and what it logs.`
          })
        )
    })
  )
})

const settle = (simulated: Readonly<Record<string, string>>) =>
  Effect.fnUntraced(function*(sandbox: Sandbox) {
    const { client } = sandbox
    const { id: payment_intent_id } = yield* authorize(sandbox, simulated)
    const clock = yield* clockOf(client)
    const capture = client.payment_intents.capture({ params: { id: payment_intent_id }, payload: yield* key })
    yield* clock === undefined ? withoutDelay(client, capture) : capture
    const { data: [queued] } = yield* client.settlements.list({ query: { per_page: 1, payment_intent_id } })
    if (queued === undefined) {
      return yield* new CommandFailed({ message: `The payment ${payment_intent_id} was captured and has no settlement.` })
    }
    if (clock !== undefined) yield* advanceTo(client, clock.id, DateTime.max(queued.due_at, DateTime.add(clock.now, { seconds: 1 })))
    const { attempts, id, status: state } = yield* ended(client, queued.id)
    if (attempts === 0) {
      return yield* new CommandFailed({
        message: "The fee took all of the payment, so that nothing was sent on its way. Give a larger --amount."
      })
    }
    return { id, state }
  })

const arrives = settle({})

export const settlements = triggersOf(settlementEvents, {
  "settlement.processing": arrives,
  "settlement.completed": arrives,
  // Tried again by itself an hour later, and then it arrives.
  "settlement.failed": settle({ "sim.settlement": "fail_once" })
})
