/**
 * Places for requests that compute or answer much. So many are worked on at one time, an account's one after another; a few more wait.
 * A request beyond those is told at once when to come again: a queue without an end holds memory, and answers nobody.
 */
import { Effect, type Scope, Semaphore } from "effect"
import { RateLimited } from "../resource/errors.ts"
import { asHeavy } from "./giving-way.ts"
import { makeTurns } from "./uploads.ts"

export interface PlacesOptions {
  /** What takes a place, in the plural, such as `exports of ledgers`. */
  readonly what: string
  /** Worked on at one time. */
  readonly atOnce: number
  /** Requests that wait besides. */
  readonly waiting: number
  /** Of one account, those that wait included. */
  readonly ofAccount: number
  /** Seconds after which who was refused may come again. */
  readonly retryAfter: number
}

export interface RequestPlaces {
  /** Does the work when it is its turn. Fails at once where the account, or all accounts together, have as many as they may. */
  readonly take: <A, E, R>(account: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | RateLimited, R>
  /** Keeps a place of the account until the scope ends, without a turn: for what lasts as long as its client reads. */
  readonly keep: (account: string) => Effect.Effect<void, RateLimited, Scope.Scope>
}

export const makePlaces = ({ atOnce, ofAccount, retryAfter, waiting, what }: PlacesOptions): RequestPlaces => {
  const places = Semaphore.makeUnsafe(atOnce)
  const inTurn = makeTurns()
  const counts = new Map<string, number>()
  let all = 0

  const full = (why: string) =>
    Effect.fail(
      new RateLimited({
        message: `Too many ${what} at one time: ${why}. Wait ${retryAfter} s and send again.`,
        details: { retry_after: retryAfter }
      })
    )

  const enter = (account: string) =>
    Effect.suspend(() => {
      const own = counts.get(account) ?? 0
      if (own >= ofAccount) {
        return full(
          ofAccount === 1
            ? "the account has one under way, and no account has more"
            : `an account may have ${ofAccount}, those that wait included`
        )
      }
      if (all >= atOnce + waiting) return full("all places are taken")
      counts.set(account, own + 1)
      all++
      return Effect.void
    })

  const leave = (account: string) =>
    Effect.sync(() => {
      const own = counts.get(account) ?? 0
      if (own <= 1) counts.delete(account)
      else counts.set(account, own - 1)
      all--
    })

  return {
    take: (account, work) =>
      Effect.acquireUseRelease(
        enter(account),
        () => asHeavy(inTurn(account, places.withPermits(1)(work))),
        () => leave(account)
      ),
    keep: (account) => Effect.acquireRelease(enter(account), () => leave(account))
  }
}
