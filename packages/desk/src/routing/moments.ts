/** The line of time on the pages of some resources, by the name of their view. */
import { now } from "@svc/kernel/values/time"
import { DateTime, Effect, Option } from "effect"
import { cycleMoments, momentsPicture, payoutMoments, settlementMoments, type Told } from "../pages/moments.ts"
import { objectsAt } from "../pages/parts.ts"
import { type Json, textAt } from "../pages/values.ts"
import type { Here } from "./router.ts"

/** The present moment of the account: that of its own clock, where it has one and the person may see it. */
export const presentOf = Effect.fnUntraced(function*({ ask, visit }: Here) {
  const present = yield* now
  if (!visit.person.clocked) return present
  const [clock = {}] = objectsAt((yield* ask({ method: "GET", path: "/v1/test_clocks" })).json, "data")
  return Option.getOrElse(Option.map(DateTime.make(textAt(clock, "now")), DateTime.toUtc), () => present)
})

const ofCycle = Effect.fnUntraced(function*({ ask, visit }: Here, id: string, at: DateTime.Utc) {
  const path = `/v1/billing_cycles/${encodeURIComponent(id)}`
  const cycle = yield* ask({ method: "GET", path })
  if (cycle.status !== 200) return []
  return cycleMoments(visit, cycle.json, objectsAt((yield* ask({ method: "GET", path: `${path}/attempts` })).json, "data"), at)
})

const momentsOf = (here: Here, name: string, resource: Json, at: DateTime.Utc) => {
  const none: ReadonlyArray<Told> = []
  switch (name) {
    case "billing_cycles":
      return ofCycle(here, textAt(resource, "id"), at)
    case "subscriptions":
      return textAt(resource, "latest_billing_cycle_id") === ""
        ? Effect.succeed(none)
        : ofCycle(here, textAt(resource, "latest_billing_cycle_id"), at)
    case "payouts":
      return Effect.succeed(payoutMoments(here.visit, resource))
    case "settlements":
      return Effect.succeed(settlementMoments(here.visit, resource))
    default:
      return Effect.succeed(none)
  }
}

/** What happens to a resource when, drawn; null for those that have no such line. */
export const lineOf = Effect.fnUntraced(function*(here: Here, name: string, resource: Json) {
  const at = yield* presentOf(here)
  return momentsPicture(here.visit, at, yield* momentsOf(here, name, resource, at))
})
