/** The verbs of a dispute: the network reports it, the merchant answers, and the network decides. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import type { Forbidden, InvalidState, NotFound, ValidationError, VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { type Command, type CommandOn, type KeyedFailure, keyedVerbs } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import type { Addition } from "@svc/kernel/road/decision"
import { Context, Effect, Layer } from "effect"
import type { PaymentInFlight } from "../payment-intents/errors.ts"
import type { ChangedIntent, PaymentIntent } from "../payment-intents/model.ts"
import type {
  AcceptDisputeRequest,
  AddEvidenceRequest,
  Dispute,
  DisputeFilter,
  SimulateDisputeRequest,
  SubmitEvidenceRequest
} from "./model.ts"
import { DisputeRepository } from "./repository.ts"
import * as rules from "./rules.ts"
import type { DisputeReport } from "./rules.ts"
import { disputeUndecided } from "./rules/refusals.ts"
import { makeEvidenceVerbs } from "./service/evidence.ts"
import { makeOpenVerbs } from "./service/open.ts"
import { makeProceed } from "./service/proceed.ts"

type Answer<E> = Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState | E>

export class Disputes extends Context.Service<Disputes, {
  readonly get: (account: string, id: string) => Effect.Effect<Dispute, NotFound>
  readonly list: (account: string, filter: DisputeFilter, page: PageRequest) => Effect.Effect<Page<Dispute>>
  /** Stores evidence for the submission. */
  readonly addEvidence: (command: CommandOn<AccountFacts, AddEvidenceRequest>) => Answer<ValidationError>
  /** Submits all evidence to the network. The merchant can submit once. */
  readonly submit: (command: CommandOn<AccountFacts, SubmitEvidenceRequest>) => Answer<ValidationError>
  /** Accepts the dispute: the customer keeps the money. */
  readonly accept: (command: CommandOn<AccountFacts, AcceptDisputeRequest>) => Answer<never>
  /** Opens a dispute as if the network had reported it: for sandbox accounts. */
  readonly simulate: (command: Command<AccountFacts, SimulateDisputeRequest>) => Answer<ValidationError | Forbidden | PaymentInFlight>
  /** A report of the network opens a dispute. A repeated report gives the dispute that the first one opened. */
  readonly report: (
    account: AccountFacts,
    intent: string,
    report: DisputeReport
  ) => Effect.Effect<Dispute, NotFound | InvalidState | ValidationError | PaymentInFlight | VersionConflict>
  /** For captures: the further writes of their commit. */
  readonly onCapture: (moved: ChangedIntent) => Effect.Effect<Addition>
  /** For refunds: fails with 409 `invalid_state` while a dispute about the payment is open. */
  readonly refuseRefundWhileDisputed: (intent: PaymentIntent) => Effect.Effect<void, InvalidState>
  /** The reasons, as text, why the account cannot be closed. */
  readonly againstClosing: (account: string) => Effect.Effect<ReadonlyArray<string>>
  /** For the timer of a payment: its customer disputes it. */
  readonly reported: (account: string, intent: string) => Effect.Effect<void, NotFound | PaymentInFlight | VersionConflict>
  /** For the timer of a dispute: the time for evidence is over, or the network has decided. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/payments/Disputes") {
  static readonly layer = Layer.effect(
    Disputes,
    Effect.gen(function*() {
      const repository = yield* DisputeRepository
      const { get, list } = repository
      const verbs = keyedVerbs<AccountFacts, Dispute, never>(yield* Idempotency, { name: "dispute", get })
      const { accept, addEvidence, submit } = yield* makeEvidenceVerbs
      const { simulate, ...reports } = yield* makeOpenVerbs

      const refuseRefundWhileDisputed = Effect.fnUntraced(function*(intent: PaymentIntent) {
        if (intent.disputed_amount === 0) return
        const dispute = rules.openOne(yield* repository.ofPayment(intent.merchant_id, intent.id))
        if (dispute !== undefined) return yield* disputeUndecided(dispute, "refund")
      })

      const againstClosing = Effect.fnUntraced(function*(account: string) {
        const count = yield* repository.open(account)
        return count === 0 ? [] : [`${count === 1 ? "a dispute is" : `${count} disputes are`} open`]
      })

      return Disputes.of({
        get,
        list,
        addEvidence: verbs.on("Disputes.addEvidence", addEvidence),
        submit: verbs.on("Disputes.submit", submit),
        accept: verbs.on("Disputes.accept", accept),
        simulate: verbs.making("Disputes.simulate", simulate),
        ...reports,
        proceed: yield* makeProceed,
        refuseRefundWhileDisputed,
        againstClosing
      })
    })
  )
}
