/** What of payouts happens without a request, and what they have against archiving an instrument and closing an account. */
import type { Act } from "@svc/payments/second-looks/model"
import { settlementArrived } from "@svc/payments/settlements/model"
import { Effect } from "effect"
import { archiving } from "../transfer-instruments/model.ts"
import { DUE, SCHEDULE } from "./model.ts"
import { Payouts } from "./service.ts"

/** The timers of payouts, by kind. */
export const payoutJobs = Effect.map(Payouts, ({ payOut, proceed }) => new Map([[DUE, proceed], [SCHEDULE, payOut]]))

/** A settlement that arrives is paid out by the account's schedule, and an instrument is not archived under a payout. */
export const payoutFollowUps = Effect.map(Payouts, ({ onArchive, onSettled }) => [
  settlementArrived.follow(({ account, settlement: { currency } }, { at }) => Effect.succeed(onSettled({ account, currency }, at))),
  archiving.follow(onArchive)
])

export const settingsFollowers = Effect.map(Payouts, ({ onSettings }) => [onSettings])

export const closingChecks = Effect.map(Payouts, ({ againstClosing }) => [againstClosing])

/** Payouts that a second person let pass. */
export const approvedPayouts = Effect.map(Payouts, ({ create }): ReadonlyArray<Act> => [{
  name: "payout",
  scope: "payouts:write",
  carryOut: ({ amount, currency, subject_id }, work) => create({ ...work, payload: { amount, currency, destination_id: subject_id } })
}])
