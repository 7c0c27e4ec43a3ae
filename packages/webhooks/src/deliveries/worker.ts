/**
 * Delivers webhooks for as long as its layer lives. One loop claims what is due and starts an attempt for
 * each, another completes the attempts that ended, many in a statement; nothing is sent within a transaction.
 * Commits of this process wake the worker, notifications of other processes, and a poll that finds what both missed.
 *
 * Claims give way to requests (docs/decisions/0097): the longer commits wait that somebody waits for, the fewer deliveries are claimed at
 * one time. What is not claimed waits in the database, in its order and in nobody's hands.
 */
import { Precedence } from "@svc/kernel/road/precedence"
import { Reference } from "@svc/kernel/values/reference"
import { Cause, Duration, Effect, Fiber, FiberSet, Latch, Layer, Option, Schedule } from "effect"
import { Attempts } from "./attempts.ts"
import { type ClaimLimits, WorkerLoad } from "./load.ts"
import { type ClaimedDelivery, type Completion, DeliveryQueue, LEASE_MILLIS } from "./queue.ts"
import { DeliverySignal } from "./signal.ts"

export interface WorkerSettings extends ClaimLimits {
  /**
   * News that arrives this soon after a claim waits for the next, which then serves several commits; attempts that end this soon
   * after a completion likewise. Statements for two or three deliveries each would take more of the machine than the deliveries.
   */
  readonly gather: Duration.Input
  readonly poll: Duration.Input
  /** Deliveries of one claim while requests wait for a short time; the longer they wait, the fewer, down to none. */
  readonly batch: number
  /** While requests wait long, so many are claimed after each such time: no account's events wait for ever. */
  readonly floor: { readonly every: Duration.Input; readonly deliveries: number }
  /** How long a stop waits for attempts under way; the rest goes back to the queue. */
  readonly drain: Duration.Input
}

/** Settings of the worker, with their defaults. */
export class WorkerConfig extends Reference<WorkerSettings>("@svc/webhooks/WorkerConfig", {
  defaultValue: () => ({
    concurrency: 512,
    perAccount: 64,
    gather: "12 millis",
    poll: "1 second",
    batch: 64,
    floor: { every: "1 second", deliveries: 64 },
    drain: "10 seconds"
  })
}) {}

/** Completions in one statement. */
const BATCH = 200

/** A database that is away is tried again until the lease is over; then the delivery is somebody else's. */
const persist = Schedule.spaced("250 millis").pipe(Schedule.upTo({ duration: Duration.millis(LEASE_MILLIS) }))

const unlessInterrupted = (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause)

/** Runs again and again. What goes wrong is said and the next round comes a second later: nothing ends a worker but its scope. */
const steadily = <E, R>(what: string, round: Effect.Effect<unknown, E, R>) =>
  round.pipe(
    Effect.catchCauseIf(unlessInterrupted, (cause) =>
      Effect.andThen(Effect.logWarning(`webhook worker: could not ${what}; trying again in a second`, cause), Effect.sleep("1 second"))),
    Effect.forever
  )

/** Starts the loop that records ended attempts. Returns where to put them. */
const startCompleting = Effect.fnUntraced(function*(load: WorkerLoad, { gather }: WorkerSettings) {
  const queue = yield* DeliveryQueue
  const signal = yield* DeliverySignal
  const ended: Array<Completion> = []
  const arrived = Latch.makeUnsafe(false)

  const completeSome = Effect.gen(function*() {
    const batch = ended.splice(0, BATCH)
    const completed = yield* queue.complete(batch).pipe(
      Effect.retry(persist),
      Effect.catchCauseIf(unlessInterrupted, (cause) => Effect.as(Effect.logError("webhook worker: could not record attempts", cause), []))
    )
    load.finished(batch, completed)
    signal.wake([])
  })
  const completing = Effect.gen(function*() {
    yield* arrived.await
    arrived.closeUnsafe()
    while (ended.length > 0) yield* completeSome
    yield* Effect.sleep(gather)
  })
  yield* Effect.forkScoped(steadily("complete deliveries", completing))

  return (completion: Completion): void => {
    ended.push(completion)
    arrived.openUnsafe()
  }
})

/** Starts the loop that claims whenever there is news, and starts an attempt of each delivery it gets. */
const startClaiming = Effect.fnUntraced(
  function*<R>(load: WorkerLoad, settings: WorkerSettings, start: (delivery: ClaimedDelivery) => Effect.Effect<unknown, never, R>) {
    const queue = yield* DeliveryQueue
    const signal = yield* DeliverySignal

    const precedence = yield* Precedence
    let since = precedence.counts()

    /** Waits until requests leave room for deliveries, but never longer than the floor allows. Returns for how many. */
    const room = Effect.sync(() => precedence.room(since)).pipe(
      Effect.map((share) => share === 1 ? Number.POSITIVE_INFINITY : Math.floor(share * settings.batch)),
      Effect.repeat({ schedule: Schedule.spaced(settings.gather), until: (deliveries) => deliveries > 0 }),
      Effect.timeoutOption(settings.floor.every),
      Effect.map(Option.getOrElse(() => settings.floor.deliveries))
    )
    /** What a claim returned is in hand before a stop can come between. */
    const claimRound = (atMost: number) =>
      Effect.uninterruptible(Effect.gen(function*() {
        const claims = load.wanted(atMost)
        if (claims.length === 0) return false
        const { deliveries, more } = yield* queue.claim(claims)
        load.claimed(deliveries, more)
        yield* Effect.forEach(deliveries, start, { discard: true })
        return true
      }))
    /** Says whether to claim again at once. After a claim that gave way others are heard first, so that they come in their turn. */
    const round = Effect.gen(function*() {
      const atMost = yield* room
      const claimed = yield* claimRound(atMost)
      since = precedence.counts()
      if (atMost === Number.POSITIVE_INFINITY) return claimed
      if (claimed) signal.wake([])
      return false
    })
    const claiming = Effect.gen(function*() {
      const { accounts, unnamed } = yield* signal.take
      load.hear(accounts)
      if (unnamed) load.hear(yield* queue.dueAccounts)
      yield* Effect.repeat(round, { while: (again) => again })
      yield* Effect.sleep(settings.gather)
    }).pipe(
      // What was heard is still to be done: look for it anew.
      Effect.tapCause(() => Effect.sync(() => signal.wake()))
    )
    return yield* Effect.forkScoped(steadily("claim deliveries", claiming))
  }
)

const make = Effect.gen(function*() {
  const settings = yield* WorkerConfig
  const queue = yield* DeliveryQueue
  const signal = yield* DeliverySignal
  const { attempt } = yield* Attempts
  const load = new WorkerLoad(settings)
  const attempts = yield* FiberSet.make()

  const complete = yield* startCompleting(load, settings)
  const claimer = yield* startClaiming(load, settings, (delivery) => FiberSet.run(attempts, Effect.map(attempt(delivery), complete)))
  yield* Effect.forkScoped(steadily("listen for deliveries", signal.listen))
  yield* Effect.forkScoped(Effect.repeat(Effect.sync(() => signal.wake()), Schedule.spaced(settings.poll)))

  // Runs before the loops above are interrupted.
  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      yield* Fiber.interrupt(claimer)
      // A finalizer cannot be interrupted, and so could not stop waiting.
      yield* Effect.timeoutOption(Effect.interruptible(load.idle.await), settings.drain)
      yield* FiberSet.clear(attempts)
      const left = load.inHand
      if (left.length > 0) yield* Effect.ignore(queue.release(left))
    })
  )
})

/** The worker: forks its loops into the layer's scope. One of it in a process. */
export const WebhookWorker = Layer.effectDiscard(make)
