/** Hands what the charge of a cycle knows to the commit that writes what became of the payment, mostly in the same process. */
import { Context, Layer } from "effect"
import type { OwedBy } from "./loading.ts"

/** The cycle with the try under way, as it was last written. Of the invoice only the database knows its number. */
export type HandedCycle = Pick<OwedBy, "cycle" | "issuer" | "subscription">

export class HandedOver extends Context.Service<HandedOver, {
  readonly give: (handed: HandedCycle) => void
  /** Once: a decision on it that loses its race is made again on what is read. */
  readonly take: (cycle: string) => HandedCycle | undefined
}>()("@svc/billing/HandedOver") {
  static readonly layer = Layer.sync(HandedOver, () => {
    const all = new Map<string, HandedCycle>()
    return HandedOver.of({
      give: (charged) => {
        all.set(charged.cycle.id, charged)
      },
      take: (cycle) => {
        const handed = all.get(cycle)
        all.delete(cycle)
        return handed
      }
    })
  })
}
