/** The verbs of a gift card: issued and loaded by its merchant, redeemed with the customer's code. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { sameHash } from "@svc/accounts/api-keys/secret"
import { RateLimited, ValidationError } from "@svc/kernel/resource/errors"
import { Idempotency, internalCause, keyDone } from "@svc/kernel/resource/idempotency"
import { keyedVerbs, modeOf, type Work } from "@svc/kernel/resource/keyed-verbs"
import { type Decision, verbsOf } from "@svc/kernel/resource/verbs"
import type { Addition } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { Context, Effect, Layer, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import type { IntentRefund } from "../payment-intents/model.ts"
import { PaymentIntentRepository } from "../payment-intents/repository.ts"
import { IntentRoad } from "../payment-intents/road.ts"
import { isPaidByGiftCard, mayPayByGiftCard, paidByGiftCard } from "../payment-intents/rules/gift-cards.ts"
import {
  type GiftCard,
  giftCardChanged,
  giftCardFilters,
  GiftCardId,
  giftCards,
  type IssueGiftCardRequest,
  type LoadGiftCardRequest,
  type RedeemGiftCardRequest
} from "./model.ts"
import { drawCode, hashOf } from "./provider/code.ts"
import * as rules from "./rules.ts"

type CardWork<P> = Work<AccountFacts, GiftCard, P>

const noAddition: Addition = {}

const writeOf = (card: GiftCard): Addition => ({ writes: [giftCards.write(card)] })

/** For payments by gift card: the further writes of their commit. */
export const onChange = ({ card }: { readonly card: GiftCard }): Effect.Effect<Addition> => Effect.sync(() => writeOf(card))

const wrongCode = () =>
  new ValidationError({
    code: "code",
    message: "code: this is not the code of the gift card. Type it again; after five wrong ones the card is not tried for 15 minutes."
  })

const locked = (retry_after: number) =>
  new RateLimited({ message: `Too many wrong codes for this gift card. Try again in ${retry_after} seconds.`, details: { retry_after } })

const noPayment = () =>
  new ValidationError({
    code: "payment_intent_id",
    message: "payment_intent_id: there is no such payment intent for this account. Make one with POST /v1/payment_intents."
  })

const decided = ({ card, ...effects }: rules.GiftCardDecision): Decision<GiftCard, InsufficientBalance> => ({ resource: card, ...effects })

export class GiftCards extends Context.Service<GiftCards>()("@svc/payments/GiftCards", {
  make: Effect.gen(function*() {
    const intents = yield* PaymentIntentRepository
    const random = yield* SecureRandom.SecureRandom
    const intentRoad = yield* IntentRoad
    const { act, answer, commit, find, get, list } = yield* verbsOf(giftCards, {
      name: "gift card",
      prefix: "gc",
      filters: giftCardFilters
    })
    const verbs = keyedVerbs<AccountFacts, GiftCard, never>(yield* Idempotency, { name: "gift card", get })

    const issue = Effect.fn("GiftCards.issue")(function*(account: string, { currency }: IssueGiftCardRequest) {
      const at = yield* now
      const { code, hash, last4 } = yield* Effect.provideService(drawCode, SecureRandom.SecureRandom, random)
      const { card, entries } = rules.issue(
        {
          id: GiftCardId.make(makeId("gc", at.epochMilliseconds)),
          merchant_id: AccountId.make(account),
          currency,
          balance: 0,
          status: "issued",
          last4,
          code_hash: hash,
          wrong_tries: 0,
          locked_until: null,
          created_at: at,
          updated_at: at,
          version: 1
        }
      )
      // No other commit writes a row with this new id.
      yield* Effect.orDie(commit(card, { entries }, internalCause("gift_card.issue", card.id)))
      return { ...card, code }
    })

    /** Fails with 400 for a wrong code, and with 429 `rate_limited` while too many wrong codes have locked the card. */
    const checkCode = Effect.fnUntraced(function*({ at, payload: { code }, resource }: CardWork<RedeemGiftCardRequest>) {
      const seconds = rules.lockedFor(resource, at)
      if (seconds > 0) return yield* locked(seconds)
      if (sameHash(hashOf(code), resource.code_hash)) return
      yield* commit(rules.withFailedTry(resource, at), {}, "gift_card.wrong_code")
      return yield* wrongCode()
    })

    /** Captures the payment and writes the card in one commit. */
    const pay = Effect.fnUntraced(function*(work: CardWork<RedeemGiftCardRequest>, payment_intent_id: string) {
      const { account, at, keyed, payload, resource } = work
      const intent = (yield* intents.find(account.id, payment_intent_id)) ?? (yield* noPayment())
      yield* Effect.fromResult(mayPayByGiftCard(intent, { currency: resource.currency, amount: payload.amount }, work))
      const card = yield* Effect.fromResult(rules.spent(resource, intent.amount, at))
      const payment = paidByGiftCard(intent, card.id, work)
      const reply = { status: 200, body: giftCards.encode(card).wire }
      const key = keyDone(keyed, { type: "gift_card", id: card.id }, reply, modeOf(work))
      yield* intentRoad.commit({ ...payment, moments: [...payment.moments, giftCardChanged.of({ card })] }, keyed.key, key)
      return reply
    })

    const redeem = Effect.fnUntraced(function*(work: CardWork<RedeemGiftCardRequest>) {
      const { at, payload: { amount, payment_intent_id }, resource } = work
      yield* checkCode(work)
      if (payment_intent_id !== undefined) return yield* pay(work, payment_intent_id)
      const decision = yield* Effect.fromResult(rules.redeem(resource, amount, at))
      return yield* answer(work, decision.card, decision)
    })

    return {
      /** Issues a card. The answer is the only place that has the code. */
      issue,
      load: act(
        "GiftCards.load",
        (card, { at, payload: { amount } }: CardWork<LoadGiftCardRequest>) =>
          Effect.fromResult(Result.map(rules.load(card, amount, at), decided))
      ),
      /** Takes money from the card, for a payment or for the merchant. */
      redeem: verbs.on("GiftCards.redeem", redeem),
      get,
      list,
      /** For refunds: the money of a payment by gift card goes back to the card. */
      onRefund: Effect.fnUntraced(function*({ amount, intent }: IntentRefund) {
        if (!isPaidByGiftCard(intent)) return noAddition
        const card = yield* find(intent.merchant_id, intent.payment_method_id ?? "")
        return card === undefined ? noAddition : writeOf(rules.refunded(card, amount, intent.updated_at))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(GiftCards, GiftCards.make)
}
