/** What becomes of a payout, and of the money in it. Pure: the service loads, asks here, and commits. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { Forbidden, InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import type { CounterMove, Entry, TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { CommitRefused } from "@svc/kernel/road/failure"
import { post, type RouteName } from "@svc/ledger/financial-events/routes"
import { DateTime, Result } from "effect"
import type { TransferInstrument } from "../transfer-instruments/model.ts"
import { payoutMachine, type PayoutTrigger } from "./machine.ts"
import { BY_HAND, DUE, Payout, type PayoutId, SCHEDULE, SUBMIT_MINUTES } from "./model.ts"

/** What people call it. */
export const NAME = "payout"

/** What a step of a payout comes to. `R` is what the conditions of its commit refuse with. */
export interface PayoutDecision<out R = never> {
  readonly payout: Payout
  readonly entries: ReadonlyArray<Entry>
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
  readonly counters: ReadonlyArray<CounterMove<R>>
}

const decisionOf = (payout: Payout, rest: Partial<Omit<PayoutDecision, "payout">> = {}): PayoutDecision => ({
  payout,
  entries: [],
  set: [],
  clear: [],
  counters: [],
  ...rest
})

const timer = ({ id }: Pick<Payout, "id">): TimerKey => ({ kind: DUE, resource_id: id })

const posted = (name: RouteName, { currency, id }: Payout, amount: number, through?: { readonly through_pending: number }): Entry =>
  post(name, { amount, currency, resource_type: "payout", resource_id: id, ...through })

/** Fees of payouts are taken from what is available, and given back there. */
const fee = (name: "fee_charged" | "fee_refunded", payout: Payout): ReadonlyArray<Entry> =>
  payout.fee_amount === 0 ? [] : [posted(name, payout, payout.fee_amount, { through_pending: 0 })]

const refuse = ({ status }: Payout, trigger: PayoutTrigger): InvalidState => {
  const allowed = triggersFrom(payoutMachine, status)
  const why = trigger === "cancel" && status === "processing" ? ": it was submitted to the bank already" : ""
  return new InvalidState({
    message: `Cannot ${trigger} a payout that is ${status}${why}. ` +
      (allowed.length === 0 ? "A payout can be cancelled until its submit_at, while it is pending." : `From here: ${allowed.join(", ")}.`),
    details: { state: status, allowed }
  })
}

// ------------------------------------------------------------------- payouts and instruments

/** More payouts than ever are on their way to one instrument. */
const ROOM = 1_000_000_000

const FLIGHT = "payouts_in_flight"

const inFlight = (instrument: string, by: 1 | -1): CounterMove => ({ name: FLIGHT, key: instrument, add: { spent: 0, reserved: by } })

/** The instrument was archived since it was read: there is no room for a payout to it any more. */
const departing = (instrument: TransferInstrument): CounterMove<ValidationError> => ({
  ...inFlight(instrument.id, 1),
  limit: { at_most: ROOM, refusal: () => notActive({ ...instrument, status: "archived" }) }
})

/** For the commit that archives an instrument: all room is taken, which is refused while a payout is on its way to it. */
export const archived = (instrument: TransferInstrument): CounterMove<InvalidState> => ({
  name: FLIGHT,
  key: instrument.id,
  add: { spent: ROOM, reserved: 0 },
  limit: {
    at_most: ROOM,
    refusal: ({ left, limit }) => {
      const many = limit - left
      return new InvalidState({
        message: `Cannot archive a transfer instrument while ${
          many === 1 ? "a payout is" : `${many} payouts are`
        } on the way to it. Cancel what is pending, and wait for the rest.`,
        details: { state: instrument.status, allowed: ["make_default"], payouts: many }
      })
    }
  }
})

/**
 * Counts a payout by hand where such payouts are added up: `count` there were when they were. A commit that finds more has to add up
 * anew, as two at one moment would each be below the limit.
 */
export const nextByHand = (currency: string, count: number): CounterMove<CommitRefused> => ({
  name: BY_HAND,
  key: currency,
  add: { spent: 1, reserved: 0 },
  limit: { at_most: count + 1, refusal: () => new CommitRefused({ reason: "version" }) }
})

const notActive = ({ id, status }: Pick<TransferInstrument, "id" | "status">) =>
  new ValidationError({
    code: "destination_id",
    message: `destination_id: the transfer instrument ${id} is ${status}, and payouts go to active ones only.`
  })

// ------------------------------------------------------------------------------- their steps

/** What is known when one is made. */
export interface PayoutFacts {
  readonly id: PayoutId
  readonly instrument: TransferInstrument
  /** Minor units. */
  readonly fee_amount: number
  readonly automatic: boolean
  readonly at: DateTime.Utc
}

/** Why a live account without a verified legal entity is not paid out. */
export const notVerified = () =>
  new Forbidden({
    message: "Live accounts are paid out when a legal entity of theirs is verified. Create or complete one under /v1/legal_entities."
  })

/** The money is reserved from now on. Whether so much is available is a condition of the commit. */
export const create = (
  amount: number,
  currency: string,
  { at, automatic, fee_amount, id, instrument }: PayoutFacts
): Result.Result<PayoutDecision<ValidationError>, ValidationError> => {
  if (instrument.status !== "active") return Result.fail(notActive(instrument))
  if (instrument.currency !== currency) {
    return Result.fail(
      new ValidationError({
        code: "destination_id",
        message: `destination_id: the transfer instrument ${instrument.id} takes ${instrument.currency}, and this payout is in ${currency}.`
      })
    )
  }
  const submit_at = DateTime.add(at, { minutes: SUBMIT_MINUTES })
  const payout: Payout = {
    id,
    merchant_id: AccountId.make(instrument.account_id),
    amount,
    currency,
    status: "pending",
    destination_id: instrument.id,
    fee_amount,
    automatic,
    submit_at,
    failure_reason: null,
    completed_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  }
  return Result.succeed({
    ...decisionOf(payout, {
      entries: [posted("payout_initiated", payout, amount), ...fee("fee_charged", payout)],
      set: [{ ...timer(payout), due_at: submit_at }]
    }),
    counters: [departing(instrument)]
  })
}

const givenBack = (name: "payout_cancelled" | "payout_failed", payout: Payout): PayoutDecision =>
  decisionOf(payout, {
    entries: [posted(name, payout, payout.amount), ...fee("fee_refunded", payout)],
    clear: [timer(payout)],
    counters: [inFlight(payout.destination_id, -1)]
  })

/** The merchant wants it back, before it is submitted. */
export const cancel = (payout: Payout, at: DateTime.Utc): Result.Result<PayoutDecision, InvalidState> =>
  allows(payoutMachine, payout.status, "cancel")
    ? Result.succeed(givenBack("payout_cancelled", change(payout, at, { status: "cancelled" })))
    : Result.fail(refuse(payout, "cancel"))

/** What the bank says of a payout, in good time: the money arrived, did not, or came back. */
export type BankAnswer =
  | { readonly _tag: "Took" }
  | { readonly _tag: "Took and returns"; readonly at: DateTime.Utc }
  | { readonly _tag: "Refused"; readonly reason: string }

/** What is known when one is to be submitted. */
export interface SubmissionFacts {
  readonly at: DateTime.Utc
  /** Why the account may not be paid out any more; undefined where it may. */
  readonly stopped: string | undefined
  /** When the bank answers what is submitted now. */
  readonly answered_at: DateTime.Utc
}

/** Its hour is over; undefined where it is not pending any more. */
export const submit = (payout: Payout, { answered_at, at, stopped }: SubmissionFacts): PayoutDecision | undefined => {
  if (!allows(payoutMachine, payout.status, "submit")) return undefined
  return stopped === undefined
    ? decisionOf(change(payout, at, { status: "processing" }), { set: [{ ...timer(payout), due_at: answered_at }] })
    : givenBack("payout_cancelled", change(payout, at, { status: "cancelled", failure_reason: stopped }))
}

/** What the bank says of one that was submitted; undefined where that changes nothing. */
export const answer = (payout: Payout, said: BankAnswer, at: DateTime.Utc): PayoutDecision | undefined => {
  switch (payout.status) {
    case "processing": {
      if (said._tag === "Refused") return givenBack("payout_failed", change(payout, at, { status: "failed", failure_reason: said.reason }))
      const completedPayout = change(payout, at, { status: "completed", completed_at: at })
      return decisionOf(completedPayout, {
        entries: [posted("payout_completed", completedPayout, completedPayout.amount)],
        counters: [inFlight(completedPayout.destination_id, -1)],
        ...(said._tag === "Took" ? { clear: [timer(completedPayout)] } : { set: [{ ...timer(completedPayout), due_at: said.at }] })
      })
    }
    case "completed": {
      if (said._tag !== "Took and returns") return undefined
      const back = change(payout, at, { status: "failed", failure_reason: "returned" })
      return decisionOf(back, { entries: [posted("payout_returned", back, back.amount)], clear: [timer(back)] })
    }
    case "pending":
    case "failed":
    case "cancelled":
      return undefined
  }
}

/** When the account's schedule pays out next: the next midnight, or that of the next Monday, in UTC. */
export const nextTime = (schedule: "daily" | "weekly", at: DateTime.Utc): DateTime.Utc =>
  schedule === "daily"
    ? DateTime.add(DateTime.startOf(at, "day"), { days: 1 })
    : DateTime.add(DateTime.startOf(at, "week", { weekStartsOn: 1 }), { weeks: 1 })

export const scheduleOf = (currency: string): TimerKey => ({ kind: SCHEDULE, resource_id: currency })
