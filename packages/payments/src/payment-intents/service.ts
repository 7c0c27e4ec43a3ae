/** The verbs of a payment intent: what is asked, what the rules say, what is written. */
import { suspension } from "@svc/accounts/access/permits"
import { AccountId, type AccountSuspended } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { InvalidState, notFound } from "@svc/kernel/errors"
import type { NotFound, ValidationError } from "@svc/kernel/errors"
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { MAX_AMOUNT } from "@svc/kernel/money"
import { Idempotency } from "@svc/kernel/idempotency"
import { makeId } from "@svc/kernel/ids"
import { keyedVerbs } from "@svc/kernel/keyed-verbs"
import type { Command, CommandOn, KeyedFailure, Resumed, Work } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, Effect, Layer, Result } from "effect"
import type { QuoteExpired } from "../quotes/errors.ts"
import { PaymentMethods } from "../payment-methods/service.ts"
import { Rails } from "../rails/rail.ts"
import type { AgentBudgetExceeded, AmountTooLarge, PaymentInFlight, ProviderUnavailable } from "./errors.ts"
import { PaymentIntentId, RefundId } from "./model.ts"
import type { AgentTerms, Agreed, AuthorizeCommand, AuthorizeRequest, CaptureRequest, CreateAndAuthorizeRequest, CreateOnlyRequest, PaymentIntent, PaymentIntentFilter, RefundRequest, ReviewRequest } from "./model.ts"
import { makeAuthorize } from "./provider/authorize.ts"
import { hopeless, keyedBy, readId } from "./provider/charge.ts"
import type { Charge, GivenUp, PaymentOnBehalf, Unwanted } from "./provider/charge.ts"
import { type ExchangeRefused, makeExchange } from "./provider/exchange.ts"
import { makeFollowUp } from "./provider/follow-up.ts"
import { makeLater } from "./provider/later.ts"
import { makeLookUp } from "./provider/look-up.ts"
import { RefundGuards } from "./provider/refund-guards.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { IntentRoad, replyOf } from "./road.ts"
import type { IntentWork } from "./road.ts"
import { forAgent } from "./rules/agents.ts"
import { mayCapture } from "./rules/capture.ts"
import { create } from "./rules/create.ts"
import { cancel, mayVoid } from "./rules/ending.ts"
import { isPaidByGiftCard } from "./rules/gift-cards.ts"
import { mayRefund, refundable, refund as refunded } from "./rules/refund.ts"
import { may, stillOpen } from "./rules/refusals.ts"
import type { Refusal } from "./rules/refusals.ts"
import type { OfApproval } from "./rules/review.ts"
import { awaitApproval, mayApprove, mayReject, needsApproval, stillAsked, unblock } from "./rules/review.ts"

/** A verb as a request asks for it. With `version` it acts only if that is still the current one. */
type Verb<Payload, Refused> = (command: CommandOn<AccountFacts, Payload>) => Effect.Effect<Reply, KeyedFailure | NotFound | Refusal | ProviderUnavailable | Refused>

const chargesAllowed = (account: AccountFacts): Effect.Effect<void, AccountSuspended> =>
  Effect.suspend(() => {
    const refusal = suspension("charge", account)
    return refusal === undefined ? Effect.void : Effect.fail(refusal)
  })

/** Whoever revokes a key wants nothing more paid with it. What a key asked for that has expired since may still be approved. */
const agentMayPay = Effect.fnUntraced(function*(agentKeys: AgentKeys["Service"], { agent, merchant_id, state }: PaymentIntent) {
  if (agent === null) return
  const { key } = yield* agentKeys.get(merchant_id, agent.key_id)
  if (key.status !== "revoked") return
  return yield* new InvalidState({
    message: "Cannot approve a payment of an agent key that was revoked. Reject it, or let it expire.",
    details: { state, allowed: ["reject"] }
  })
})

/** A payment that an agent makes: what is to be paid, and what its key's policy says of it. */
export interface AgentPaymentRequest {
  readonly payment: CreateOnlyRequest
  readonly terms: AgentTerms
}

/** A review, by way of an approval or of the payment itself. */
export interface Review extends ReviewRequest {
  readonly approval?: OfApproval
}

/** Why nothing was charged, where the payment itself does not say it. */
export type ChargeFailure = KeyedFailure | NotFound | Refusal | ValidationError | AmountTooLarge | AccountSuspended | ProviderUnavailable

export class PaymentIntents extends Context.Service<PaymentIntents, {
  readonly create: (command: Command<AccountFacts, CreateOnlyRequest>) => Effect.Effect<Reply, KeyedFailure | QuoteExpired | ValidationError | AmountTooLarge | AccountSuspended>
  /**
   * Creates a payment and authorizes it under one key; with an inline rail, in one commit. One that a policy blocks, or that a person has to
   * approve, waits as it does where two requests do this.
   */
  readonly createAndAuthorize: (command: Command<AccountFacts, CreateAndAuthorizeRequest>) =>
    Effect.Effect<Reply, KeyedFailure | Refusal | AmountTooLarge | AccountSuspended | ProviderUnavailable | ExchangeRefused>
  /** Takes room in the budgets of the key and of those it was cut from, in the same commit. */
  readonly createForAgent: (command: Command<AccountFacts, AgentPaymentRequest>) =>
    Effect.Effect<Reply, KeyedFailure | ValidationError | AmountTooLarge | AccountSuspended | AgentBudgetExceeded>
  /**
   * Makes a payment on behalf of a part above, authorizes and captures it, and gives it up where nobody can help it on. It gives the payment as it
   * is then: captured, failed, cancelled or pending. What becomes of it is told by `captureMade` and `paymentEnded`, in the commit in which it happens.
   */
  readonly charge: (charge: Charge) => Effect.Effect<PaymentIntent, ChargeFailure>
  /** A payment on behalf of a part above is not wanted any more: voided where it waits, refunded where it was captured. One on which a rail decides stays as it is. */
  readonly giveBack: (unwanted: Unwanted) => Effect.Effect<void, ChargeFailure>
  readonly authorize: Verb<AuthorizeRequest, AccountSuspended | ExchangeRefused>
  readonly approve: Verb<Review, AccountSuspended | ExchangeRefused>
  readonly reject: Verb<Review, never>
  readonly capture: Verb<CaptureRequest, AccountSuspended | ExchangeRefused>
  readonly void: Verb<unknown, never>
  readonly refund: Verb<RefundRequest, ValidationError>
  /** For the timers: asks the provider again, ends a hold or a wait. */
  readonly askProvider: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  readonly endOfTime: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  /** The payment that waits, at the built-in simulator, for the customer's step with this key. */
  readonly waitingForAction: (key: string) => Effect.Effect<PaymentIntent, NotFound>
  /** The customer passed that step, or gave up. */
  readonly completeAction: (key: string, passed: boolean) => Effect.Effect<PaymentIntent, NotFound>
  readonly get: (account: string, id: string) => Effect.Effect<PaymentIntent, NotFound>
  readonly list: (account: string, filter: PaymentIntentFilter, page: PageRequest) => Effect.Effect<Page<PaymentIntent>>
}>()("@svc/payments/PaymentIntents") {
  static readonly layer = Layer.effect(PaymentIntents, Effect.gen(function*() {
    const accounts = yield* Accounts
    const agentKeys = yield* AgentKeys
    const refundGuards = yield* RefundGuards
    const methods = yield* PaymentMethods
    const rails = yield* Rails
    const repository = yield* PaymentIntentRepository
    const road = yield* IntentRoad
    const authorizeOnRails = yield* makeAuthorize
    const followUp = yield* makeFollowUp
    const lookUp = yield* makeLookUp
    const later = yield* makeLater
    const exchange = yield* makeExchange

    const get = Effect.fn("PaymentIntents.get")(function*(account: string, id: string) {
      const intent = yield* repository.find(account, id)
      return intent ?? (yield* notFound("payment intent"))
    })

    /** A request that stopped half way: only a call that never happened is made again. */
    const resume = Effect.fnUntraced(function*(work: IntentWork): Effect.fn.Return<Resumed<PaymentIntent>, PaymentInFlight | CommitRefused> {
      const { keyed, resource } = work
      const call = resource.open_call
      if (call?.request?.key !== keyed.key) return { _tag: "GoesOn", resource }
      const found = yield* lookUp(resource, call, work)
      switch (found._tag) {
        case "Answered":
          return found
        case "NeverHappened":
          return { _tag: "GoesOn", resource: found.intent }
        case "StillOpen":
          return yield* stillOpen(resource, call)
      }
    })

    const verbs = keyedVerbs(yield* Idempotency, {
      name: "payment intent",
      get,
      recall: road.recall,
      resume,
      // Inline rails make no call that could be left half done.
      actsOutside: !rails.all.every(({ inline }) => inline)
    })

    const decideToCreate = Effect.fnUntraced(function*({ account, at, keyed }: Work<AccountFacts, undefined>, request: CreateOnlyRequest & Partial<Pick<PaymentOnBehalf, "origin">>) {
      yield* chargesAllowed(account)
      const id = PaymentIntentId.make(makeId("pi", at.epochMilliseconds))
      return yield* Effect.fromResult(create(id, { ...request, idempotency_key: keyed.key }, { account, at }))
    })

    const decideToCreateAsked = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, CreateOnlyRequest>) {
      const { account, at, payload: { amount, currency, destination_currency = null, quote_id = null } } = work
      // The rules refuse an amount that no payment may have.
      if (amount <= MAX_AMOUNT) yield* exchange.possible({ intent: { id: "", currency, destination_currency }, amount, account, at }, quote_id)
      return yield* decideToCreate(work, work.payload)
    })

    const createIntent = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, CreateOnlyRequest>) {
      const decided = yield* decideToCreateAsked(work)
      return yield* road.answer(work, decided, yield* replyOf(decided.intent, 201))
    })

    const createOnBehalf = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, PaymentOnBehalf>) {
      const decided = yield* decideToCreate(work, { ...work.payload.payment, origin: work.payload.origin })
      return yield* road.answer(work, decided, yield* replyOf(decided.intent, 201))
    })

    const createForAgent = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, AgentPaymentRequest>) {
      const decided = forAgent(yield* decideToCreate(work, work.payload.payment), work.payload.terms)
      return yield* road.answer(work, decided, yield* replyOf(decided.intent, 201))
    })

    /** At what the capture of this work is exchanged. */
    const agreedOn = ({ account, at, resource }: IntentWork, amount: number, quote_id: string | null) => exchange.agree({ intent: resource, amount, account, at }, quote_id)

    const authorizeWith = Effect.fnUntraced(function*(work: IntentWork, { capture, payment_method_id }: AuthorizeCommand, agreed: Agreed | undefined) {
      const method = yield* methods.tokenFor(work.account, payment_method_id)
      return yield* authorizeOnRails(work, { capture, payment_method_id, method, ...(agreed === undefined ? {} : { exchange: agreed }) })
    })

    const authorize = Effect.fnUntraced(function*(work: IntentWork<AuthorizeRequest>) {
      const { account, payload: { capture = false, payment_method_id }, resource } = work
      yield* chargesAllowed(account)
      yield* Effect.fromResult(may(resource, "authorize"))
      if (!needsApproval(resource, work)) {
        const agreed = capture ? yield* agreedOn(work, resource.amount, resource.quote_id) : undefined
        return yield* authorizeWith(work, { payment_method_id, capture }, agreed)
      }
      yield* methods.tokenFor(account, payment_method_id)
      return yield* road.answer(work, awaitApproval(resource, { payment_method_id, capture }, work))
    })

    const createAndAuthorize = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, CreateAndAuthorizeRequest>) {
      const creation = yield* decideToCreateAsked(work)
      return creation.intent.state === "created"
        ? yield* authorize({ ...work, resource: creation.intent, creation })
        : yield* road.answer(work, creation, yield* replyOf(creation.intent, 201))
    })

    const approve = Effect.fnUntraced(function*(work: IntentWork<Review>) {
      const { account, at, payload: { approval }, resource } = work
      yield* chargesAllowed(account)
      if (approval !== undefined) yield* Effect.fromResult(stillAsked("approve", approval, at))
      yield* Effect.fromResult(mayApprove(resource))
      yield* agentMayPay(agentKeys, resource)
      if (resource.state === "blocked") return yield* road.answer(work, unblock(resource, at))
      const command = { payment_method_id: resource.payment_method_id ?? "", capture: resource.capture_on_authorize }
      if (!command.capture) return yield* authorizeWith(work, command, undefined)
      // It waited for a person, and its quote did not.
      const agreed = yield* Effect.catchTag(agreedOn(work, resource.amount, resource.quote_id), "QuoteExpired", () => agreedOn(work, resource.amount, null))
      return yield* authorizeWith(work, command, agreed)
    })

    const reject = Effect.fnUntraced(function*(work: IntentWork<Review>) {
      const { at, payload: { approval } } = work
      if (approval !== undefined) yield* Effect.fromResult(stillAsked("reject", approval, at))
      yield* Effect.fromResult(mayReject(work.resource))
      return yield* road.answer(work, cancel(work.resource, work.at, "rejected"))
    })

    const capture = Effect.fnUntraced(function*(work: IntentWork<CaptureRequest>) {
      const amount = yield* Effect.fromResult(mayCapture(work.resource, work.payload.amount))
      yield* chargesAllowed(work.account)
      const { quote_id = work.resource.quote_id } = work.payload
      return yield* followUp(work, { operation: "capture", amount, exchange: yield* agreedOn(work, amount, quote_id) })
    })

    const refund = Effect.fnUntraced(function*(work: IntentWork<RefundRequest>) {
      const { resource, payload: { reverse_credit = false } } = work
      const amount = yield* Effect.fromResult(mayRefund(resource, work.payload.amount))
      yield* Effect.forEach(refundGuards.all(), (guard) => guard(resource, { amount, reverse_credit }), { discard: true })
      if (!isPaidByGiftCard(resource)) return yield* followUp(work, { operation: "refund", amount, reverse_credit })
      const id = RefundId.make(makeId("ref", work.at.epochMilliseconds))
      return yield* road.answer(work, refunded(resource, { id, amount, provider_reference: null, reverse_credit }, work))
    })

    const voidIntent = Effect.fnUntraced(function*(work: IntentWork) {
      yield* Effect.fromResult(mayVoid(work.resource))
      return work.resource.state === "authorized"
        ? yield* followUp(work, { operation: "void", amount: work.resource.authorized_amount })
        : yield* road.answer(work, cancel(work.resource, work.at, null))
    })

    const giveUp = Effect.fnUntraced(function*(work: IntentWork<GivenUp>) {
      yield* Effect.fromResult(mayVoid(work.resource))
      return yield* road.answer(work, cancel(work.resource, work.at, work.payload.reason))
    })

    const steps = {
      create: verbs.making("PaymentIntents.createOnBehalf", createOnBehalf),
      authorize: verbs.on("PaymentIntents.authorize", authorize),
      giveUp: verbs.on("PaymentIntents.giveUp", giveUp),
      void: verbs.on("PaymentIntents.void", voidIntent),
      refund: verbs.on("PaymentIntents.refund", refund)
    }

    const charge = Effect.fn("PaymentIntents.charge")(function*({ account, cause, customer_present, origin, payment, payment_method_id }: Charge) {
      // A method that is gone leaves no payment behind.
      yield* methods.tokenFor(account, payment_method_id)
      const made = yield* steps.create({ account, keyed: keyedBy("create", cause), payload: { payment, origin } })
      const { id } = readId(made.body)
      // One that a policy blocked when it was made, or that somebody voided meanwhile, is not authorized: how it stands is told below.
      yield* steps.authorize({ account, id, keyed: keyedBy("authorize", cause), payload: { payment_method_id, capture: true } }).pipe(
        Effect.catchTag("InvalidState", () => Effect.void),
        // It is settled in its own currency.
        Effect.catchTag(["QuoteExpired", "RatesUnavailable"], Effect.die)
      )
      const intent = yield* get(account.id, id)
      const payload = hopeless(intent, customer_present)
      if (payload === undefined) return intent
      yield* steps.giveUp({ account, id, keyed: keyedBy("give_up", cause), payload })
      return yield* get(account.id, id)
    })

    const giveBack = Effect.fn("PaymentIntents.giveBack")(function*({ account, cause, id }: Unwanted) {
      const intent = yield* get(account.id, id)
      if (intent.state === "captured" && refundable(intent) === 0) return
      if (intent.state === "captured") yield* steps.refund({ account, id, keyed: keyedBy("give_back", cause), payload: {} })
      else if (Result.isSuccess(mayVoid(intent))) yield* steps.void({ account, id, keyed: keyedBy("give_up", cause), payload: undefined })
    })

    const { timeOf } = yield* accountTime
    const factsOf = Effect.fnUntraced(function*(account: string) {
      return { account: yield* accounts.get(AccountId.make(account)), at: yield* timeOf(account) }
    })

    // Whoever was faster may have decided, such as another click or the end of its time; or it still waits, and only something beside it has changed.
    const completeAction = Effect.fn("PaymentIntents.completeAction")((key: string, passed: boolean) =>
      untilCommitted("payment", Effect.gen(function*(): Effect.fn.Return<PaymentIntent, NotFound | CommitRefused> {
        const waiting = yield* later.waiting(key)
        return yield* later.completeAction(waiting, passed, yield* factsOf(waiting.intent.merchant_id))
      })).pipe(Effect.catchTag("VersionConflict", Effect.die))
    )

    return PaymentIntents.of({
      create: verbs.making("PaymentIntents.create", createIntent),
      createAndAuthorize: verbs.makingAndActing("PaymentIntents.createAndAuthorize", createAndAuthorize, authorize),
      charge,
      giveBack,
      createForAgent: verbs.making("PaymentIntents.createForAgent", createForAgent),
      authorize: steps.authorize,
      approve: verbs.on("PaymentIntents.approve", approve),
      reject: verbs.on("PaymentIntents.reject", reject),
      capture: verbs.on("PaymentIntents.capture", capture),
      void: steps.void,
      refund: steps.refund,
      askProvider: Effect.fn("PaymentIntents.askProvider")((account: string, id: string) =>
        Effect.flatMap(factsOf(account), (facts) => later.askProvider(facts, id))),
      endOfTime: Effect.fn("PaymentIntents.endOfTime")((account: string, id: string) =>
        Effect.flatMap(factsOf(account), (facts) => later.endOfTime(facts, id))),
      waitingForAction: Effect.fn("PaymentIntents.waitingForAction")((key: string) => Effect.map(later.waiting(key), ({ intent }) => intent)),
      completeAction,
      get,
      list: Effect.fn("PaymentIntents.list")(repository.list)
    })
  })).pipe(Layer.provide(IntentRoad.layer), Layer.provideMerge(RefundGuards.layer))
}
