/** How a step of a purchase becomes a commit. */
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Commit, KeyWrite } from "@svc/kernel/road/decision"
import type { CreditPurchase } from "./model.ts"
import { type PurchaseDecision, writes } from "./rules.ts"

export const commitOf = (decided: PurchaseDecision, key?: KeyWrite): Commit => {
  const { clear, purchase, set } = decided
  const { account_id, id, updated_at, version } = purchase
  return {
    account_id,
    at: updated_at,
    cause: key?.key ?? internalCause("credit_purchase", `${id}:${version}`),
    writes: writes(decided),
    entries: [],
    events: [],
    set,
    clear,
    ...(key === undefined ? {} : { key })
  }
}

/** Nothing changes, and the key has its answer: somebody else has brought the purchase to its end. */
export const keyAlone = ({ account_id, updated_at }: CreditPurchase, key: KeyWrite): Commit => ({
  account_id,
  at: updated_at,
  cause: key.key,
  writes: [],
  entries: [],
  events: [],
  set: [],
  clear: [],
  key
})
