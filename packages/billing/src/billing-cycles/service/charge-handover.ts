/** Passes the facts of a cycle from its charge to the commit that writes the result of the payment, if both run in this process. */
import { Context, Layer } from "effect"
import type { ChargeFacts } from "./loading.ts"

/** The cycle with its current attempt, as last written. The invoice is left out: only the database has its number. */
export type ChargingCycle = Pick<ChargeFacts, "cycle" | "issuer" | "subscription">

export class ChargeHandover extends Context.Service<ChargeHandover, {
  readonly give: (cycle: ChargingCycle) => void
  /** Gives the facts once: a decision that loses its race reads the facts from the database. */
  readonly take: (cycle: string) => ChargingCycle | undefined
}>()("@svc/billing/ChargeHandover") {
  static readonly layer = Layer.sync(ChargeHandover, () => {
    const all = new Map<string, ChargingCycle>()
    return ChargeHandover.of({
      give: (charged) => {
        all.set(charged.cycle.id, charged)
      },
      take: (cycle) => {
        const charging = all.get(cycle)
        all.delete(cycle)
        return charging
      }
    })
  })
}
