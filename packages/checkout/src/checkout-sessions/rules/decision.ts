/** What a verb of a checkout session comes to, and its timers. */
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { DateTime, Duration } from "effect"
import { ABANDONED, type CheckoutSession, type CheckoutSessionEvent, EXPIRES, RESUME } from "../model.ts"

/** The session as it will be, the event that tells of it, and the timers that are set and cleared. */
export interface SessionDecision {
  readonly session: CheckoutSession
  readonly event?: CheckoutSessionEvent
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

export const timer = (kind: string, { id }: Pick<CheckoutSession, "id">): TimerKey => ({ kind, resource_id: id })

/** All timers of a session: one that has ended clears them. */
export const timersOf = (session: CheckoutSession): ReadonlyArray<TimerKey> =>
  [EXPIRES, ABANDONED, RESUME].map((kind) => timer(kind, session))

/** Whether a payment can be made. */
export const isWaiting = ({ payment_status, status }: Pick<CheckoutSession, "payment_status" | "status">): boolean =>
  status === "open" && payment_status === "unpaid"

/** How long after the customer's last visit a session counts as abandoned. */
export const ABANDONED_AFTER = Duration.minutes(30)

/** The timer that a visit sets anew; none when the session counts as abandoned already, or waits for no payment. */
export const visited = (session: CheckoutSession, at: DateTime.Utc): TimerDraft | undefined =>
  isWaiting(session) && session.abandoned_at === null
    ? { ...timer(ABANDONED, session), due_at: DateTime.addDuration(at, ABANDONED_AFTER) }
    : undefined
