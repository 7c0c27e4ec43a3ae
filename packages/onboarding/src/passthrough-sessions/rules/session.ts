/** How a passthrough session begins, is filled and ends. Pure. */
import { AccountId } from "@svc/accounts/accounts/model"
import type { ActorIdentity } from "@svc/kernel/parts/actor"
import { change } from "@svc/kernel/resource/change"
import type { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { allows, checkMove } from "@svc/kernel/resource/state-machine"
import type { Decision } from "@svc/kernel/resource/verbs"
import type { Sealed } from "@svc/platform/encryption/keyring"
import { DateTime, Result } from "effect"
import { passthroughMachine } from "../machine.ts"
import { EXPIRES, type FlowKind, type PassthroughSession, type PassthroughSessionId, SESSION_MINUTES } from "../model.ts"
import { checkFields, type OwnFacts, ownFields } from "./fields.ts"

/** What people call it. */
export const NAME = "passthrough session"

/** The parts of a new session that its request does not say. */
export interface NewPassthroughSession {
  readonly id: PassthroughSessionId
  readonly account: { readonly id: string }
  readonly made_by: ActorIdentity
  readonly secret: Sealed
  readonly secret_hash: string
  /** The account's time. */
  readonly at: DateTime.Utc
  /** The world's time. */
  readonly real: DateTime.Utc
}

const hourAfter = (moment: DateTime.Utc): DateTime.Utc => DateTime.add(moment, { minutes: SESSION_MINUTES })

export const create = (
  flow_kind: FlowKind,
  { account, at, id, made_by, real, secret, secret_hash }: NewPassthroughSession
): Decision<PassthroughSession> => ({
  resource: {
    id,
    account_id: AccountId.make(account.id),
    flow_kind,
    status: "open",
    made_by: { type: made_by.type, id: made_by.id },
    secret_hash,
    secret,
    prefilled: [],
    fields: {},
    result_id: null,
    expires_at: hourAfter(real),
    completed_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  },
  set: [{ kind: EXPIRES, resource_id: id, due_at: hourAfter(at) }]
})

/**
 * Whether the page of the session works, by the world's time: a sandbox's clock may stand still. A session whose timer is late is over when
 * its hour is.
 */
export const isOpen = ({ expires_at, status }: Pick<PassthroughSession, "expires_at" | "status">, real: DateTime.Utc): boolean =>
  status === "open" && DateTime.isGreaterThan(expires_at, real)

/** The state of the session as people see it: over when its hour is. */
const statusAt = (session: PassthroughSession, real: DateTime.Utc): PassthroughSession["status"] =>
  session.status === "open" && !isOpen(session, real) ? "expired" : session.status

/** Fills fields: what is given goes before what is filled already, and that before what the account's own rows say. */
export const prefill = (
  session: PassthroughSession,
  given: Readonly<Record<string, string>>,
  own: OwnFacts,
  { at, real }: { readonly at: DateTime.Utc; readonly real: DateTime.Utc }
): Result.Result<Decision<PassthroughSession>, InvalidState | ValidationError> =>
  Result.map(
    Result.flatMap(checkMove(passthroughMachine, statusAt(session, real), "prefill"), () => checkFields(session.flow_kind, given)),
    () => {
      const fields = { ...ownFields(session.flow_kind, own), ...session.fields, ...given }
      return { resource: change(session, at, { fields, prefilled: Object.keys(fields) }) }
    }
  )

/** A session that is over keeps no values. */
const over = (session: PassthroughSession, at: DateTime.Utc, changes: Partial<PassthroughSession>): Decision<PassthroughSession> => ({
  resource: change(session, at, { ...changes, fields: {} }),
  clear: [{ kind: EXPIRES, resource_id: session.id }]
})

/** The form was sent, and `result_id` came of it. Undefined for a session that is over. */
export const complete = (session: PassthroughSession, result_id: string, at: DateTime.Utc): Decision<PassthroughSession> | undefined =>
  allows(passthroughMachine, session.status, "complete")
    ? over(session, at, { status: "completed", result_id, completed_at: at })
    : undefined

/** The hour of the session is over, by either clock. Undefined for a session that is not open, or whose hour is not over. */
export const expire = (session: PassthroughSession, at: DateTime.Utc): Decision<PassthroughSession> | undefined => {
  const isOver = !isOpen(session, at) || DateTime.isGreaterThanOrEqualTo(at, hourAfter(session.created_at))
  return allows(passthroughMachine, session.status, "expire") && isOver ? over(session, at, { status: "expired" }) : undefined
}
