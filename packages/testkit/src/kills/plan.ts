/** When the servers die: at each fail point in turn, and at moments that follow from the seed. */
import { failPoints } from "@svc/kernel/fail-points"
import type { FailPoint } from "@svc/kernel/fail-points"
import type { Chance } from "../simulation/chance.ts"

export type Kill =
  /** The process kills itself when it gets there the `nth` time. */
  | { readonly _tag: "At"; readonly point: FailPoint; readonly nth: number }
  /** It is killed so long after it was started, which may be before it is ready. */
  | { readonly _tag: "After"; readonly millis: number }

/** Of every ten kills beyond the first round of fail points, so many are at one. */
const AT_POINTS_OF_TEN = 7

/** What rarely happens is waited for at its first time. */
const often = /^(?:commit|authorize|capture|webhook)/

/** All fail points once when there are kills enough, in an order that follows from the seed; then both kinds mixed. */
export const killPlan = (chance: Chance, kills: number): ReadonlyArray<Kill> => {
  const shuffled = failPoints.map((point) => ({ point, at: chance.next() })).sort((a, b) => a.at - b.at).map(({ point }) => point)
  let points = 0
  const atPoint = (): Kill => {
    const point = shuffled[points++ % shuffled.length] ?? "commit.after"
    return { _tag: "At", point, nth: often.test(point) ? chance.between(1, 12) : 1 }
  }
  const after = (): Kill => ({ _tag: "After", millis: chance.between(50, 2_500) })
  const first = Math.min(kills, failPoints.length)
  const planned = Array.from({ length: kills }, (_, n) => n < first || chance.between(1, 10) <= AT_POINTS_OF_TEN ? atPoint() : after())
  if (kills <= first) return planned
  // The rest of the first round: otherwise a short run would be fail points only.
  const mixed = planned.slice(0, first)
  for (const kill of planned.slice(first)) mixed.splice(chance.between(0, mixed.length), 0, kill)
  return mixed
}

export const nameOf = (kill: Kill): string => kill._tag === "At" ? `${kill.point}:${kill.nth}` : `after ${kill.millis} ms`
