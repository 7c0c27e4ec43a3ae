/** What becomes of a legal entity. Pure: the service loads, asks here, and commits. */
import { change } from "@svc/kernel/resource/change"
import type { InvalidState, VersionConflict } from "@svc/kernel/resource/errors"
import { checkMove } from "@svc/kernel/resource/state-machine"
import { atVersion } from "@svc/kernel/resource/versions"
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import { type DateTime, Equal, Result } from "effect"
import type { AccountId } from "../accounts/model.ts"
import { legalEntityMachine, type LegalEntityTrigger } from "./machine.ts"
import {
  type CreateLegalEntityRequest,
  LegalEntity,
  type LegalEntityId,
  type LegalEntityPatch,
  REVIEW,
  type ReviewVerdict
} from "./model.ts"

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

const decisionOf = (entity: LegalEntity, rest: Partial<Omit<LegalEntityDecision, "entity">> = {}): LegalEntityDecision => ({
  entity,
  set: [],
  clear: [],
  ...rest
})

/** The legal entity waits for its review from now on. */
const reviewed = (entity: LegalEntity, due_at: DateTime.Utc): LegalEntityDecision =>
  decisionOf(entity, { set: [{ ...timer(entity), due_at }] })

export const create = (
  id: LegalEntityId,
  account_id: AccountId,
  request: CreateLegalEntityRequest,
  at: DateTime.Utc
): LegalEntityDecision =>
  reviewed(
    {
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
    },
    at
  )

const BEING_REVIEWED = "it is being reviewed, and what is reviewed stays as it is"

const may = (
  entity: LegalEntity,
  trigger: LegalEntityTrigger,
  expected: number | undefined
): Result.Result<void, InvalidState | VersionConflict> =>
  Result.flatMap(
    atVersion(NAME, entity, expected),
    ({ verification_status: state }) =>
      checkMove(legalEntityMachine, state, trigger, { why: state === "pending" ? BEING_REVIEWED : undefined })
  )

/** What a review was about: when it changes, another is due. */
const REVIEWED = ["legal_name", "country", "registration_number", "birth_date"] as const

/** Changes what is known of it; undefined when that is how it is already. */
export const update = (
  entity: LegalEntity,
  patch: LegalEntityPatch,
  at: DateTime.Utc,
  expected?: number
): Result.Result<LegalEntityDecision | undefined, Refusal> =>
  Result.map(may(entity, "update", expected), () => {
    const next: LegalEntity = { ...entity, ...patch }
    if (Equal.equals({ ...next }, { ...entity })) return undefined
    const renamed = entity.verification_status === "verified" && REVIEWED.some((field) => next[field] !== entity[field])
    return decisionOf(change(
      next,
      at,
      renamed
        ? {
          verification_status: "requires_info",
          requirements: [{ field: "legal_name", reason: "What was verified has changed. Submit it, to have it reviewed again." }],
          verified_at: null
        }
        : {}
    ))
  })

/** The operator reviews the legal entity again. */
export const submit = (entity: LegalEntity, at: DateTime.Utc, expected?: number): Result.Result<LegalEntityDecision, Refusal> =>
  Result.map(
    may(entity, "submit", expected),
    () => reviewed(change(entity, at, { verification_status: "pending", requirements: [], failure_reason: null }), at)
  )

const outcome = (entity: LegalEntity, verdict: ReviewVerdict, at: DateTime.Utc): LegalEntityDecision => {
  const clear = [timer(entity)]
  switch (verdict._tag) {
    case "Verified":
      return decisionOf(change(entity, at, { verification_status: "verified", verified_at: at }), { clear })
    case "Asks":
      return decisionOf(
        change(entity, at, { verification_status: "requires_info", requirements: verdict.requirements, verified_at: null }),
        {
          clear
        }
      )
    case "Failed":
      return decisionOf(change(entity, at, { verification_status: "failed", failure_reason: verdict.reason }), { clear })
  }
}

/** What the review of its timer came to; undefined where none is under way any more. */
export const decide = (entity: LegalEntity, verdict: ReviewVerdict, at: DateTime.Utc): LegalEntityDecision | undefined =>
  entity.verification_status === "pending" ? outcome(entity, verdict, at) : undefined

const triggerOf = { Verified: "verify", Asks: "ask", Failed: "fail" } as const satisfies Record<ReviewVerdict["_tag"], LegalEntityTrigger>

/** What the operator's review came to. One that is verified may be asked for more later. */
export const verdictDecision = (
  entity: LegalEntity,
  verdict: ReviewVerdict,
  at: DateTime.Utc
): Result.Result<LegalEntityDecision, Refusal> =>
  Result.map(may(entity, triggerOf[verdict._tag], undefined), () => outcome(entity, verdict, at))
