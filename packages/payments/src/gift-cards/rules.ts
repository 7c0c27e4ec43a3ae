/** Decides what happens to a gift card and its money. Pure. */
import { change } from "@svc/kernel/resource/change"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import type { Entry, Requirement } from "@svc/kernel/road/decision"
import { MAX_AMOUNT } from "@svc/kernel/values/money"
import { InsufficientBalance } from "@svc/ledger/balances/model"
import { atLeast } from "@svc/ledger/balances/rules"
import { post } from "@svc/ledger/financial-events/routes"
import { DateTime, Result } from "effect"
import { giftCardMachine, type GiftCardTrigger } from "./machine.ts"
import { GiftCard, LOCKED_MINUTES, MOST_TRIES } from "./model.ts"

/** The gift card after a step, and the further writes of its commit. */
export interface GiftCardDecision {
  readonly card: GiftCard
  readonly entries: ReadonlyArray<Entry>
  /** The conditions on the merchant's balance when the commit is written. */
  readonly requires: ReadonlyArray<Requirement<InsufficientBalance>>
}

const about = ({ currency, id }: GiftCard) => ({ currency, resource_type: "gift_card", resource_id: id })

const may = (card: GiftCard, trigger: GiftCardTrigger): Result.Result<void, InvalidState> => {
  if (allows(giftCardMachine, card.status, trigger)) return Result.void
  const allowed = triggersFrom(giftCardMachine, card.status)
  return Result.fail(
    new InvalidState({
      message: `Cannot ${trigger} a gift card that is ${card.status}: it has no money. Load it first.`,
      details: { state: card.status, allowed }
    })
  )
}

/** Issues a gift card without money. */
export const issue = (card: GiftCard): GiftCardDecision => ({
  card,
  entries: [post("gift_card_issued", { ...about(card), amount: 0 })],
  requires: []
})

/** Loads the card: money of the merchant is held for the card. */
export const load = (card: GiftCard, amount: number, at: DateTime.Utc): Result.Result<GiftCardDecision, InvalidState | ValidationError> =>
  Result.flatMap(may(card, "load"), () => {
    const balance = card.balance + amount
    return balance > MAX_AMOUNT
      ? Result.fail(
        new ValidationError({
          code: "amount",
          message: `amount: with it the card would have ${balance}, more than ${MAX_AMOUNT} minor units. Load less.`,
          details: { balance: card.balance }
        })
      )
      : Result.succeed({
        card: change(card, at, { balance, status: "active" }),
        entries: [post("gift_card_loaded", { ...about(card), amount, through_pending: 0 })],
        requires: [atLeast(card.currency, "available", 0)]
      })
  })

/** The card after `amount` of its money is spent with the right code. */
export const spent = (card: GiftCard, amount: number, at: DateTime.Utc): Result.Result<GiftCard, InvalidState | InsufficientBalance> =>
  Result.flatMap(may(card, "redeem"), () =>
    amount > card.balance
      ? Result.fail(
        new InsufficientBalance({
          code: "amount",
          message:
            `amount: the gift card has ${card.balance} minor units of ${card.currency}, less than ${amount}. Take at most that, or ` +
            "another way to pay.",
          details: { balance: card.balance }
        })
      )
      : Result.succeed(
        change(card, at, {
          balance: card.balance - amount,
          status: amount === card.balance ? "used" : "active",
          wrong_tries: 0,
          locked_until: null
        })
      ))

/** Gives the card's money, or a part of it, to the merchant. */
export const redeem = (
  card: GiftCard,
  amount: number | undefined,
  at: DateTime.Utc
): Result.Result<GiftCardDecision, InvalidState | InsufficientBalance> => {
  const requestedAmount = amount ?? card.balance
  return Result.map(
    spent(card, requestedAmount, at),
    (after) => ({ card: after, entries: [post("gift_card_redeemed", { ...about(card), amount: requestedAmount })], requires: [] })
  )
}

/** The card after `amount` of a payment by this card is refunded. */
export const refunded = (card: GiftCard, amount: number, at: DateTime.Utc): GiftCard =>
  change(card, at, { balance: card.balance + amount, status: "active" })

/** The seconds for which no code is accepted; 0 if the card is not locked. */
export const lockedFor = ({ locked_until }: GiftCard, at: DateTime.Utc): number =>
  locked_until === null ? 0 : Math.max(0, Math.ceil((locked_until.epochMilliseconds - at.epochMilliseconds) / 1000))

/** The card after a wrong code. A few wrong codes are typing mistakes; after more the card is locked. */
export const withFailedTry = (card: GiftCard, at: DateTime.Utc): GiftCard => {
  const wrong_tries = card.wrong_tries + 1
  return wrong_tries < MOST_TRIES
    ? change(card, at, { wrong_tries })
    : change(card, at, { wrong_tries: 0, locked_until: DateTime.add(at, { minutes: LOCKED_MINUTES }) })
}
