/** The verbs of a gift card: issued and loaded by its merchant, redeemed with the customer's code. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { sameHash } from "@svc/accounts/api-keys/secret"
import { type InvalidState, type NotFound, notFound, RateLimited, ValidationError } from "@svc/kernel/errors"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, internalCause, keyDone } from "@svc/kernel/idempotency"
import { makeId } from "@svc/kernel/ids"
import { type CommandOn, type KeyedFailure, keyedVerbs, modeOf, type Work } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition, Commit, StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import type { PaymentInFlight } from "../payment-intents/errors.ts"
import type { Returned } from "../payment-intents/model.ts"
import { PaymentIntentRepository } from "../payment-intents/repository.ts"
import { IntentRoad } from "../payment-intents/road.ts"
import { isPaidByGiftCard, mayPayByGiftCard, paidByGiftCard } from "../payment-intents/rules/gift-cards.ts"
import {
  encode,
  GiftCard,
  giftCardChanged,
  type GiftCardFilter,
  GiftCardId,
  giftCards,
  type IssueGiftCardRequest,
  type LoadGiftCardRequest,
  type RedeemGiftCardRequest
} from "./model.ts"
import { drawCode, hashOf } from "./provider/code.ts"
import { GiftCardRepository } from "./repository.ts"
import * as rules from "./rules.ts"
import type { GiftCardDecision } from "./rules.ts"

type CardWork<P> = Work<AccountFacts, GiftCard, P>

type Answer<E> = Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState | ValidationError | InsufficientBalance | E>

const nothing: Addition = {}

const writeOf = (card: GiftCard): Addition => ({ writes: [{ table: giftCards, row: encode(card).row }] })

/** For payments by gift card: what their commit writes besides. */
export const onChange = ({ card }: { readonly card: GiftCard }): Effect.Effect<Addition> => Effect.sync(() => writeOf(card))

const wrongCode = () => new ValidationError({ code: "code", message: "code: this is not the code of the gift card. Type it again; after five wrong ones the card is not tried for 15 minutes." })

const locked = (retry_after: number) => new RateLimited({ message: `Too many wrong codes for this gift card. Try again in ${retry_after} seconds.`, details: { retry_after } })

const noPayment = () => new ValidationError({ code: "payment_intent_id", message: "payment_intent_id: there is no such payment intent for this account. Make one with POST /v1/payment_intents." })

export class GiftCards extends Context.Service<GiftCards, {
  /** The card, and its code, which is nowhere else. */
  readonly issue: (account: string, request: IssueGiftCardRequest) => Effect.Effect<GiftCard & { readonly code: string }>
  readonly load: (command: CommandOn<AccountFacts, LoadGiftCardRequest>) => Answer<never>
  /** Takes money from the card: for a payment, or for the merchant to have. */
  readonly redeem: (command: CommandOn<AccountFacts, RedeemGiftCardRequest>) => Answer<RateLimited | PaymentInFlight>
  readonly get: (account: string, id: string) => Effect.Effect<GiftCard, NotFound>
  readonly list: (account: string, filter: GiftCardFilter, page: PageRequest) => Effect.Effect<Page<GiftCard>>
  /** For refunds: what was paid by a card goes back to it. */
  readonly onRefund: (returned: Returned) => Effect.Effect<Addition>
}>()("@svc/payments/GiftCards") {
  static readonly layer = Layer.effect(GiftCards, Effect.gen(function*() {
    const committer = yield* Committer
    const intents = yield* PaymentIntentRepository
    const random = yield* SecureRandom.SecureRandom
    const repository = yield* GiftCardRepository
    const road = yield* IntentRoad

    const get = Effect.fn("GiftCards.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("gift card"))
    })

    const verbs = keyedVerbs<AccountFacts, GiftCard, never>(yield* Idempotency, {
      name: "gift card",
      get,
      recall: () => undefined,
      resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
      actsOutside: false
    })

    const base = (card: GiftCard, cause: string) =>
      ({ account_id: card.merchant_id, at: card.updated_at, cause, writes: [{ table: giftCards, row: encode(card).row }], entries: [], events: [], set: [], clear: [] }) satisfies Commit

    const kept = (work: Work<AccountFacts, unknown>, card: GiftCard, reply: StoredReply) => keyDone(work.keyed, { type: "gift_card", id: card.id }, reply, modeOf(work))

    const answer = Effect.fnUntraced(function*(work: Work<AccountFacts, unknown>, { card, entries, requires }: GiftCardDecision) {
      const reply = { status: 200, body: encode(card).wire }
      yield* committer.commit({ ...base(card, work.keyed.key), entries, requires, key: kept(work, card, reply) })
      return reply
    })

    const issue = Effect.fn("GiftCards.issue")(function*(account: string, { currency }: IssueGiftCardRequest) {
      const at = yield* now
      const { code, hash, last4 } = yield* Effect.provideService(drawCode, SecureRandom.SecureRandom, random)
      const { card, entries } = rules.issue(
        new GiftCard({
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
        })
      )
      // There is nothing that a fresh row could collide with.
      yield* Effect.orDie(committer.commit({ ...base(card, internalCause("gift_card.issue", card.id)), entries }))
      return { ...card, code }
    })

    const load = Effect.fnUntraced(function*(work: CardWork<LoadGiftCardRequest>) {
      return yield* answer(work, yield* Effect.fromResult(rules.load(work.resource, work.payload.amount, work.at)))
    })

    /** Only with the right code, and not while too many wrong ones were tried. */
    const checkCode = Effect.fnUntraced(function*({ at, payload: { code }, resource }: CardWork<RedeemGiftCardRequest>) {
      const seconds = rules.lockedFor(resource, at)
      if (seconds > 0) return yield* locked(seconds)
      if (sameHash(hashOf(code), resource.code_hash)) return
      yield* committer.commit(base(rules.triedWrongly(resource, at), "gift_card.wrong_code"))
      return yield* wrongCode()
    })

    /** The payment is captured, and the card written, in one commit. */
    const pay = Effect.fnUntraced(function*(work: CardWork<RedeemGiftCardRequest>, payment_intent_id: string) {
      const { account, at, keyed, payload, resource } = work
      const intent = (yield* intents.find(account.id, payment_intent_id)) ?? (yield* noPayment())
      yield* Effect.fromResult(mayPayByGiftCard(intent, { currency: resource.currency, amount: payload.amount }, work))
      const card = yield* Effect.fromResult(rules.spent(resource, intent.amount, at))
      const decided = paidByGiftCard(intent, card.id, work)
      const reply = { status: 200, body: encode(card).wire }
      yield* road.commit({ ...decided, moments: [...decided.moments, giftCardChanged.of({ card })] }, keyed.key, kept(work, card, reply))
      return reply
    })

    const redeem = Effect.fnUntraced(function*(work: CardWork<RedeemGiftCardRequest>) {
      const { at, payload: { amount, payment_intent_id }, resource } = work
      yield* checkCode(work)
      if (payment_intent_id !== undefined) return yield* pay(work, payment_intent_id)
      return yield* answer(work, yield* Effect.fromResult(rules.redeem(resource, amount, at)))
    })

    return GiftCards.of({
      issue,
      load: verbs.on("GiftCards.load", load),
      redeem: verbs.on("GiftCards.redeem", redeem),
      get,
      list: Effect.fn("GiftCards.list")(repository.list),
      onRefund: Effect.fnUntraced(function*({ amount, intent }) {
        if (!isPaidByGiftCard(intent)) return nothing
        const card = yield* repository.find(intent.merchant_id, intent.payment_method_id ?? "")
        return card === undefined ? nothing : writeOf(rules.refunded(card, amount, intent.updated_at))
      })
    })
  }))
}
