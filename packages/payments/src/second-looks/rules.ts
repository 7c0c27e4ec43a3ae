/** Decides which requests need a second look, who may decide, and the result. Pure. */
import { type ApiKeyScope, type Caller, lacksScope } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { Forbidden, InvalidState } from "@svc/kernel/resource/errors"
import { cannotMove, checkMove } from "@svc/kernel/resource/state-machine"
import type { Decision } from "@svc/kernel/resource/verbs"
import type { TimerKey } from "@svc/kernel/road/decision"
import { DateTime, Result } from "effect"
import { secondLookMachine } from "./machine.ts"
import { CARRY_OUT, EXPIRES, EXPIRY_DAYS, type SecondLook, type SecondLookId } from "./model.ts"

/** The act that a person asks for. Other acts than refunds leave the options of a refund out. */
export type AskedAct = Pick<SecondLook, "act" | "subject_id" | "amount" | "currency"> & Partial<Pick<SecondLook, "reverse_credit">>

const timer = (kind: string, { id }: Pick<SecondLook, "id">): TimerKey => ({ kind, resource_id: id })

/** Whether the total is above the limit. A total without an exchange rate to the limit's currency counts as above. */
export const isAbove = (limit: number, total: bigint | undefined): boolean => total === undefined || total > BigInt(limit)

export const ask = (
  { reverse_credit = false, ...asked }: AskedAct,
  { at, by, id, merchant }: { readonly id: SecondLookId; readonly merchant: string; readonly by: string; readonly at: DateTime.Utc }
): Decision<SecondLook> => {
  const resource: SecondLook = {
    ...asked,
    reverse_credit,
    id,
    merchant_id: AccountId.make(merchant),
    status: "pending",
    requested_by: by,
    decided_by: null,
    decided_at: null,
    result_id: null,
    failure_reason: null,
    expires_at: DateTime.add(at, { days: EXPIRY_DAYS }),
    created_at: at,
    updated_at: at,
    version: 1
  }
  return { resource, set: [{ ...timer(EXPIRES, resource), due_at: resource.expires_at }] }
}

/** The caller who decides. */
type Reviewer = Pick<Caller["Service"], "kind" | "person" | "scopes">

/** The id of the reviewer: a person with the scope of the act, and not the requester. */
const mayDecide = (look: SecondLook, { kind, person, scopes }: Reviewer, needed: ApiKeyScope): Result.Result<string, Forbidden> => {
  if (person === undefined) {
    return Result.fail(new Forbidden({ message: "A second look is a person's, who signs in to the desk. A key cannot give it." }))
  }
  if (person.id === look.requested_by) {
    return Result.fail(new Forbidden({ message: "You asked for this yourself. Another person has to look at it." }))
  }
  return kind === "secret" || scopes?.has(needed) === true ? Result.succeed(person.id) : Result.fail(lacksScope(needed))
}

/** The facts of a decision by a person. */
export interface ReviewFacts {
  readonly reviewer: Reviewer
  /** The scope of the act itself. */
  readonly needed: ApiKeyScope
  readonly at: DateTime.Utc
}

type ReviewRefusal = Forbidden | InvalidState

const decided = (
  look: SecondLook,
  trigger: "approve" | "reject",
  { at, needed, reviewer }: ReviewFacts
): Result.Result<SecondLook, ReviewRefusal> =>
  Result.gen(function*() {
    const decided_by = yield* mayDecide(look, reviewer, needed)
    yield* checkMove(secondLookMachine, look.status, trigger)
    if (!DateTime.isGreaterThan(look.expires_at, at)) return yield* Result.fail(cannotMove(secondLookMachine, "expired", trigger))
    return change(look, at, { status: trigger === "approve" ? "approved" : "rejected", decided_by, decided_at: at })
  })

/** `mayStill`: whether the requester still has the scope of the act. A timer carries out the act if this process stops before. */
export const approve = (look: SecondLook, facts: ReviewFacts, mayStill: boolean): Result.Result<Decision<SecondLook>, ReviewRefusal> =>
  Result.flatMap(decided(look, "approve", facts), (resource) =>
    mayStill
      ? Result.succeed({
        resource,
        set: [{ ...timer(CARRY_OUT, look), due_at: DateTime.add(facts.at, { minutes: 1 }) }],
        clear: [timer(EXPIRES, look)]
      })
      : Result.fail(
        new InvalidState({
          message: "Whoever asked for this may not do it any more. Reject it, or ask for it yourself.",
          details: { state: look.status, allowed: ["reject"] }
        })
      ))

export const reject = (look: SecondLook, facts: ReviewFacts): Result.Result<Decision<SecondLook>, ReviewRefusal> =>
  Result.map(decided(look, "reject", facts), (resource) => ({ resource, clear: [timer(EXPIRES, look)] }))

/** Expires a second look; undefined if a person has decided. */
export const expire = (look: SecondLook, at: DateTime.Utc): Decision<SecondLook> | undefined =>
  look.status === "pending" && !DateTime.isGreaterThan(look.expires_at, at)
    ? { resource: change(look, at, { status: "expired" }), clear: [timer(EXPIRES, look)] }
    : undefined

/** The result of an act: the resource that it changed, a refusal, or a retry later. */
export type ActOutcome =
  | { readonly _tag: "Done"; readonly id: string }
  | { readonly _tag: "Refused"; readonly message: string }
  | { readonly _tag: "Later" }

export const carriedOut = (look: SecondLook, outcome: ActOutcome, at: DateTime.Utc): Decision<SecondLook> => {
  if (outcome._tag === "Later") return { resource: change(look, at, {}) }
  const clear = [timer(CARRY_OUT, look)]
  return outcome._tag === "Done"
    ? { resource: change(look, at, { status: "done", result_id: outcome.id }), clear }
    : { resource: change(look, at, { status: "failed", failure_reason: outcome.message }), clear }
}
