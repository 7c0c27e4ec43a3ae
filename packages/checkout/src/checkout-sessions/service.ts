/** The verbs of a checkout session: made and ended by requests, visited and paid on its page, completed by what becomes of its payment. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { drawSecret } from "@svc/accounts/api-keys/secret"
import type { PlanNotActive } from "@svc/billing/plans/errors"
import { Orders } from "@svc/billing/orders/service"
import { Plans } from "@svc/billing/plans/service"
import type { CreateFailure } from "@svc/billing/subscriptions/service/creating"
import { type InvalidState, type NotFound, notFound, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import { Keyring } from "@svc/kernel/encryption/keyring"
import { PublicUrl } from "@svc/kernel/http/public-url"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, internalCause, keyDone } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import { fromJsonText } from "@svc/kernel/json"
import { type Command, type KeyedFailure, keyedVerbs, modeOf, type Work } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { atVersion, untilCommitted } from "@svc/kernel/versions"
import type { PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { Ended, Moved, PaymentIntent } from "@svc/payments/payment-intents/model"
import type { ChargeFailure } from "@svc/payments/payment-intents/service"
import { Context, type DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { concealed, opens, revealed } from "../addresses.ts"
import type { NotPayable } from "./errors.ts"
import { ABANDONED, type CheckoutSession, type CheckoutSessionFilter, CheckoutSessionId, type CreateCheckoutSessionRequest, EXPIRES, ORIGIN, RESUME } from "./model.ts"
import { makeBuying, type Standing } from "./service/buying.ts"
import { CheckoutSessionRepository } from "./repository.ts"
import { additionOf, commitOf, wireOf } from "./road.ts"
import * as rules from "./rules.ts"
import type { Paying, SessionDecision } from "./rules.ts"

/** What is given back by a try whose payment is not known to have been made: it is taken up again. */
const passing: ReadonlySet<string> = new Set<ChargeFailure["_tag"]>(["IdempotencyInProgress", "VersionConflict", "PaymentInFlight"])

/** Words of `last_failure` that are no decline codes. */
export const UNUSABLE = "unusable"
export const UNAVAILABLE = "unavailable"

const nothing: Addition = {}

const decideOn = (session: CheckoutSession, standing: Standing, at: DateTime.Utc): SessionDecision | undefined => {
  switch (standing._tag) {
    case "Waits":
      return rules.noted(session, standing.bought, at)
    case "Done":
      return rules.complete(session, standing.bought, at)
    case "Failed":
      return rules.fail(session, standing.reason, standing.bought.payment_intent_id, at)
  }
}

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))
const isSessionId = Schema.is(CheckoutSessionId)

export class CheckoutSessions extends Context.Service<CheckoutSessions, {
  readonly create: (command: Command<AccountFacts, CreateCheckoutSessionRequest>) => Effect.Effect<Reply, KeyedFailure | ValidationError | PlanNotActive>
  readonly get: (account: string, id: string) => Effect.Effect<CheckoutSession, NotFound>
  readonly list: (account: string, filter: CheckoutSessionFilter, page: PageRequest) => Effect.Effect<Page<CheckoutSession>>
  readonly expire: (account: string, id: string, version?: number) => Effect.Effect<CheckoutSession, NotFound | InvalidState | PaymentInFlight | VersionConflict>
  /** The session with this address. What is no session and what has another secret are the same. */
  readonly at: (id: string, secret: string) => Effect.Effect<CheckoutSession, NotFound>
  /** The customer is there. */
  readonly visit: (session: CheckoutSession) => Effect.Effect<void>
  /**
   * Pays, once for each try that the page offers: however often it is sent, and from however many tabs. It gives the session as it is
   * then. What becomes of the payment, now or later, the session tells.
   */
  readonly pay: (session: CheckoutSession, paying: Paying) => Effect.Effect<CheckoutSession, NotPayable | NotFound>
  /** The session as it is now, after a look at the first payment of a subscription that is under way. */
  readonly look: (session: CheckoutSession) => Effect.Effect<CheckoutSession>
  /** For captures and ends of payments: what their commit writes besides. */
  readonly onCapture: (moved: Moved) => Effect.Effect<Addition>
  readonly onEnd: (ended: Ended) => Effect.Effect<Addition>
  /** For the timers. */
  readonly endOfTime: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
  readonly abandon: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
  readonly resume: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict | ChargeFailure | CreateFailure>
}>()("@svc/checkout/CheckoutSessions") {
  static readonly layer = Layer.effect(CheckoutSessions, Effect.gen(function*() {
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const keyring = yield* Keyring
    const buy = yield* makeBuying
    const orders = yield* Orders
    const plans = yield* Plans
    const publicUrl = yield* PublicUrl
    const repository = yield* CheckoutSessionRepository
    // Randomness belongs to the layer: no handler asks for it.
    const secret = Effect.provideContext(Effect.map(drawSecret(""), (drawn) => Redacted.value(drawn.secret)), yield* Effect.context<Effect.Services<ReturnType<typeof drawSecret>>>())

    const get = Effect.fn("CheckoutSessions.get")(function*(account: string, id: string) {
      return (isSessionId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound("checkout session"))
    })

    const verbs = keyedVerbs<AccountFacts, CheckoutSession, never>(idempotency, {
      name: "checkout session",
      get,
      recall: () => undefined,
      resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
      actsOutside: false
    })

    const planOf = ({ mode, plan_id }: CreateCheckoutSessionRequest, account: string) =>
      mode === "payment"
        ? Effect.succeed(undefined)
        : plan_id == null
        ? Effect.fail(new ValidationError({ code: "plan_id", message: "plan_id: is required in mode subscription" }))
        : plans.planFor(account, plan_id)

    const createOne = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, CreateCheckoutSessionRequest>) {
      const { account, at, keyed, payload } = work
      const plan = yield* planOf(payload, account.id)
      const id = CheckoutSessionId.make(yield* nextId("cs"))
      const drawn = yield* secret
      const url = `${publicUrl}/checkout/${id}/${drawn}`
      const decided = yield* Effect.fromResult(rules.create(payload, { id, account_id: account.id, url, secret: keyring.seal(drawn, id), plan, at }))
      const reply = { status: 201, body: concealed(wireOf(decided.session), url) }
      yield* committer.commit(commitOf(decided, keyed.key, keyDone(keyed, { type: "checkout_session", id }, reply, modeOf(work))))
      return reply
    })

    const make = verbs.making("CheckoutSessions.create", createOne)
    /** The answer with the whole address, which is not kept with the key. */
    const create = (command: Command<AccountFacts, CreateCheckoutSessionRequest>) => Effect.flatMap(make(command), (reply) =>
      Effect.map(Effect.orDie(get(command.account.id, readId(reply.body).id)), ({ url }) => ({ ...reply, body: revealed(reply.body, url) })))

    /** Decides on the session as it is, and writes it; gives it as it then is. */
    const change = <E>(account: string, id: string, cause: string, decide: (session: CheckoutSession, at: DateTime.Utc) => Effect.Effect<SessionDecision | undefined, E>) =>
      untilCommitted("checkout session", Effect.gen(function*(): Effect.fn.Return<CheckoutSession, E | NotFound | CommitRefused> {
        const session = yield* get(account, id)
        const decided = yield* decide(session, yield* now)
        if (decided === undefined) return session
        yield* committer.commit(commitOf(decided, internalCause(cause, `${id}:${session.version}`)))
        return decided.session
      }))

    const at = Effect.fn("CheckoutSessions.at")(function*(id: string, given: string) {
      const session = isSessionId(id) ? yield* repository.findAnyones(id) : undefined
      return session !== undefined && opens(session.url, given) ? session : yield* notFound("checkout session")
    })

    const visit = Effect.fn("CheckoutSessions.visit")(function*(session: CheckoutSession) {
      const at = yield* now
      const set = rules.visited(session, at)
      if (set === undefined) return
      const commit = { account_id: session.account_id, at, cause: internalCause("checkout_session.visit", session.id), writes: [], entries: [], events: [], set: [set], clear: [] }
      // No row is written, so no race can be lost.
      yield* Effect.orDie(committer.commit(commit))
    })

    const failTry = ({ account_id, id }: CheckoutSession, reason: string) =>
      change(account_id, id, "checkout_session.fail", (session, moment) => Effect.succeed(rules.fail(session, reason, null, moment)))

    /** Makes the payment that was announced, or finds it made. */
    const carryOut = Effect.fnUntraced(function*(session: CheckoutSession) {
      const { account_id, id, trying } = session
      if (trying === null) return session
      const made = yield* Effect.result(buy(session, trying))
      if (made._tag === "Failure") {
        if (passing.has(made.failure._tag)) return yield* Effect.fail(made.failure)
        return yield* failTry(session, made.failure._tag === "ValidationError" ? UNUSABLE : UNAVAILABLE)
      }
      const standing = made.success
      return yield* change(account_id, id, "checkout_session.note", (found, moment) => Effect.succeed(decideOn(found, standing, moment)))
    })

    const pay = Effect.fn("CheckoutSessions.pay")(function*(session: CheckoutSession, paying: Paying) {
      const begun = yield* change(session.account_id, session.id, "checkout_session.pay", (found, moment) => Effect.fromResult(rules.begin(found, paying, moment))).pipe(
        Effect.catchTag("VersionConflict", Effect.die)
      )
      // What stopped half way is taken up by its timer; the page shows that it is under way.
      return yield* carryOut(begun).pipe(Effect.catchIf((failure) => failure._tag !== "NotFound", () => Effect.succeed(begun)))
    })

    const followed = Effect.fnUntraced(function*({ merchant_id, origin }: PaymentIntent, decide: (session: CheckoutSession) => SessionDecision | undefined) {
      const session = origin?.type === ORIGIN ? yield* repository.find(merchant_id, origin.id) : undefined
      return session === undefined ? undefined : decide(session)
    })

    /** What was paid for at once is an order. */
    const withOrder = Effect.fnUntraced(function*(decided: SessionDecision, payment_intent_id: PaymentIntent["id"]) {
      const own = additionOf(decided)
      const { account_id, amount, currency, customer_id, id, line_items, metadata, mode, updated_at: at } = decided.session
      if (mode !== "payment") return own
      const { events = [], writes = [] } = yield* orders.paidOrder({ account_id, amount, at, checkout_session_id: id, currency, customer_id, line_items, metadata, payment_intent_id })
      return { ...own, writes: [...own.writes, ...writes], events: [...own.events, ...events] }
    })

    return CheckoutSessions.of({
      create,
      get,
      list: repository.list,
      expire: Effect.fn("CheckoutSessions.expire")((account: string, id: string, version?: number) =>
        change(account, id, "checkout_session.expire", (session, moment) =>
          Effect.flatMap(Effect.fromResult(atVersion("checkout session", session, version)), () => Effect.fromResult(rules.expire(session, moment))))),
      at,
      visit,
      pay: (session, paying) => idempotency.toTheEnd(pay(session, paying)),
      onCapture: Effect.fnUntraced(function*({ intent }) {
        const decided = yield* followed(intent, (session) => rules.complete(session, { payment_intent_id: intent.id, subscription_id: null }, intent.updated_at))
        return decided === undefined ? nothing : yield* withOrder(decided, intent.id)
      }),
      onEnd: Effect.fnUntraced(function*({ intent }) {
        const decided = yield* followed(intent, (session) => rules.fail(session, intent.decline_code ?? intent.failure_reason ?? intent.state, intent.id, intent.updated_at))
        return decided === undefined ? nothing : additionOf(decided)
      }),
      endOfTime: Effect.fn("CheckoutSessions.endOfTime")((account: string, id: string) =>
        Effect.asVoid(change(account, id, EXPIRES, (session, moment) => Effect.succeed(rules.endOfTime(session, moment))))),
      abandon: Effect.fn("CheckoutSessions.abandon")((account: string, id: string) =>
        Effect.asVoid(change(account, id, ABANDONED, (session, moment) => Effect.succeed(rules.abandon(session, moment))))),
      look: Effect.fn("CheckoutSessions.look")((session: CheckoutSession) =>
        session.mode === "payment" ? Effect.succeed(session) : Effect.catch(carryOut(session), () => Effect.succeed(session))),
      resume: Effect.fn("CheckoutSessions.resume")(function*(account: string, id: string) {
        const { trying } = yield* carryOut(yield* get(account, id))
        if (trying !== null) yield* change(account, id, RESUME, (session, moment) => Effect.succeed(rules.lookLater(session, moment)))
      })
    })
  }))
}
