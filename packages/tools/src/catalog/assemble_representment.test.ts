import { assert, describe, it } from "@effect/vitest"
import { absent, present } from "@svc/tool-kit/backend"
import type { Call, Mode } from "@svc/tool-kit/call"
import { DisputeNotOpen, Disputes, type DisputesApi, type OwnDispute } from "@svc/tool-kit/services/disputes"
import { Effect, Layer, Result } from "effect"
import { assemble_representment as tool } from "./assemble_representment.ts"

const dispute: OwnDispute = {
  id: "dp_1",
  payment_intent_id: "pi_1",
  amount: 4900,
  currency: "USD",
  reason: "10.4",
  status: "open",
  evidence_due_by: "2026-10-10T00:00:00.000Z",
  created_at: "2026-09-20T00:00:00.000Z"
}

/** Disputes of one account, and what was submitted to them. */
const books = (found: OwnDispute) => {
  const submitted: Array<Parameters<DisputesApi["submit"]>[1]> = []
  const layer = present(Disputes, {
    find: (account, id) => Effect.succeed(account.id === "acct_1" && id === found.id ? found : undefined),
    submit: (_, submission) => {
      submitted.push(submission)
      return submission.id === "dp_late"
        ? Effect.fail(new DisputeNotOpen({ message: "The deadline has passed." }))
        : Effect.succeed<OwnDispute>({ ...found, status: "under_review" })
    }
  })
  return { layer, submitted }
}

const callOf = (mode: Mode = "standard", account = "acct_1"): Call => ({ id: "call_1", mode, account: { id: account, sandbox: true } })

const run = (layer: Layer.Layer<Disputes>, args: object, call = callOf()) => {
  const prepared = tool.compiled.prepare(args, call)
  if (Result.isFailure(prepared)) return Effect.die(prepared.failure)
  return prepared.success.run.pipe(Effect.provide(layer))
}

const marks = { device_id: "d3f1c0ffee-4e11-9b7a", ip_address: "203.0.113.7" }
const txn = (id: string, created_at: string) => ({ id, amount_minor: 4900, currency: "USD", created_at, ...marks })
const history = {
  disputed_txn: txn("txn_9", "2026-09-01T10:00:00Z"),
  transaction_history: [txn("txn_1", "2026-01-10T10:00:00Z"), txn("txn_2", "2026-03-02T10:00:00Z")]
}
const papers = { evidence_inputs: { shipping_documentation: "delivered" } }

describe("assemble_representment", () => {
  it.effect("assembles without submitting", () =>
    Effect.gen(function*() {
      const { layer, submitted } = books(dispute)
      const outcome = yield* run(layer, { dispute_id: "dp_1", ...history, ...papers })
      assert.deepInclude(outcome, { _tag: "Done", cents: 100 })
      assert.isEmpty(submitted)
      const result = outcome._tag === "Done" ? outcome.result : undefined
      assert.deepInclude(result, { submitted: false, ce3_eligible: true, state: "evidence_assembling", dispute })
      assert.deepNestedInclude(result, {
        "evidence.documents": [{ field: "shipping_documentation", text: "delivered" }],
        "evidence.category": "fraudulent",
        "readiness.band": "high"
      })
      assert.deepNestedInclude(result, {
        transitions: [{ from: "needs_response", to: "evidence_assembling", at: "1970-01-01T00:00:00.000Z" }]
      })
    }))

  it.effect("submits what it assembled, once for the call", () =>
    Effect.gen(function*() {
      const { layer, submitted } = books(dispute)
      const outcome = yield* run(layer, { dispute_id: "dp_1", ...history, submit: true })
      const result = outcome._tag === "Done" ? outcome.result : undefined
      assert.deepNestedInclude(result, { submitted: true, state: "evidence_submitted", "dispute.status": "under_review" })
      assert.deepNestedInclude(result, {
        "transitions[0].to": "evidence_assembling",
        "transitions[1].from": "evidence_assembling",
        "transitions[1].to": "evidence_submitted"
      })
      assert.deepInclude(submitted[0], { id: "dp_1", idempotency_key: "call_1" })
      assert.deepNestedInclude(submitted[0], {
        "evidence.reason_code": "10.4",
        "evidence.compelling_evidence.prior_transactions[0].id": "txn_2"
      })
    }))

  it.effect("costs half in the lite mode, without the narrative and the score", () =>
    Effect.gen(function*() {
      const outcome = yield* run(books(dispute).layer, { dispute_id: "dp_1", ...papers }, callOf("lite"))
      assert.deepInclude(outcome, { _tag: "Done", cents: 50 })
      const result = outcome._tag === "Done" ? outcome.result : undefined
      assert.notNestedProperty(result, "readiness")
      assert.notNestedProperty(result, "evidence.narrative")
      assert.deepNestedInclude(result, { ce3: null, ce3_eligible: false })
    }))

  it.effect.each<readonly [label: string, found: OwnDispute, args: object, code: string, account?: string]>([
    ["a dispute that there is not", dispute, { dispute_id: "dp_2", ...papers }, "dispute_not_found"],
    ["a dispute of another account", dispute, { dispute_id: "dp_1", ...papers }, "dispute_not_found", "acct_2"],
    ["one that is closed", { ...dispute, status: "won" }, { dispute_id: "dp_1", ...papers }, "dispute_not_open"],
    [
      "one whose deadline passes meanwhile",
      { ...dispute, id: "dp_late" },
      { dispute_id: "dp_late", ...papers, submit: true },
      "dispute_not_open"
    ],
    ["nothing to send", dispute, { dispute_id: "dp_1", submit: true }, "nothing_to_submit"],
    [
      "a history that does not qualify",
      dispute,
      { dispute_id: "dp_1", ...history, transaction_history: [], submit: true },
      "nothing_to_submit"
    ]
  ])("charges nothing for %s", ([, found, args, code, account]) =>
    Effect.gen(function*() {
      const { layer, submitted } = books(found)
      const outcome = yield* run(layer, args, callOf("standard", account))
      assert.deepNestedInclude(outcome, { _tag: "Failed", cents: 0, "error.code": code })
      assert.lengthOf(submitted, found.id === "dp_late" ? 1 : 0)
    }))

  it.effect("says that there are no disputes before it asks for money", () =>
    Effect.gen(function*() {
      const without = absent(Disputes, { reason: "disputes_unset", detail: "There are none.", remediation: "Ask the operator." })
      const prepared = tool.compiled.prepare({ dispute_id: "dp_1" }, callOf())
      if (Result.isFailure(prepared)) return yield* Effect.die(prepared.failure)
      const away = yield* prepared.success.absent.pipe(Effect.provide(without))
      assert.deepNestedInclude(away, { _tag: "Away", cents: 0, "result._not_configured": true, "result.reason": "disputes_unset" })
      assert.deepStrictEqual(yield* run(without, { dispute_id: "dp_1" }), away)
    }))

  it("tells apart neither whose dispute it is nor whether it exists", () => {
    const message = (account: string, id: string) =>
      run(books(dispute).layer, { dispute_id: id, ...papers }, callOf("standard", account)).pipe(
        Effect.map((outcome) => JSON.stringify(outcome).replaceAll(id, "id")),
        Effect.runSync
      )
    assert.strictEqual(message("acct_2", "dp_1"), message("acct_1", "dp_0"))
  })
})
