/** Refuses charges of accounts that may not charge: suspended ones, and those without the capability or with a restriction. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { suspension } from "@svc/accounts/access/permits"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import { Effect } from "effect"

export const failUnlessMayCharge = (account: AccountFacts): Effect.Effect<void, AccountSuspended> =>
  Effect.suspend(() => {
    const refusal = suspension("charge", account)
    return refusal === undefined ? Effect.void : Effect.fail(refusal)
  })
