/** The verbs of a payment intent. Each stands in a file of `service/`: it loads the payment, lets the rules decide, and commits. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import type { Reply } from "@svc/kernel/http/reply"
import type { NotFound, ValidationError } from "@svc/kernel/resource/errors"
import type { Command, CommandOn, KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import { Context, Effect, Layer } from "effect"
import type { QuoteExpired } from "../quotes/errors.ts"
import type { AgentBudgetExceeded, AmountTooLarge, ProviderUnavailable } from "./errors.ts"
import type { PaymentIntent, PaymentIntentFilter, PaymentIntentSums } from "./model.ts"
import type { AuthorizeRequest, CaptureRequest, CreateAndAuthorizeRequest, CreateOnlyRequest, RefundRequest } from "./model/requests.ts"
import type { CancelledPayment, Charge, UnwantedPayment } from "./provider/charge.ts"
import type { ExchangeRefused } from "./provider/exchange.ts"
import { RefundGuards } from "./provider/refund-guards.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { IntentRoad } from "./road.ts"
import type { IntentRefusal } from "./rules/refusals.ts"
import { makeAuthorizeVerbs } from "./service/authorize.ts"
import { makeMoneyVerbs } from "./service/capture-refund-void.ts"
import { makeChargeVerbs } from "./service/charge.ts"
import { type AgentPaymentRequest, makeCreateVerbs } from "./service/create.ts"
import { makeGet, makeKeyedVerbs } from "./service/keyed.ts"
import { makeLaterVerbs } from "./service/later.ts"
import { makeReviewVerbs, type ReviewCommand } from "./service/review.ts"

/** A verb as a request asks for it. With `version` it acts only if that is still the current one. */
type Verb<Payload, Refused> = (
  command: CommandOn<AccountFacts, Payload>
) => Effect.Effect<Reply, KeyedFailure | NotFound | IntentRefusal | ProviderUnavailable | Refused>

/** Why nothing was charged, where the payment itself does not say it. */
export type ChargeFailure =
  | KeyedFailure
  | NotFound
  | IntentRefusal
  | ValidationError
  | AmountTooLarge
  | AccountSuspended
  | ProviderUnavailable

export class PaymentIntents extends Context.Service<PaymentIntents, {
  readonly create: (
    command: Command<AccountFacts, CreateOnlyRequest>
  ) => Effect.Effect<Reply, KeyedFailure | QuoteExpired | ValidationError | AmountTooLarge | AccountSuspended>
  /**
   * Creates a payment and authorizes it under one key; with an inline rail, in one commit. One that a policy blocks, or that a person has
   * to approve, waits as it does where two requests do this.
   */
  readonly createAndAuthorize: (
    command: Command<AccountFacts, CreateAndAuthorizeRequest>
  ) => Effect.Effect<Reply, KeyedFailure | IntentRefusal | AmountTooLarge | AccountSuspended | ProviderUnavailable | ExchangeRefused>
  /** Takes room in the budgets of the key and of those it was cut from, in the same commit. */
  readonly createForAgent: (
    command: Command<AccountFacts, AgentPaymentRequest>
  ) => Effect.Effect<Reply, KeyedFailure | ValidationError | AmountTooLarge | AccountSuspended | AgentBudgetExceeded>
  /**
   * Makes a payment on behalf of a part above, authorizes and captures it, and gives it up where nobody can help it on. It gives the
   * payment as it is then: captured, failed, cancelled or pending. What becomes of it is told by `captureMade` and `paymentEnded`, in the
   * commit in which it happens.
   */
  readonly charge: (charge: Charge) => Effect.Effect<PaymentIntent, ChargeFailure>
  /**
   * A payment on behalf of a part above is not wanted any more: voided where it waits, refunded where it was captured. One on which a rail
   * decides stays as it is.
   */
  readonly giveBack: (unwanted: UnwantedPayment) => Effect.Effect<void, ChargeFailure>
  /**
   * For a commit of the part above that made the payment: what the commit writes besides, so that a payment that waits for a person is
   * cancelled with it. The part is not told by `paymentEnded`. Undefined for a payment on which a rail decides, or that waits no more.
   */
  readonly cancellationOf: (payment: CancelledPayment) => Effect.Effect<Addition | undefined>
  readonly authorize: Verb<AuthorizeRequest, AccountSuspended | ExchangeRefused>
  readonly approve: Verb<ReviewCommand, AccountSuspended | ExchangeRefused>
  readonly reject: Verb<ReviewCommand, never>
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
  readonly sums: (account: string, filter: PaymentIntentFilter) => Effect.Effect<PaymentIntentSums>
}>()("@svc/payments/PaymentIntents") {
  static readonly layer = Layer.effect(
    PaymentIntents,
    Effect.gen(function*() {
      const repository = yield* PaymentIntentRepository
      const keyed = yield* makeKeyedVerbs
      const { create, createForAgent } = yield* makeCreateVerbs
      const { authorize, createAndAuthorize } = yield* makeAuthorizeVerbs
      const { approve, reject } = yield* makeReviewVerbs
      const { capture, refund, void: voidPayment } = yield* makeMoneyVerbs

      return PaymentIntents.of({
        create: keyed.making("PaymentIntents.create", create),
        createAndAuthorize: keyed.makingAndActing("PaymentIntents.createAndAuthorize", createAndAuthorize, authorize),
        createForAgent: keyed.making("PaymentIntents.createForAgent", createForAgent),
        authorize: keyed.on("PaymentIntents.authorize", authorize),
        approve: keyed.on("PaymentIntents.approve", approve),
        reject: keyed.on("PaymentIntents.reject", reject),
        capture: keyed.on("PaymentIntents.capture", capture),
        void: keyed.on("PaymentIntents.void", voidPayment),
        refund: keyed.on("PaymentIntents.refund", refund),
        ...(yield* makeChargeVerbs),
        ...(yield* makeLaterVerbs),
        get: yield* makeGet,
        list: Effect.fn("PaymentIntents.list")(repository.list),
        sums: Effect.fn("PaymentIntents.sums")(repository.sums)
      })
    })
  ).pipe(Layer.provide(IntentRoad.layer), Layer.provideMerge(RefundGuards.layer))
}
