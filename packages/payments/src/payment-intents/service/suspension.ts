/** Refuses charges of suspended accounts. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { suspension } from "@svc/accounts/access/permits"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import { Effect } from "effect"

/** Fails unless the account may charge. */
export const requireCharges = (account: AccountFacts): Effect.Effect<void, AccountSuspended> =>
  Effect.suspend(() => {
    const refusal = suspension("charge", account)
    return refusal === undefined ? Effect.void : Effect.fail(refusal)
  })
