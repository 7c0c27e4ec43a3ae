/** The verbs of a payment intent: load, decide, commit. */
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { InvalidState, notFound, PaymentInFlight, ValidationError, VersionConflict } from "@svc/kernel/errors"
import type {
  AmountTooLarge,
  IdempotencyInProgress,
  IdempotencyKeyReused,
  NotFound,
  ProviderUnavailable
} from "@svc/kernel/errors"
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, once } from "@svc/kernel/idempotency"
import type { Begun, Keyed } from "@svc/kernel/idempotency"
import { makeId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { span } from "@svc/kernel/span"
import { now } from "@svc/kernel/time"
import { Context, Effect, Layer, Result } from "effect"
import { PaymentMethods } from "../payment-methods/service.ts"
import { Rails } from "../rails/rail.ts"
import { type AuthorizeCommand, authorizeOnRails } from "./authorization.ts"
import { callRail } from "./follow-ups.ts"
import type { FollowUp } from "./follow-ups.ts"
import { PaymentIntentId } from "./model.ts"
import type { AuthorizeRequest, CaptureRequest, CreatePaymentIntentRequest, PaymentIntent, PaymentIntentFilter, RefundRequest } from "./model.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { IntentRoad, keyWrite, replyOf } from "./road.ts"
import * as rules from "./rules.ts"
import { atVersion, stillOpen } from "./decision.ts"
import type { Facts, IntentDecision, Refusal } from "./decision.ts"
import { settleOpenCall } from "./settle.ts"
import { askProvider, endOfTime } from "./times.ts"

const isRefusal = (error: unknown): boolean =>
  error instanceof InvalidState || error instanceof PaymentInFlight || error instanceof ValidationError || error instanceof VersionConflict

type KeyedFailure = IdempotencyKeyReused | IdempotencyInProgress | VersionConflict
type ChangeFailure = KeyedFailure | Refusal | NotFound | ProviderUnavailable
type Change = Effect.Effect<Reply, ChangeFailure>
type Charge = Effect.Effect<Reply, ChangeFailure | AccountSuspended>

const chargesAllowed = (account: AccountFacts): Effect.Effect<void, AccountSuspended> =>
  account.status === "active" && !account.restrictions.includes("charges_disabled")
    ? Effect.void
    : Effect.fail(new AccountSuspended({
      message: `This account is ${account.status === "active" ? "restricted from charging" : account.status} and cannot take new charges. Reads and refunds still work; contact the operator.`,
      details: { status: account.status, restrictions: account.restrictions }
    }))

const modeOf = (begun: Begun) => begun._tag === "Resume" ? "finish" as const : "first" as const

/** What a verb does with the intent. Generator functions for it are made once, in the layer: docs/decisions/0014. */
type Act<E> = (intent: PaymentIntent, facts: Facts, begun: Begun) => Effect.Effect<StoredReply, E>

/** The verb on this version only. A resumed request is past the question: what it announced has made another version. */
const onVersion = <E>(version: number, verb: Act<E>): Act<E | VersionConflict> => (intent, facts, begun) =>
  begun._tag === "Resume"
    ? verb(intent, facts, begun)
    : Effect.flatMap(Effect.fromResult(atVersion(intent, version)), () => verb(intent, facts, begun))

export class PaymentIntents extends Context.Service<PaymentIntents, {
  readonly create: (account: AccountFacts, request: CreatePaymentIntentRequest, keyed: Keyed) => Effect.Effect<Reply, KeyedFailure | AmountTooLarge | AccountSuspended>
  /** The verbs on an intent: with `version` they act only if that is still the current one. */
  readonly authorize: (account: AccountFacts, id: string, request: AuthorizeRequest, keyed: Keyed, version?: number) => Charge
  readonly approve: (account: AccountFacts, id: string, keyed: Keyed, version?: number) => Charge
  readonly reject: (account: AccountFacts, id: string, keyed: Keyed, version?: number) => Change
  readonly capture: (account: AccountFacts, id: string, request: CaptureRequest, keyed: Keyed, version?: number) => Charge
  readonly void: (account: AccountFacts, id: string, keyed: Keyed, version?: number) => Change
  readonly refund: (account: AccountFacts, id: string, request: RefundRequest, keyed: Keyed, version?: number) => Change
  /** For the timers: asks the provider again, ends a hold or a wait. */
  readonly askProvider: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  readonly endOfTime: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  readonly get: (account: string, id: string) => Effect.Effect<PaymentIntent, NotFound>
  readonly list: (account: string, filter: PaymentIntentFilter, page: PageRequest) => Effect.Effect<Page<PaymentIntent>>
}>()("@svc/payments/PaymentIntents") {
  static readonly layer = Layer.effect(PaymentIntents, Effect.gen(function*() {
    const road = yield* IntentRoad
    const idempotency = yield* Idempotency
    const repository = yield* PaymentIntentRepository
    const methods = yield* PaymentMethods
    const rails = yield* Rails
    const services = { accounts: yield* Accounts, road, methods, rails, repository }

    /** A call that acts in the world is not dropped half way because a client hung up. Inline rails make no such call. */
    const carriedOut = <A, E>(request: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      rails.all.every(({ inline }) => inline) ? request : idempotency.toTheEnd(request)

    const get = Effect.fn("PaymentIntents.get")(function*(account: string, id: string) {
      const intent = yield* repository.find(account, id)
      return intent ?? (yield* notFound("payment intent"))
    })

    /** Commits a decision that needs no provider. */
    const decide = Effect.fnUntraced(function*(decision: IntentDecision, keyed: Keyed, begun: Begun, status: 200 | 201 = 200) {
      const reply = yield* replyOf(decision.intent, status)
      const mode = begun._tag === "Resume" ? "finish" : "first"
      yield* road.commit(decision, keyed.key, keyWrite(keyed, decision.intent, mode, { reply }))
      return reply
    })

    const act = Effect.fnUntraced(function*<E>(account: AccountFacts, id: string, keyed: Keyed, verb: Act<E>, begun: Begun) {
      const facts: Facts = { account, at: yield* now }
      const remembered = begun._tag === "First" ? road.recall(account.id, id) : undefined
      if (remembered !== undefined) {
        const result = yield* Effect.result(verb(remembered, facts, begun))
        if (Result.isSuccess(result)) return result.success
        // What was remembered may be old: nobody is refused for that.
        if (!isRefusal(result.failure)) return yield* Effect.fail(result.failure)
      }
      const intent = yield* get(account.id, id)
      const call = intent.open_call
      if (begun._tag !== "Resume" || call?.request?.key !== keyed.key) return yield* verb(intent, facts, begun)
      const settled = yield* settleOpenCall(services, intent, call, facts)
      switch (settled._tag) {
        case "Answered":
          return settled.reply
        case "Withdrawn":
          return yield* verb(settled.intent, facts, begun)
        case "StillOpen":
          return yield* stillOpen(intent, call)
      }
    })

    /**
     * A keyed verb on an intent. When the request stopped half way, what became of its call at the
     * provider is found out first; only a call that never happened is made again.
     */
    const onIntent = <E>(
      account: AccountFacts,
      id: string,
      keyed: Keyed,
      version: number | undefined,
      verb: Act<E>
    ): Effect.Effect<Reply, Exclude<E, CommitRefused> | NotFound | PaymentInFlight | KeyedFailure> =>
      carriedOut(once(idempotency, account.id, keyed, (begun) => act(account, id, keyed, version === undefined ? verb : onVersion(version, verb), begun)))

    const createFirst = Effect.fnUntraced(function*(account: AccountFacts, request: CreatePaymentIntentRequest, keyed: Keyed, begun: Begun) {
      const at = yield* now
      const id = PaymentIntentId.make(makeId("pi", at.epochMilliseconds))
      return yield* decide(yield* Effect.fromResult(rules.create(id, request, { account, at })), keyed, begun, 201)
    })

    const create = Effect.fnUntraced(function*(account: AccountFacts, request: CreatePaymentIntentRequest, keyed: Keyed) {
      yield* chargesAllowed(account)
      return yield* once(idempotency, account.id, keyed, (begun) => createFirst(account, request, keyed, begun))
    }, span("PaymentIntents.create"))

    const authorizeIntent = Effect.fnUntraced(function*(command: AuthorizeCommand, keyed: Keyed, intent: PaymentIntent, facts: Facts, begun: Begun) {
      yield* Effect.fromResult(rules.mayAuthorize(intent))
      if (!rules.needsApproval(intent, facts)) {
        return yield* authorizeOnRails(services, intent, facts, command, keyed, modeOf(begun))
      }
      yield* methods.tokenFor(facts.account, command.payment_method_id)
      return yield* decide(rules.awaitApproval(intent, command, facts), keyed, begun)
    })

    const authorize = Effect.fnUntraced(function*(account: AccountFacts, id: string, request: AuthorizeRequest, keyed: Keyed, version?: number) {
      yield* chargesAllowed(account)
      const command = { payment_method_id: request.payment_method_id, capture: request.capture ?? false }
      return yield* onIntent(account, id, keyed, version, (intent, facts, begun) => authorizeIntent(command, keyed, intent, facts, begun))
    }, span("PaymentIntents.authorize"))

    const approveIntent = Effect.fnUntraced(function*(keyed: Keyed, intent: PaymentIntent, facts: Facts, begun: Begun) {
      yield* Effect.fromResult(rules.mayApprove(intent))
      if (intent.state === "blocked") return yield* decide(rules.unblock(intent, facts.at), keyed, begun)
      const command = { payment_method_id: intent.payment_method_id ?? "", capture: intent.capture_on_authorize }
      return yield* authorizeOnRails(services, intent, facts, command, keyed, modeOf(begun))
    })

    const approve = Effect.fnUntraced(function*(account: AccountFacts, id: string, keyed: Keyed, version?: number) {
      yield* chargesAllowed(account)
      return yield* onIntent(account, id, keyed, version, (intent, facts, begun) => approveIntent(keyed, intent, facts, begun))
    }, span("PaymentIntents.approve"))

    const rejectIntent = (keyed: Keyed, intent: PaymentIntent, facts: Facts, begun: Begun) =>
      Effect.flatMap(Effect.fromResult(rules.mayReject(intent)), () => decide(rules.cancel(intent, facts.at, "rejected"), keyed, begun))

    const reject = (account: AccountFacts, id: string, keyed: Keyed, version?: number) =>
      onIntent(account, id, keyed, version, (intent, facts, begun) => rejectIntent(keyed, intent, facts, begun)).pipe(span("PaymentIntents.reject"))

    const follow = (operation: FollowUp, intent: PaymentIntent, facts: Facts, amount: number, keyed: Keyed, begun: Begun) =>
      callRail(services, intent, facts, operation, amount, keyed, modeOf(begun))

    const captureIntent = Effect.fnUntraced(function*(request: CaptureRequest, keyed: Keyed, intent: PaymentIntent, facts: Facts, begun: Begun) {
      const amount = yield* Effect.fromResult(rules.mayCapture(intent, request.amount))
      yield* chargesAllowed(facts.account)
      return yield* follow("capture", intent, facts, amount, keyed, begun)
    })

    const capture = (account: AccountFacts, id: string, request: CaptureRequest, keyed: Keyed, version?: number) =>
      onIntent(account, id, keyed, version, (intent, facts, begun) => captureIntent(request, keyed, intent, facts, begun)).pipe(span("PaymentIntents.capture"))

    const refundIntent = (request: RefundRequest, keyed: Keyed, intent: PaymentIntent, facts: Facts, begun: Begun) =>
      Effect.flatMap(Effect.fromResult(rules.mayRefund(intent, request.amount)), (amount) => follow("refund", intent, facts, amount, keyed, begun))

    const refund = (account: AccountFacts, id: string, request: RefundRequest, keyed: Keyed, version?: number) =>
      onIntent(account, id, keyed, version, (intent, facts, begun) => refundIntent(request, keyed, intent, facts, begun)).pipe(span("PaymentIntents.refund"))

    const voidIntent = Effect.fnUntraced(function*(keyed: Keyed, intent: PaymentIntent, facts: Facts, begun: Begun) {
      yield* Effect.fromResult(rules.mayVoid(intent))
      return intent.state === "authorized"
        ? yield* follow("void", intent, facts, intent.authorized_amount, keyed, begun)
        : yield* decide(rules.cancel(intent, facts.at, null), keyed, begun)
    })

    const void_ = (account: AccountFacts, id: string, keyed: Keyed, version?: number) =>
      onIntent(account, id, keyed, version, (intent, facts, begun) => voidIntent(keyed, intent, facts, begun)).pipe(span("PaymentIntents.void"))

    return PaymentIntents.of({
      create,
      authorize,
      approve,
      reject,
      capture,
      refund,
      void: void_,
      askProvider: Effect.fn("PaymentIntents.askProvider")((account: string, id: string) => askProvider(services, account, id)),
      endOfTime: Effect.fn("PaymentIntents.endOfTime")((account: string, id: string) => endOfTime(services, account, id)),
      get,
      list: Effect.fn("PaymentIntents.list")(repository.list)
    })
  })).pipe(Layer.provide(IntentRoad.layer))
}
