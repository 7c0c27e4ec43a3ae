/** What of transfer instruments happens without a request. */
import type { PatchCheck } from "@svc/accounts/accounts/service"
import { ValidationError } from "@svc/kernel/resource/errors"
import { Effect } from "effect"
import { ACTIVATE } from "./model.ts"
import { TransferInstruments } from "./service.ts"

const noSuchDestination = new ValidationError({
  code: "payout_destination",
  message:
    "payout_destination: no such transfer instrument for this account. Create one with POST /v1/transfer_instruments, or send null for " +
    "the default of payout_method"
})

const archivedDestination = new ValidationError({
  code: "payout_destination",
  message: "payout_destination: this transfer instrument is archived, and no payout goes to it. Name another, create one with " +
    "POST /v1/transfer_instruments, or send null for the default of payout_method"
})

/** An account names no instrument that it does not have or that is archived for good: its payouts would go nowhere. */
export const destinationChecks = Effect.map(TransferInstruments, ({ get }): ReadonlyArray<PatchCheck> => [
  ({ id, payout_destination: present }, { payout_destination: next }) =>
    // What an earlier version took stays until it is changed.
    next === null || next === present
      ? Effect.undefined
      : Effect.match(get(id, next), {
        onFailure: () => noSuchDestination,
        onSuccess: ({ status }) => status === "archived" ? archivedDestination : undefined
      })
])

/** The timers of transfer instruments, by kind. */
export const instrumentJobs = Effect.map(TransferInstruments, ({ cooledOff }) => new Map([[ACTIVATE, cooledOff]]))
