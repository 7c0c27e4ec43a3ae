/** Commits decisions about payment intents, and answers the requests that asked for them. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { counter } from "@svc/kernel/parts/metrics"
import { RequestId } from "@svc/kernel/parts/request-id"
import { keyDone, keyHeld } from "@svc/kernel/resource/idempotency"
import type { Keyed } from "@svc/kernel/resource/idempotency"
import { modeOf } from "@svc/kernel/resource/keyed-verbs"
import type { Work } from "@svc/kernel/resource/keyed-verbs"
import { Committer } from "@svc/kernel/road/committer"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Addition, Commit, KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { remembered } from "@svc/kernel/road/remembered"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { CardDeclined } from "./errors.ts"
import { paymentIntentEvents, paymentIntents } from "./model.ts"
import type { PaymentIntent } from "./model.ts"
import { createdAnd } from "./rules/create.ts"
import type { IntentDecision } from "./rules/decision.ts"

/** The work of a verb on an intent. */
export interface IntentWork<Payload = unknown> extends Work<AccountFacts, PaymentIntent, Payload> {
  /** The decision that creates the intent, until the first commit of the request writes it. */
  readonly creation?: IntentDecision | undefined
}

/** A request in progress, with or without an intent. */
type Asking = Pick<IntentWork, "keyed" | "announced" | "creation">

const counted = counter("svc_payments", "What became of payments, by outcome and rail")

/** Counts the events of a committed decision. */
const count = <R>({ events, intent: { selected_rail } }: IntentDecision<R>): void => {
  for (const { type } of events) counted({ outcome: type.slice(type.indexOf(".") + 1), rail: selected_rail ?? "none" })
}

const encodeDeclined = Schema.encodeSync(CardDeclined)

const declined = (intent: PaymentIntent, request_id: string | undefined): StoredReply => ({
  status: 402,
  body: JSON.stringify(encodeDeclined(
    new CardDeclined({
      message: intent.state === "blocked"
        ? "The provider's fraud rule stopped this payment. A reviewer may approve it; otherwise make a new payment intent."
        : `The payment was declined: ${
          intent.decline_code ?? "generic_decline"
        }. Ask for another payment method and make a new payment intent.`,
      decline_code: intent.decline_code ?? "generic_decline",
      ...(request_id === undefined ? {} : { request_id }),
      details: { payment_intent_id: intent.id, state: intent.state }
    })
  ))
})

/** The operation of a request that creates an intent, with or without an authorization. */
export const CREATE = "payment_intent.create"

/** The status of the reply to a successful request. */
export const statusOf = ({ operation }: Pick<Keyed, "operation">): 200 | 201 => operation === CREATE ? 201 : 200

/** The reply of the request: the intent, or 402 after a decline. */
export const replyOf = (intent: PaymentIntent, status: 200 | 201 = 200): Effect.Effect<StoredReply> =>
  Effect.map(RequestId, (request_id) =>
    intent.state === "failed" || (intent.state === "blocked" && intent.decline_code !== null)
      ? declined(intent, request_id)
      : { status, body: paymentIntents.encode(intent).wire })

/** The resource that an idempotency key is stored with. */
export const keyResource = ({ id }: PaymentIntent) => ({ type: "payment_intent", id })

/** States whose next verb usually follows at once. */
const expectant: ReadonlySet<PaymentIntent["state"]> = new Set<PaymentIntent["state"]>(["created", "authorized", "pending", "blocked"])

export class IntentRoad extends Context.Service<IntentRoad, {
  /** Commits the decision on a request with the reply: the intent, unless another reply is given. */
  readonly answer: <R = never>(
    work: Asking,
    decided: IntentDecision<R>,
    reply?: StoredReply
  ) => Effect.Effect<StoredReply, CommitRefused | R>
  /** Commits while the request continues, and reserves its key for this many seconds of real time. Gives the work on the new version. */
  readonly hold: <W extends IntentWork>(work: W, decided: IntentDecision, seconds: number) => Effect.Effect<W, CommitRefused>
  /** Commits. The ledger stores the `cause`: the request's key, or the timer. */
  readonly commit: (decided: IntentDecision, cause: string, key?: KeyWrite) => Effect.Effect<void, CommitRefused>
  /** The intent as this process last wrote it, if still in memory: see the kernel's `remembered.ts`. */
  readonly recall: (account: string, id: string) => PaymentIntent | undefined
}>()("@svc/payments/IntentRoad") {
  static readonly layer = Layer.effect(
    IntentRoad,
    Effect.gen(function*() {
      const committer = yield* Committer
      const memory = remembered<PaymentIntent>(({ state }) => expectant.has(state))
      const commit = <R = never>(decided: IntentDecision<R>, cause: string, key?: KeyWrite): Effect.Effect<void, CommitRefused | R> =>
        Effect.map(memory.written(decided.intent, committer.commit(commitOf(decided, cause, key))), () => count(decided))

      const answer = Effect.fnUntraced(
        function*<R = never>(
          work: Asking,
          decided: IntentDecision<R>,
          reply?: StoredReply
        ): Effect.fn.Return<StoredReply, CommitRefused | R> {
          const stored = reply ?? (yield* replyOf(decided.intent, statusOf(work.keyed)))
          yield* commit(whole(work, decided), work.keyed.key, keyDone(work.keyed, keyResource(decided.intent), stored, modeOf(work)))
          return stored
        }
      )

      return IntentRoad.of({
        answer,
        commit,
        hold: Effect.fnUntraced(function*(work, decided, seconds) {
          const until = DateTime.add(yield* realNow, { seconds })
          yield* commit(whole(work, decided), work.keyed.key, keyHeld(work.keyed, keyResource(decided.intent), until, modeOf(work)))
          return { ...work, resource: decided.intent, announced: true, creation: undefined }
        }),
        recall: (account, id) => {
          const intent = memory.recall(id)
          return intent?.merchant_id === account ? intent : undefined
        }
      })
    })
  )
}

/** The decision, with the creation of the intent if the request has not committed the creation yet. */
const whole = <R>({ creation }: Asking, decided: IntentDecision<R>): IntentDecision<R> =>
  creation === undefined ? decided : createdAnd(creation, decided)

/** Whether a schedule may cause the event: a subscription, or the timer that ends a waiting payment. */
const mayBeScheduled = ({ origin }: PaymentIntent, type: string): boolean => origin !== null || type === "cancelled" || type === "failed"

/** The routing hints for receivers of an event that a schedule causes. */
const hintsOf = ({ provider_reference, state }: PaymentIntent) => ({
  status: state,
  ...(provider_reference === null ? {} : { provider_reference })
})

/** The commit of a decision. */
const commitOf = <R>(
  { clear, counters, entries, events, intent, isNew, moments, records, set }: IntentDecision<R>,
  cause: string,
  key?: KeyWrite
): Commit<R> => ({
  account_id: intent.merchant_id,
  at: intent.updated_at,
  cause,
  writes: [isNew === undefined ? paymentIntents.write(intent) : { ...paymentIntents.write(intent), isNew }, ...records],
  entries,
  events: events.map(({ intent: asOf, type }) =>
    paymentIntentEvents.draft(type, asOf, paymentIntents.encode(asOf).wire, mayBeScheduled(intent, type) ? () => hintsOf(asOf) : undefined)
  ),
  set,
  clear,
  moments,
  counters,
  ...(key === undefined ? {} : { key })
})

/** The writes of a decision, for the commit of a package above. */
export const additionOf = (decided: IntentDecision): Addition => {
  const { clear, counters = [], entries, events, moments = [], set, writes } = commitOf(decided, "")
  return { clear, counters, entries, events, moments, set, writes }
}
