/** What becomes of a legal entity. Pure: the service loads, asks here, and commits. */
import { InvalidState, type VersionConflict } from "@svc/kernel/errors"
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { allows, triggersFrom } from "@svc/kernel/state-machine"
import { atVersion } from "@svc/kernel/versions"
import { type DateTime, Equal, Result } from "effect"
import type { AccountId } from "../accounts/model.ts"
import { legalEntityMachine, type LegalEntityTrigger } from "./machine.ts"
import { type CreateLegalEntityRequest, LegalEntity, type LegalEntityId, type LegalEntityPatch, REVIEW, type Verdict } from "./model.ts"

/** What people call it. */
export const NAME = "legal entity"

/** What a verb comes to. */
export interface LegalEntityDecision {
  readonly entity: LegalEntity
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

type Refusal = InvalidState | VersionConflict

const timer = ({ id }: Pick<LegalEntity, "id">): TimerKey => ({ kind: REVIEW, resource_id: id })

const leadsTo = (entity: LegalEntity, rest: Partial<Omit<LegalEntityDecision, "entity">> = {}): LegalEntityDecision => ({ entity, set: [], clear: [], ...rest })

const change = (entity: LegalEntity, at: DateTime.Utc, changes: Partial<LegalEntity>): LegalEntity =>
  new LegalEntity({ ...entity, ...changes, updated_at: at, version: entity.version + 1 })

/** It waits to be reviewed, from now on. */
const reviewed = (entity: LegalEntity, due_at: DateTime.Utc): LegalEntityDecision => leadsTo(entity, { set: [{ ...timer(entity), due_at }] })

export const create = (id: LegalEntityId, account_id: AccountId, request: CreateLegalEntityRequest, at: DateTime.Utc): LegalEntityDecision =>
  reviewed(
    new LegalEntity({
      id,
      account_id,
      type: request.type,
      legal_name: request.legal_name,
      country: request.country,
      registration_number: request.registration_number ?? null,
      birth_date: request.birth_date ?? null,
      address: request.address ?? null,
      verification_status: "pending",
      requirements: [],
      failure_reason: null,
      verified_at: null,
      created_at: at,
      updated_at: at,
      version: 1
    }),
    at
  )

const may = (entity: LegalEntity, trigger: LegalEntityTrigger, expected: number | undefined): Result.Result<LegalEntity, Refusal> => {
  const { verification_status: state } = entity
  const current = atVersion(NAME, entity, expected)
  if (Result.isFailure(current) || allows(legalEntityMachine, state, trigger)) return current
  const allowed = triggersFrom(legalEntityMachine, state)
  const why = state === "pending" ? ": it is being reviewed, and what is reviewed stays as it is" : ""
  return Result.fail(new InvalidState({
    message: `Cannot ${trigger} a legal entity that is ${state.replace("_", " ")}${why}. From here: ${allowed.join(", ")}.`,
    details: { state, allowed }
  }))
}

/** What a review was about: when it changes, another is due. */
const REVIEWED = ["legal_name", "country", "registration_number", "birth_date"] as const

/** Changes what is known of it; undefined when that is how it is already. */
export const update = (entity: LegalEntity, patch: LegalEntityPatch, at: DateTime.Utc, expected?: number): Result.Result<LegalEntityDecision | undefined, Refusal> =>
  Result.map(may(entity, "update", expected), () => {
    const next = new LegalEntity({ ...entity, ...patch })
    if (Equal.equals({ ...next }, { ...entity })) return undefined
    const renamed = entity.verification_status === "verified" && REVIEWED.some((field) => next[field] !== entity[field])
    return leadsTo(change(next, at, renamed
      ? { verification_status: "requires_info", requirements: [{ field: "legal_name", reason: "What was verified has changed. Submit it, to have it reviewed again." }], verified_at: null }
      : {}))
  })

/** It is to be reviewed again. */
export const submit = (entity: LegalEntity, at: DateTime.Utc, expected?: number): Result.Result<LegalEntityDecision, Refusal> =>
  Result.map(may(entity, "submit", expected), () => reviewed(change(entity, at, { verification_status: "pending", requirements: [], failure_reason: null }), at))

const outcome = (entity: LegalEntity, verdict: Verdict, at: DateTime.Utc): LegalEntityDecision => {
  const clear = [timer(entity)]
  switch (verdict._tag) {
    case "Verified":
      return leadsTo(change(entity, at, { verification_status: "verified", verified_at: at }), { clear })
    case "Asks":
      return leadsTo(change(entity, at, { verification_status: "requires_info", requirements: verdict.requirements, verified_at: null }), { clear })
    case "Failed":
      return leadsTo(change(entity, at, { verification_status: "failed", failure_reason: verdict.reason }), { clear })
  }
}

/** What the review of its timer came to; undefined where none is under way any more. */
export const decide = (entity: LegalEntity, verdict: Verdict, at: DateTime.Utc): LegalEntityDecision | undefined =>
  entity.verification_status === "pending" ? outcome(entity, verdict, at) : undefined

const triggerOf = { Verified: "verify", Asks: "ask", Failed: "fail" } as const satisfies Record<Verdict["_tag"], LegalEntityTrigger>

/** What the operator's review came to. One that is verified may be asked for more later. */
export const decided = (entity: LegalEntity, verdict: Verdict, at: DateTime.Utc): Result.Result<LegalEntityDecision, Refusal> =>
  Result.map(may(entity, triggerOf[verdict._tag], undefined), () => outcome(entity, verdict, at))
