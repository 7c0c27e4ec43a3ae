/** How a portal session begins and ends, and what it tells of. Pure. */
import type { Sealed } from "@svc/kernel/encryption/keyring"
import { AccountId } from "@svc/accounts/accounts/model"
import type { AccountFacts } from "@svc/accounts/access/model"
import { InvalidState } from "@svc/kernel/errors"
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { allows } from "@svc/kernel/state-machine"
import { DateTime, Result } from "effect"
import { portalSessionMachine } from "./machine.ts"
import { type CreatePortalSessionRequest, EXPIRES, type PortalPlanChange, PortalSession, type PortalSessionEvent, type PortalSessionId, SESSION_MINUTES } from "./model.ts"

/** What people call it. */
export const NAME = "customer portal session"

/** What a verb comes to: the session as it will be, the event that tells of it, and its timers. */
export interface PortalDecision {
  readonly session: PortalSession
  readonly event?: PortalSessionEvent
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

/** What a session is made of besides the request. */
export interface Opening {
  readonly id: PortalSessionId
  readonly account: Pick<AccountFacts, "id">
  readonly url: string
  readonly secret: Sealed
  readonly at: DateTime.Utc
}

export const create = ({ customer_id, locale, return_url }: CreatePortalSessionRequest, { account, at, id, secret, url }: Opening): PortalDecision => {
  const expires_at = DateTime.add(at, { minutes: SESSION_MINUTES })
  return {
    session: new PortalSession({
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
    }),
    event: "session.created",
    set: [{ kind: EXPIRES, resource_id: id, due_at: expires_at }],
    clear: []
  }
}

const none: ReadonlyArray<never> = []

const changed = (session: PortalSession, at: DateTime.Utc, changes: Partial<PortalSession>): PortalSession =>
  new PortalSession({ ...session, ...changes, updated_at: at, version: session.version + 1 })

/** Whether its pages work: also a session whose timer is late is over when its hour is. */
export const isOpen = ({ expires_at, status }: Pick<PortalSession, "expires_at" | "status">, at: DateTime.Utc): boolean =>
  status === "active" && DateTime.isGreaterThan(expires_at, at)

/** Its hour is over; undefined for one that is not active, or not yet over. */
export const expire = (session: PortalSession, at: DateTime.Utc): PortalDecision | undefined =>
  allows(portalSessionMachine, session.status, "expire") && !isOpen(session, at)
    ? { session: changed(session, at, { status: "expired" }), event: "session.expired", set: none, clear: [{ kind: EXPIRES, resource_id: session.id }] }
    : undefined

export const revoke = (session: PortalSession, at: DateTime.Utc): Result.Result<PortalDecision, InvalidState> =>
  allows(portalSessionMachine, session.status, "revoke")
    ? Result.succeed({ session: changed(session, at, { status: "revoked", revoked_at: at }), event: "session.revoked", set: none, clear: [{ kind: EXPIRES, resource_id: session.id }] })
    : Result.fail(new InvalidState({
      message: `Cannot revoke a ${NAME} that is ${session.status}. This state is final, and its pages work no more; make another session when the customer needs one.`,
      details: { state: session.status, allowed: [] }
    }))

/** The customer changed the plan of a subscription. It is told in the commit that makes the change, whatever the session is by then. */
export const planChanged = (session: PortalSession, change: PortalPlanChange, at: DateTime.Utc): PortalDecision =>
  ({ session: changed(session, at, { last_plan_change: change }), event: "plan_changed", set: none, clear: none })
