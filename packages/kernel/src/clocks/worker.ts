/**
 * Moves the clocks of accounts for as long as its layer lives: those that this process is told of, at once; and those that somebody
 * sent on their way and nobody moves, because the process that did has died or has no such worker, by a poll.
 */
import { Cause, Clock, Effect, Fiber, FiberSet, Latch, Layer, Queue, Semaphore } from "effect"
import { ClockWake } from "./account-time.ts"
import { driver } from "./drive.ts"
import { clockRows } from "./rows.ts"

/** Clocks that this process moves at once; further ones wait for their turn. */
const CONCURRENCY = 8
/** How long a clock has its turn while others wait: one that never arrives, because each webhook causes the next, must not hold up them. */
const TURN_MILLIS = 10_000
const POLL = "2 seconds"
/** After something went wrong, until it is tried again. */
const PAUSE = "1 second"
/** How long a stop waits for what is due at the moment at which each clock stands. */
const DRAIN = "10 seconds"

const unlessInterrupted = (cause: Cause.Cause<unknown>) => !Cause.hasInterruptsOnly(cause)

const worker = Effect.gen(function*() {
  const rows = yield* clockRows
  const { drive, overdue } = yield* driver
  const wakeUp = yield* ClockWake
  const wakeUps = yield* Queue.unbounded<string>()
  const permits = yield* Semaphore.make(CONCURRENCY)
  const fibers = yield* FiberSet.make()
  const busy = new Set<string>()
  const idle = Latch.makeUnsafe(true)
  let stopping = false

  const turn = Effect.fnUntraced(function*(account: string) {
    const clock = yield* Clock.Clock
    const end = clock.currentTimeMillisUnsafe() + TURN_MILLIS
    return yield* drive(account, () => stopping || (busy.size > CONCURRENCY && clock.currentTimeMillisUnsafe() > end))
  })

  /**
   * Whoever waits for the clock hears of it when it has stopped, and so does this worker: it is still on its way, or something was set
   * meanwhile.
   */
  const move = (account: string) =>
    permits.withPermits(1)(turn(account)).pipe(
      Effect.catchCauseIf(unlessInterrupted, (cause) =>
        Effect.logWarning("a clock could not be moved to where it was sent; it is tried again", cause).pipe(
          Effect.annotateLogs({ account_id: account }),
          Effect.andThen(Effect.sleep(PAUSE)),
          Effect.as(true)
        )),
      Effect.onExit((exit) =>
        Effect.sync(() => {
          busy.delete(account)
          if (busy.size === 0) {
            idle.openUnsafe()
          }
          if (exit._tag === "Success" && exit.value) {
            wakeUp.wake(account)
          }
        })
      )
    )

  const start = (account: string) =>
    Effect.suspend(() => {
      if (busy.has(account)) return Effect.void
      busy.add(account)
      idle.closeUnsafe()
      return Effect.asVoid(FiberSet.run(fibers, move(account)))
    })

  /** Moves the clock if it was sent somewhere, or a timer waits to be run where it stands. */
  const look = Effect.fnUntraced(function*(account: string) {
    const clock = busy.has(account) ? undefined : yield* rows.find(account)
    if (clock !== undefined && (clock.advance_to !== null || (yield* overdue(clock)))) yield* start(account)
  })

  const steadily = <E, R>(round: Effect.Effect<unknown, E, R>) =>
    round.pipe(
      Effect.catchCauseIf(unlessInterrupted, (cause) =>
        Effect.andThen(
          Effect.logWarning("clocks of accounts: the database did not answer; trying again in a second", cause),
          Effect.sleep(PAUSE)
        )),
      Effect.forever
    )

  const unsubscribe = wakeUp.subscribe((account) => Queue.offerUnsafe(wakeUps, account))
  const hearing = yield* Effect.forkScoped(steadily(Effect.flatMap(Queue.take(wakeUps), look)))
  const polling = yield* Effect.forkScoped(steadily(Effect.gen(function*() {
    yield* Effect.forEach(yield* rows.abandoned(yield* Clock.currentTimeMillis), start, { discard: true })
    yield* Effect.sleep(POLL)
  })))

  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      stopping = true
      unsubscribe()
      yield* Fiber.interruptAll([hearing, polling])
      // A finalizer cannot be interrupted, and so could not stop waiting.
      yield* Effect.timeoutOption(Effect.interruptible(idle.await), DRAIN)
      yield* FiberSet.clear(fibers)
    })
  )
})

/** Moves clocks that were sent on their way. It needs the agendas of all parts: build it after their workers. */
export const ClockWorker = { layer: Layer.effectDiscard(worker) }
