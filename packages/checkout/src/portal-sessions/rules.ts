/** How a portal session begins and ends, and which events tell it. Pure. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState } from "@svc/kernel/resource/errors"
import { allows } from "@svc/kernel/resource/state-machine"
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import type { Sealed } from "@svc/platform/encryption/keyring"
import { DateTime, Result } from "effect"
import { portalSessionMachine } from "./machine.ts"
import {
  type CreatePortalSessionRequest,
  EXPIRES,
  type PortalPlanChange,
  type PortalSession,
  type PortalSessionEvent,
  type PortalSessionId,
  SESSION_MINUTES
} from "./model.ts"

/** The name of the resource in messages. */
export const NAME = "customer portal session"

/** What a verb comes to: the session as it will be, the event that tells of it, and its timers. */
export interface PortalDecision {
  readonly session: PortalSession
  readonly event?: PortalSessionEvent
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** The parts of a new session that its request does not say. */
export interface NewPortalSession {
  readonly id: PortalSessionId
  readonly account: Pick<AccountFacts, "id">
  readonly url: string
  readonly secret: Sealed
  readonly at: DateTime.Utc
}

export const create = (
  { customer_id, locale, return_url }: CreatePortalSessionRequest,
  { account, at, id, secret, url }: NewPortalSession
): PortalDecision => {
  const expires_at = DateTime.add(at, { minutes: SESSION_MINUTES })
  return {
    session: {
      id,
      account_id: AccountId.make(account.id),
      customer_id,
      status: "active",
      url,
      secret,
      return_url: return_url ?? null,
      locale: locale ?? null,
      last_plan_change: null,
      expires_at,
      revoked_at: null,
      created_at: at,
      updated_at: at,
      version: 1
    },
    event: "session.created",
    set: [{ kind: EXPIRES, resource_id: id, due_at: expires_at }],
    clear: []
  }
}

const none: ReadonlyArray<never> = []

/** Whether the pages of the session work. A session whose timer is late is over when its hour is. */
export const isOpen = ({ expires_at, status }: Pick<PortalSession, "expires_at" | "status">, at: DateTime.Utc): boolean =>
  status === "active" && DateTime.isGreaterThan(expires_at, at)

/** The hour of the session is over. Undefined for a session that is not active, or whose hour is not over. */
export const expire = (session: PortalSession, at: DateTime.Utc): PortalDecision | undefined =>
  allows(portalSessionMachine, session.status, "expire") && !isOpen(session, at)
    ? {
      session: change(session, at, { status: "expired" }),
      event: "session.expired",
      set: none,
      clear: [{ kind: EXPIRES, resource_id: session.id }]
    }
    : undefined

export const revoke = (session: PortalSession, at: DateTime.Utc): Result.Result<PortalDecision, InvalidState> =>
  allows(portalSessionMachine, session.status, "revoke")
    ? Result.succeed({
      session: change(session, at, { status: "revoked", revoked_at: at }),
      event: "session.revoked",
      set: none,
      clear: [{ kind: EXPIRES, resource_id: session.id }]
    })
    : Result.fail(
      new InvalidState({
        message: `Cannot revoke a ${NAME} that is ${session.status}. This state is final, and its pages work no more; ` +
          "make another session when the customer needs one.",
        details: { state: session.status, allowed: [] }
      })
    )

/** The customer changed the plan of a subscription. The commit of the change tells it, whatever the session is by then. */
export const planChanged = (session: PortalSession, last_plan_change: PortalPlanChange, at: DateTime.Utc): PortalDecision => ({
  session: change(session, at, { last_plan_change }),
  event: "plan_changed",
  set: none,
  clear: none
})
