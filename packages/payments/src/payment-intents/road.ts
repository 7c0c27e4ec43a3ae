/** From a decision about an intent to the commit that writes it, and to the answer of the request. */
import { CardDeclined } from "@svc/kernel/errors"
import { RequestId } from "@svc/kernel/http/request-id"
import type { Keyed } from "@svc/kernel/idempotency"
import { Committer } from "@svc/kernel/road/committer"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Commit, KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import type { DateTime } from "effect"
import { Context, Effect, Hash, Layer, Schema } from "effect"
import { paymentIntentEvents, paymentIntents } from "./model.ts"
import type { PaymentIntent } from "./model.ts"
import type { IntentDecision } from "./decision.ts"

const encodeDeclined = Schema.encodeSync(CardDeclined)

const declined = (intent: PaymentIntent, request_id: string | undefined): StoredReply => ({
  status: 402,
  body: JSON.stringify(encodeDeclined(
    new CardDeclined({
      message: intent.state === "blocked"
        ? "The provider's fraud rule stopped this payment. A reviewer may approve it; otherwise make a new payment intent."
        : `The payment was declined: ${intent.decline_code ?? "generic_decline"}. Ask for another payment method and make a new payment intent.`,
      decline_code: intent.decline_code ?? "generic_decline",
      ...(request_id === undefined ? {} : { request_id }),
      details: { payment_intent_id: intent.id, state: intent.state }
    })
  ))
})

/** What the request is answered with: the intent, or 402 when the money was refused. */
export const replyOf = (intent: PaymentIntent, status: 200 | 201 = 200): Effect.Effect<StoredReply> =>
  Effect.map(RequestId, (request_id) =>
    intent.state === "failed" || (intent.state === "blocked" && intent.decline_code !== null)
      ? declined(intent, request_id)
      : { status, body: intent.encoded.wire })

/** The key of a request, answered now or still waiting for the provider. */
export const keyWrite = (
  request: Keyed,
  intent: { readonly id: string },
  mode: KeyWrite["mode"],
  state: { readonly reply: StoredReply } | { readonly lease_until: DateTime.Utc }
): KeyWrite => ({ ...request, resource_type: "payment_intent", resource_id: intent.id, mode, ...state })

/** Places for intents that may still be changed, a power of two. */
const REMEMBERED = 1_024

/** States whose next verb usually follows at once. */
const expectant: ReadonlySet<PaymentIntent["state"]> = new Set<PaymentIntent["state"]>(["created", "authorized", "pending", "blocked"])

export class IntentRoad extends Context.Service<IntentRoad, {
  /** Commits a decision about an intent. `cause` names what brought it about in the ledger: the request's key, or the timer. */
  readonly commit: (decision: IntentDecision, cause: string, key?: KeyWrite) => Effect.Effect<void, CommitRefused>
  /**
   * The intent as this process last wrote it, if it remembers. Another process may have changed it
   * since: a decision on it is refused by its version, and a refusal on it is to be checked against the database.
   */
  readonly recall: (account: string, id: string) => PaymentIntent | undefined
}>()("@svc/payments/IntentRoad") {
  static readonly layer = Layer.effect(IntentRoad, Effect.gen(function*() {
    const committer = yield* Committer
    // A table of places and not a Map: each time a busy Map is laid out anew it leaves its old table behind, which holds what was in it
    // until a full collection. Two intents of one place forget each other, which costs a read.
    const remembered = Array.from<unknown, PaymentIntent | undefined>({ length: REMEMBERED }, () => undefined)
    const placeOf = (id: string): number => Hash.string(id) & (REMEMBERED - 1)
    const remember = (intent: PaymentIntent) => {
      remembered[placeOf(intent.id)] = expectant.has(intent.state) ? intent : undefined
    }
    const forget = ({ id }: PaymentIntent) => {
      if (remembered[placeOf(id)]?.id === id) remembered[placeOf(id)] = undefined
    }
    return {
      commit: (decision, cause, key) =>
        committer.commit(commitOf(decision, cause, key)).pipe(
          Effect.tap(() => Effect.sync(() => remember(decision.intent))),
          Effect.tapError(() => Effect.sync(() => forget(decision.intent)))
        ),
      recall: (account, id) => {
        const intent = remembered[placeOf(id)]
        return intent?.id === id && intent.merchant_id === account ? intent : undefined
      }
    }
  }))
}

/** `cause` names what brought the change about in the ledger: the request's key, or the timer. */
const commitOf = (decision: IntentDecision, cause: string, key?: KeyWrite): Commit => {
  const { intent } = decision
  return {
    account_id: intent.merchant_id,
    at: intent.updated_at,
    cause,
    writes: [{ table: paymentIntents, row: intent.encoded.row }],
    entries: decision.entries,
    events: decision.events.map(({ intent: asOf, type }) => paymentIntentEvents.draft(type, asOf, asOf.encoded.wire)),
    set: decision.set,
    clear: decision.clear,
    ...(key === undefined ? {} : { key })
  }
}
