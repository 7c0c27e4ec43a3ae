/** The verbs of a checkout session: made and ended by requests, visited and paid on its page, completed by the outcome of its payment. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { PlanNotActive } from "@svc/billing/plans/errors"
import type { CreateFailure } from "@svc/billing/subscriptions/service/creating"
import type { Reply } from "@svc/kernel/http/reply"
import type { InvalidState, NotFound, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import type { Command, KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import type { Addition } from "@svc/kernel/road/decision"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { ChangedIntent, EndedIntent } from "@svc/payments/payment-intents/model"
import type { ChargeFailure } from "@svc/payments/payment-intents/service/charge"
import { Context, Effect, Layer } from "effect"
import type { NotPayable } from "../errors.ts"
import type { CheckoutSession, CheckoutSessionFilter, CreateCheckoutSessionRequest } from "../model.ts"
import { CheckoutSessionRepository } from "../repository.ts"
import type { PayRequest } from "../rules/paying.ts"
import { makeCreating } from "./creating.ts"
import { makeEnding } from "./ending.ts"
import { makeFollowing } from "./following.ts"
import { makePaying } from "./paying.ts"

export class CheckoutSessions extends Context.Service<CheckoutSessions, {
  readonly create: (
    command: Command<AccountFacts, CreateCheckoutSessionRequest>
  ) => Effect.Effect<Reply, KeyedFailure | ValidationError | PlanNotActive>
  readonly get: (account: string, id: string) => Effect.Effect<CheckoutSession, NotFound>
  readonly list: (account: string, filter: CheckoutSessionFilter, page: PageRequest) => Effect.Effect<Page<CheckoutSession>>
  readonly expire: (
    account: string,
    id: string,
    version?: number
  ) => Effect.Effect<CheckoutSession, NotFound | InvalidState | PaymentInFlight | VersionConflict>
  /** The session with this address. What is no session and what has another secret are the same. */
  readonly at: (id: string, secret: string) => Effect.Effect<CheckoutSession, NotFound>
  /** Notes that the customer looks at the page. */
  readonly visit: (session: CheckoutSession) => Effect.Effect<void>
  /**
   * Pays once for each try that the page offers, however often and from however many tabs the form is sent. Gives the session as it is
   * then: the session tells the outcome of the payment, now or later.
   */
  readonly pay: (session: CheckoutSession, request: PayRequest) => Effect.Effect<CheckoutSession, NotPayable | NotFound>
  /** The session as it is now, after a look at a subscription's first payment that is under way. */
  readonly look: (session: CheckoutSession) => Effect.Effect<CheckoutSession>
  /** For captures and ends of payments: what their commit writes for the session. */
  readonly onCapture: (moved: ChangedIntent) => Effect.Effect<Addition>
  readonly onEnd: (ended: EndedIntent) => Effect.Effect<Addition>
  /** For the timers. */
  readonly expireInTime: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
  readonly abandon: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
  readonly resume: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict | ChargeFailure | CreateFailure>
}>()("@svc/checkout/CheckoutSessions") {
  static readonly layer = Layer.effect(
    CheckoutSessions,
    Effect.gen(function*() {
      const { get, list } = yield* CheckoutSessionRepository
      return CheckoutSessions.of({
        get,
        list,
        create: yield* makeCreating,
        ...(yield* makePaying),
        ...(yield* makeFollowing),
        ...(yield* makeEnding)
      })
    })
  )
}
