import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { AccountId } from "../accounts/model.ts"
import { legalEntityMachine, type LegalEntityTrigger } from "./machine.ts"
import { legalEntities, LegalEntity, LegalEntityId, type VerificationStatus, verificationStatuses } from "./model.ts"
import { missingOf, review } from "./provider/review.ts"
import { create, decide, submit, update, verdictDecision } from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")
const id = LegalEntityId.make("le_01KDTQ2E8000000000000000AA")
const account = AccountId.make("acct_01KDTQ2E8000000000000000AA")

const entity = (verification_status: VerificationStatus): LegalEntity => ({
  ...create(id, account, {
    type: "organization",
    legal_name: "Acme GmbH",
    country: "DE",
    registration_number: "HRB 1",
    address: { line1: "Weg 1", city: "Bonn", country: "DE" }
  }, at).entity,
  verification_status,
  verified_at: verification_status === "verified" ? at : null,
  failure_reason: verification_status === "failed" ? "No." : null
})

/** What each trigger makes of one in this state; undefined where it is refused. */
const attempts: Readonly<Record<Exclude<LegalEntityTrigger, "create">, (from: LegalEntity) => LegalEntity | undefined>> = {
  update: (from) => Result.getOrUndefined(update(from, { address: { line1: "Weg 2", city: "Bonn", country: "DE" } }, at))?.entity,
  rename: (from) =>
    from.verification_status === "verified" ? Result.getOrUndefined(update(from, { legal_name: "Acme AG" }, at))?.entity : undefined,
  submit: (from) => Result.getOrUndefined(submit(from, at))?.entity,
  verify: (from) => Result.getOrUndefined(verdictDecision(from, { _tag: "Verified" }, at))?.entity,
  ask: (from) =>
    Result.getOrUndefined(verdictDecision(from, { _tag: "Asks", requirements: [{ field: "address", reason: "Why not." }] }, at))?.entity,
  fail: (from) => Result.getOrUndefined(verdictDecision(from, { _tag: "Failed", reason: "No." }, at))?.entity
}

describe("a legal entity", () => {
  it("moves as the table says, and no other way", () => {
    for (const state of verificationStatuses) {
      for (const [trigger, attempt] of Object.entries(attempts)) {
        const row = legalEntityMachine.transitions.find(({ from, trigger: named }) => from === state && named === trigger)
        assert.strictEqual(attempt(entity(state))?.verification_status, row?.to, `${trigger} from ${state}`)
      }
    }
  })

  it("that is verified is reviewed again when what was verified changes, and not for its address", () => {
    const renamed = Result.getOrThrow(update(entity("verified"), { country: "AT" }, at))
    assert.deepInclude(renamed?.entity, { verification_status: "requires_info", verified_at: null })
    assert.isUndefined(Result.getOrThrow(update(entity("verified"), { legal_name: "Acme GmbH" }, at)), "the same name is no change")
  })

  it("has no review decided by a timer that comes late", () => {
    for (const state of verificationStatuses) {
      assert.strictEqual(decide(entity(state), { _tag: "Verified" }, at) === undefined, state !== "pending", state)
    }
  })

  it("is asked for each thing that is missing, by field and with a reason", () => {
    const person: LegalEntity = { ...entity("pending"), type: "individual", registration_number: null, address: null }
    assert.deepStrictEqual(missingOf(person).map(({ field }) => field), ["birth_date", "address"])
    assert.isTrue(missingOf(person).every(({ reason }) => reason.length > 10))
    assert.strictEqual(review(entity("pending"))._tag, "Verified")
  })

  it("is encoded as its schema encodes it, for the row and for the wire", () => {
    for (const one of verificationStatuses.map(entity)) {
      assert.deepStrictEqual(legalEntities.encode(one).row, { ...Schema.encodeSync(LegalEntity)(one) })
      assert.strictEqual(legalEntities.encode(one).wire, JSON.stringify(Schema.encodeSync(LegalEntity.json)(one)))
    }
  })
})
