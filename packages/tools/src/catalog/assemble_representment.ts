/** Answers a dispute of the account's own: assembles the evidence, and submits it when asked to. */
import { Ce3, MOST_PRIORS, Transaction } from "@svc/compliance/ce3"
import { isCanonical } from "@svc/compliance/input"
import { Readiness } from "@svc/compliance/readiness"
import {
  assembleRepresentment,
  DISCLAIMER,
  EvidenceInputs,
  EvidencePackage,
  RepresentmentState,
  Step,
  steps
} from "@svc/compliance/representment"
import { iso, now } from "@svc/kernel/values/time"
import { backend } from "@svc/tool-kit/backend"
import { accountOf } from "@svc/tool-kit/call"
import { list, may, text } from "@svc/tool-kit/fields"
import { DisputeNotOpen, Disputes, OwnDispute } from "@svc/tool-kit/services/disputes"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export class DisputeNotFound extends Schema.TaggedError<DisputeNotFound>()("DisputeNotFound", { message: Schema.String }) {}

export class NothingToSubmit extends Schema.TaggedError<NothingToSubmit>()("NothingToSubmit", { message: Schema.String }) {}

const Json = Schema.toCodecJson(EvidencePackage)
const asJson = Schema.encodeSync(Json)

export const assemble_representment = tool({
  name: "assemble_representment",
  title: "Assemble a representment",
  description:
    "Assembles evidence against a dispute of your account; submit: true submits it, once, final. A failed assembly costs nothing.",
  auth: "key",
  scopes: ["disputes:read", "disputes:write"],
  // A submission cannot be taken back when the charge is refused, so the price is reserved first.
  kind: "outside",
  prices: { standard: 100, lite: 50 },
  serviceWork: true,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  limits: { seconds: 10, bytes: 1024 * 1024 },
  payload: Schema.Struct({
    dispute_id: text(100),
    disputed_txn: may(Transaction),
    transaction_history: may(list(Transaction, MOST_PRIORS)),
    evidence_inputs: may(EvidenceInputs),
    submit: may(Schema.Boolean)
  }).check(isCanonical),
  result: Schema.Struct({
    dispute: OwnDispute,
    evidence: EvidencePackage,
    /** Null when disputed_txn was not sent. */
    ce3: Schema.NullOr(Ce3),
    ce3_eligible: Schema.Boolean,
    submitted: Schema.Boolean,
    state: RepresentmentState,
    transitions: Schema.Array(Step),
    /** The lite mode leaves it out. */
    readiness: Schema.optionalKey(Schema.Struct(Readiness.fields)),
    disclaimer: Schema.String
  }),
  error: Schema.Union([DisputeNotFound, DisputeNotOpen, NothingToSubmit]),
  examples: [
    {
      dispute_id: "dp_01KE0M2WHDH1QJ3MFN1K0N1F0T",
      evidence_inputs: { shipping_documentation: "Carrier X, parcel 12345, delivered 2026-10-03 to 1 Main St" },
      submit: false
    }
  ],
  services: [Disputes],
  ready: backend(Disputes),
  readsOnly: ({ submit }) => submit !== true,
  run: Effect.fnUntraced(function*({ dispute_id, disputed_txn, evidence_inputs = {}, submit = false, transaction_history = [] }, call) {
    const disputes = yield* backend(Disputes)
    const account = accountOf(call)
    const ownDispute = yield* disputes.find(account, dispute_id)
    if (ownDispute === undefined) {
      return yield* new DisputeNotFound({ message: `This account has no dispute ${dispute_id}. List its disputes with GET /v1/disputes.` })
    }
    if (ownDispute.status !== "open") {
      return yield* new DisputeNotOpen({ message: `The dispute is ${ownDispute.status}: evidence can be sent while it is open.` })
    }
    const lite = call.mode === "lite"
    const inputs = {
      dispute: ownDispute,
      history: transaction_history,
      inputs: evidence_inputs,
      ...(disputed_txn === undefined ? {} : { disputed_txn })
    }
    const assembled = assembleRepresentment(inputs, lite)
    if (assembled === undefined) {
      return yield* new NothingToSubmit({
        message:
          "There is nothing to answer with: send evidence_inputs, or disputed_txn with a transaction_history that qualifies for CE 3.0 (assemble_ce3_evidence says why one does not)."
      })
    }
    const { ce3, evidence, readiness } = assembled
    const dispute = submit
      ? yield* disputes.submit(account, { id: ownDispute.id, evidence: asJson(evidence), idempotency_key: call.id })
      : ownDispute
    const at = iso(yield* now)
    return {
      dispute,
      evidence,
      ce3,
      ce3_eligible: ce3?.eligible ?? false,
      submitted: submit,
      state: submit ? "evidence_submitted" as const : "evidence_assembling" as const,
      transitions: steps(submit, at),
      ...(lite ? {} : { readiness }),
      disclaimer: DISCLAIMER
    }
  })
})
