/** Deliveries of an account whose clock is moved: each attempt at the moment it is due at, before the clock goes on. */
import { type Agenda, Agendas } from "@svc/kernel/clocks/agenda"
import type { ClockLease } from "@svc/kernel/clocks/rows"
import { Effect, Layer } from "effect"
import { Attempts } from "./attempts.ts"
import { DeliveryQueue } from "./queue.ts"

/** Attempts under way at once, as many as a worker makes for one account. */
const AT_ONCE = 64

const agenda = Effect.gen(function*() {
  const queue = yield* DeliveryQueue
  const { attempt } = yield* Attempts

  // What a claim returned is in hand before a stop can come between.
  const attemptDue = ({ account_id, token }: ClockLease) =>
    Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
      const { deliveries, more } = yield* queue.claim([{ account: account_id, slots: AT_ONCE }], token)
      if (deliveries.length === 0) return more.length > 0 ? 1 : 0
      const attempts = restore(Effect.forEach(deliveries, attempt, { concurrency: "unbounded" }))
      yield* queue.complete(yield* Effect.onInterrupt(attempts, () => Effect.ignore(queue.release(deliveries))))
      return deliveries.length
    }))

  return {
    next: (held, until) =>
      Effect.map(queue.nextDue(held.account_id, until), (due) => due === undefined ? undefined : { due, keep: () => attemptDue(held) })
  } satisfies Agenda
})

/** Adds the deliveries to what falls due when an account's clock moves. */
export const layerAgenda = Layer.effectDiscard(Effect.flatMap(Effect.all([Agendas, agenda]), ([agendas, own]) => agendas.add(own)))
