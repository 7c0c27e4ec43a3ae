/** What whoever charges a cycle knows of it, for whoever writes what came of the payment: in the same process that is mostly at once. */
import { Context, Layer } from "effect"
import type { OwedBy } from "./loading.ts"

/** The cycle with the try under way, as it was last written. Of the invoice only the database knows its number. */
export type Handed = Pick<OwedBy, "cycle" | "issuer" | "subscription">

export class HandedOver extends Context.Service<HandedOver, {
  readonly give: (handed: Handed) => void
  /** Once: a decision on it that loses its race is made again on what is read. */
  readonly take: (cycle: string) => Handed | undefined
}>()("@svc/billing/HandedOver") {
  static readonly layer = Layer.sync(HandedOver, () => {
    const all = new Map<string, Handed>()
    return HandedOver.of({
      give: (handed) => {
        all.set(handed.cycle.id, handed)
      },
      take: (cycle) => {
        const found = all.get(cycle)
        all.delete(cycle)
        return found
      }
    })
  })
}
