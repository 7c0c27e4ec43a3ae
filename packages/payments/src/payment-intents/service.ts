/** The verbs of a payment intent. Each verb stands in a file of `service/`: it loads the payment, lets the rules decide, and commits. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import type { Reply } from "@svc/kernel/http/reply"
import type { NotFound, ValidationError } from "@svc/kernel/resource/errors"
import type { Command, CommandOn, KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { Context, Effect, Layer } from "effect"
import type { QuoteExpired } from "../quotes/errors.ts"
import type { AmountTooLarge, ProviderUnavailable } from "./errors.ts"
import type { PaymentIntent, PaymentIntentFilter, PaymentIntentSums } from "./model.ts"
import type { AuthorizeRequest, CaptureRequest, CreateAndAuthorizeRequest, CreateOnlyRequest, RefundRequest } from "./model/requests.ts"
import type { ExchangeRefused } from "./provider/exchange.ts"
import { RefundGuards } from "./provider/refund-guards.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { IntentRoad } from "./road.ts"
import type { IntentRefusal } from "./rules/refusals.ts"
import { makeAuthorizeVerbs } from "./service/authorize.ts"
import { makeCaptureRefundVoid } from "./service/capture-refund-void.ts"
import { type ChargeVerbs, makeChargeVerbs } from "./service/charge.ts"
import { makeCreateVerbs } from "./service/create.ts"
import { makeKeyedVerbs } from "./service/keyed.ts"
import { type LaterVerbs, makeLaterVerbs } from "./service/later.ts"
import { makeReviewVerbs, type ReviewCommand } from "./service/review.ts"

/** A verb that a request calls. With `version` the verb acts only on that version of the payment. */
type Verb<Payload, Refused> = (
  command: CommandOn<AccountFacts, Payload>
) => Effect.Effect<Reply, KeyedFailure | NotFound | IntentRefusal | ProviderUnavailable | Refused>

export class PaymentIntents extends Context.Service<
  PaymentIntents,
  ChargeVerbs & LaterVerbs & {
    readonly create: (
      command: Command<AccountFacts, CreateOnlyRequest>
    ) => Effect.Effect<Reply, KeyedFailure | QuoteExpired | ValidationError | AmountTooLarge | AccountSuspended>
    /**
     * Creates a payment and authorizes the payment under one key; with an inline rail, in one commit. A payment that a policy blocks,
     * or that a person has to approve, waits as after two requests.
     */
    readonly createAndAuthorize: (
      command: Command<AccountFacts, CreateAndAuthorizeRequest>
    ) => Effect.Effect<Reply, KeyedFailure | IntentRefusal | AmountTooLarge | AccountSuspended | ProviderUnavailable | ExchangeRefused>
    readonly authorize: Verb<AuthorizeRequest, AccountSuspended | ExchangeRefused>
    readonly approve: Verb<ReviewCommand, AccountSuspended | ExchangeRefused>
    readonly reject: Verb<ReviewCommand, never>
    readonly capture: Verb<CaptureRequest, AccountSuspended | ExchangeRefused>
    readonly void: Verb<unknown, never>
    readonly refund: Verb<RefundRequest, ValidationError>
    readonly get: (account: string, id: string) => Effect.Effect<PaymentIntent, NotFound>
    readonly list: (account: string, filter: PaymentIntentFilter, page: PageRequest) => Effect.Effect<Page<PaymentIntent>>
    readonly sums: (account: string, filter: PaymentIntentFilter) => Effect.Effect<PaymentIntentSums>
  }
>()("@svc/payments/PaymentIntents") {
  static readonly layer = Layer.effect(
    PaymentIntents,
    Effect.gen(function*() {
      const { get, list, sums } = yield* PaymentIntentRepository
      const keyed = yield* makeKeyedVerbs
      const { create } = yield* makeCreateVerbs
      const { authorize, createAndAuthorize } = yield* makeAuthorizeVerbs
      const { approve, reject } = yield* makeReviewVerbs
      const { capture, refund, void: voidPayment } = yield* makeCaptureRefundVoid

      return PaymentIntents.of({
        create: keyed.making("PaymentIntents.create", create),
        createAndAuthorize: keyed.makingAndActing("PaymentIntents.createAndAuthorize", createAndAuthorize, authorize),
        authorize: keyed.on("PaymentIntents.authorize", authorize),
        approve: keyed.on("PaymentIntents.approve", approve),
        reject: keyed.on("PaymentIntents.reject", reject),
        capture: keyed.on("PaymentIntents.capture", capture),
        void: keyed.on("PaymentIntents.void", voidPayment),
        refund: keyed.on("PaymentIntents.refund", refund),
        ...(yield* makeChargeVerbs),
        ...(yield* makeLaterVerbs),
        get,
        list: Effect.fn("PaymentIntents.list")(list),
        sums: Effect.fn("PaymentIntents.sums")(sums)
      })
    })
  ).pipe(Layer.provide(IntentRoad.layer), Layer.provideMerge(RefundGuards.layer))
}
