/** When the servers die: at each fail point in turn, and at moments that follow from the seed. */
import type { FailPoint } from "@svc/kernel/parts/fail-points"
import { failPoints } from "@svc/server/packages"
import type { Chance } from "../simulation/chance.ts"

export type Kill =
  /** The process kills itself when it gets there the `nth` time. */
  | { readonly _tag: "At"; readonly point: FailPoint; readonly nth: number }
  /** It is killed so long after it was started, which may be before it is ready. */
  | { readonly _tag: "After"; readonly millis: number }

/** What rarely happens is waited for at its first time. */
const often = /^(?:commit|authorize|capture|webhook)/

/** Every fail point once when there are kills enough, and half of the other kills at any moment; in an order that follows from the seed. */
export const killPlan = (chance: Chance, kills: number): ReadonlyArray<Kill> => {
  const shuffled = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
    all.map((one) => ({ one, place: chance.next() })).toSorted((a, b) => a.place - b.place).map(({ one }) => one)
  const points = shuffled(failPoints)
  const others = Math.max(0, kills - points.length)
  const atPoints = kills - Math.ceil(others / 2)
  const at = (n: number): Kill => {
    const point = points[n % points.length] ?? "commit.after"
    return { _tag: "At", point, nth: often.test(point) ? chance.between(1, 12) : 1 }
  }
  return shuffled(
    Array.from({ length: kills }, (_, n): Kill => n < atPoints ? at(n) : { _tag: "After", millis: chance.between(50, 2_500) })
  )
}

export const nameOf = (kill: Kill): string => kill._tag === "At" ? `${kill.point}:${kill.nth}` : `after ${kill.millis} ms`
