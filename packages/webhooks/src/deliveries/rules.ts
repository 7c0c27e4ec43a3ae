/** What the answer to an attempt means. Pure. */
import type { EgressError, EgressResponse } from "@svc/kernel/egress/model"
import { Duration, Option, Result } from "effect"
import type { ScheduleName } from "../endpoints/model.ts"
import type { AttemptFailure, DeliveryStatus } from "./model.ts"
import { nextAttempt, remaining } from "./schedules.ts"

/** How an attempt ended, in the words of the attempt log. */
export interface AttemptVerdict {
  /** `retry`: the receiver may accept it later. `refuse`: it never will. */
  readonly next: "accept" | "retry" | "refuse"
  readonly outcome: string
  readonly response_status: number | null
  readonly error: string | null
  /** What the receiver asked for with `Retry-After`. */
  readonly retryAfter: Option.Option<Duration.Duration>
}

const failureOf: Readonly<Record<EgressError["reason"], readonly [AttemptFailure, AttemptVerdict["next"]]>> = {
  timeout: ["timeout", "retry"],
  connection: ["connection_failed", "retry"],
  tls: ["tls_failed", "retry"],
  response_too_large: ["response_too_large", "retry"],
  unresolvable: ["unresolvable_host", "refuse"],
  refused_address: ["refused_address", "refuse"],
  invalid_url: ["invalid_url", "refuse"]
}

const nextOf = (status: number): AttemptVerdict["next"] => {
  if (status >= 200 && status < 300) return "accept"
  return status >= 500 || status === 408 || status === 429 ? "retry" : "refuse"
}

/** RFC 9110: whole seconds, or a date. Nothing where it is neither or not in the future. */
export const parseRetryAfter = (header: string | undefined, nowMillis: number): Option.Option<Duration.Duration> => {
  if (header === undefined) return Option.none()
  const text = header.trim()
  const millis = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : /[A-Za-z]/.test(text) ? Date.parse(text) - nowMillis : Number.NaN
  return millis > 0 ? Option.some(Duration.millis(millis)) : Option.none()
}

const answered = (status: number, retryAfter: string | undefined, nowMillis: number): AttemptVerdict => {
  const next = nextOf(status)
  return {
    next,
    outcome: next === "accept" ? "delivered" : `http_${status}`,
    response_status: status,
    error: next === "accept" ? null : `The receiver answered ${status}`,
    retryAfter: next === "retry" ? parseRetryAfter(retryAfter, nowMillis) : Option.none()
  }
}

/** A fault of this service. The receiver never saw the delivery. */
export const internalError: AttemptVerdict = {
  next: "retry",
  outcome: "internal_error" satisfies AttemptFailure,
  response_status: null,
  error: "The attempt failed on our side",
  retryAfter: Option.none()
}

/** Judges what came back. A status decides, whatever became of the rest of the answer: broken, too long, or never ending. */
export const judge = (result: Result.Result<EgressResponse, EgressError>, nowMillis: number): AttemptVerdict => {
  if (Result.isSuccess(result)) return answered(result.success.status, result.success.headers["retry-after"], nowMillis)
  const { message, reason, status } = result.failure
  if (status !== undefined) return answered(status, undefined, nowMillis)
  const [outcome, next] = failureOf[reason]
  return { next, outcome, response_status: null, error: message, retryAfter: Option.none() }
}

/** A receiver that answers late gets this long, or the wait of the schedule when that is shorter, before the next attempt. */
const SHORTEST_REST = Duration.seconds(5)

/** The state of a delivery after an attempt. `wait` counts from the end of the attempt; a finished delivery has none. */
export interface NextDeliveryState {
  readonly status: Exclude<DeliveryStatus, "pending">
  readonly wait: Option.Option<Duration.Duration>
}

/**
 * What follows from the attempt with this number, counted from 1, which took `elapsed`. A schedule counts from the start of an
 * attempt, so that attempts which time out are spaced as others are. `Retry-After` lengthens the wait, but never beyond the time
 * that the schedule has left.
 */
export const standing = (verdict: AttemptVerdict, schedule: ScheduleName, attempts: number, elapsed = Duration.zero): NextDeliveryState => {
  if (verdict.next === "accept") return { status: "delivered", wait: Option.none() }
  const wait = verdict.next === "retry" ? nextAttempt(schedule, attempts) : Option.none()
  if (Option.isNone(wait)) return { status: "failed", wait }
  const requestedDelay = Option.match(verdict.retryAfter, {
    onNone: () => Duration.zero,
    onSome: (retryAfter) => Duration.min(retryAfter, remaining(schedule, attempts))
  })
  const rest = Duration.max(
    Duration.millis(Math.max(0, Duration.toMillis(wait.value) - Duration.toMillis(elapsed))),
    Duration.min(wait.value, SHORTEST_REST)
  )
  return { status: "retrying", wait: Option.some(Duration.max(rest, requestedDelay)) }
}
