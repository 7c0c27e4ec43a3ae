/** An attempt: signs the event, sends it, and records the outcome of the delivery. */
import { Egress } from "@svc/kernel/egress/service"
import { failPointsAround } from "@svc/kernel/parts/fail-points"
import { counter, duration } from "@svc/kernel/parts/metrics"
import { signatureHeader } from "@svc/kernel/signatures/webhook-signature"
import { nextId } from "@svc/kernel/values/ids"
import { beginningOf } from "@svc/kernel/values/text"
import { iso, now, realNow, standingAt } from "@svc/kernel/values/time"
import { Cause, Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { eventJson } from "../events/model.ts"
import type { ClaimedDelivery, Completion } from "./queue.ts"
import { type AttemptVerdict, internalError, judge, standing } from "./rules.ts"

/** The receiver must have answered by then, name resolution and connection included. */
export const TIMEOUT = Duration.seconds(10)
/** Nothing in the answer is used but its status; this much of it is read to keep the connection. */
const MAX_RESPONSE_BYTES = 64 * 1024
const MAX_ERROR_CHARS = 500

const posting = failPointsAround("webhook_post")

const attempted = counter("svc_webhook_attempts", "Webhook attempts by what they led to: accept, retry or refuse")
const took = duration("svc_webhook_attempt_duration_seconds", "How long the receivers of webhooks took")

type Endpoint = NonNullable<ClaimedDelivery["endpoint"]>

/** The secrets that sign now, the current one first. */
export const signingSecrets = ({ previous_secrets, secret }: Endpoint, nowMillis: number): ReadonlyArray<string> => [
  secret,
  ...previous_secrets.filter(({ expires_at }) => Date.parse(expires_at) > nowMillis).map((previous) => previous.secret)
]

/**
 * The headers of an attempt that starts now, by the world's time: the receiver compares it with its clock. `present` is the account's,
 * by which secrets end. `body` is exactly what will be sent.
 */
export const headersOf = (
  delivery: ClaimedDelivery,
  endpoint: Endpoint,
  body: string,
  nowMillis: number,
  present = nowMillis
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(nowMillis / 1000)
  return {
    "Content-Type": "application/json",
    "User-Agent": "svc-webhooks/1",
    "Webhook-ID": delivery.id,
    "Webhook-Event-ID": delivery.event.id,
    "Webhook-Timestamp": String(timestamp),
    "Webhook-Signature": signatureHeader({ secrets: signingSecrets(endpoint, present), timestamp, body })
  }
}

/** Text that every JSON column takes: one line without control characters or broken surrogates. */
const storable = (text: string): string => beginningOf(text, MAX_ERROR_CHARS).replace(/\p{Cc}/gu, " ")

const isoOf = (millis: number): string => iso(DateTime.makeUnsafe(millis))

const removed = (delivery: ClaimedDelivery, nowMillis: number): Completion => {
  const at = isoOf(nowMillis)
  const { account_id, id, token } = delivery
  return { account_id, id, token, status: "failed", due_at: at, outcome: "endpoint_removed", at, attempt: null }
}

export class Attempts extends Context.Service<Attempts, {
  /** Never fails: whatever goes wrong is the outcome of the attempt. */
  readonly attempt: (delivery: ClaimedDelivery) => Effect.Effect<Completion>
}>()("@svc/webhooks/Attempts") {
  static readonly layer = Layer.effect(
    Attempts,
    Effect.gen(function*() {
      const egress = yield* Egress

      const send = Effect.fnUntraced(
        function*(delivery: ClaimedDelivery, endpoint: Endpoint, present: number): Effect.fn.Return<AttemptVerdict> {
          const body = eventJson(delivery.event)
          posting.before()
          const result = yield* Effect.result(egress.post({
            url: endpoint.url,
            headers: headersOf(delivery, endpoint, body, (yield* realNow).epochMilliseconds, present),
            body,
            timeout: TIMEOUT,
            maxResponseBytes: MAX_RESPONSE_BYTES,
            // The receiver tells repetitions apart by Webhook-ID.
            repeatable: true
          }))
          posting.after()
          return judge(result, (yield* realNow).epochMilliseconds)
        },
        (effect, delivery) =>
          // A fault of ours must neither stop the worker nor bring the same delivery back for ever.
          Effect.catchCauseIf(
            effect,
            (cause) => !Cause.hasInterruptsOnly(cause),
            (cause) => Effect.as(Effect.logError(`webhook delivery ${delivery.id} could not be attempted`, cause), internalError)
          )
      )

      /** A clock that the account has of its own stands still meanwhile; how long it took is told by the world's. */
      const attempt = Effect.fnUntraced(function*(delivery: ClaimedDelivery): Effect.fn.Return<Completion> {
        const started = (yield* now).epochMilliseconds
        if (delivery.endpoint === null) return removed(delivery, started)
        const began = (yield* realNow).epochMilliseconds
        const verdict = yield* send(delivery, delivery.endpoint, started)
        const duration_ms = (yield* realNow).epochMilliseconds - began
        const ended = (yield* now).epochMilliseconds
        const { status, wait } = standing(verdict, delivery.endpoint.schedule, delivery.attempts + 1, Duration.millis(ended - started))
        attempted({ led_to: verdict.next })
        took({}, duration_ms / 1000)
        return {
          account_id: delivery.account_id,
          id: delivery.id,
          token: delivery.token,
          status,
          due_at: isoOf(ended + Option.match(wait, { onNone: () => 0, onSome: Duration.toMillis })),
          outcome: verdict.outcome,
          at: isoOf(ended),
          attempt: {
            id: yield* nextId("wha"),
            started_at: isoOf(started),
            duration_ms,
            response_status: verdict.response_status,
            error: verdict.error === null ? null : storable(verdict.error)
          }
        }
      })

      return Attempts.of({
        attempt: (delivery) => standingAt(delivery.present === null ? undefined : Date.parse(delivery.present))(attempt(delivery))
      })
    })
  )
}
