/** The verbs of a dispute: reported by the network, answered by the merchant, decided by the network. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Forbidden, InvalidState, type NotFound, notFound, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, internalCause, keyDone } from "@svc/kernel/idempotency"
import { makeId } from "@svc/kernel/ids"
import { type Command, type CommandOn, type KeyedFailure, keyedVerbs, modeOf, type Work } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, type DateTime, Effect, Layer, Result, Schema } from "effect"
import { Files } from "../files/service.ts"
import { PaymentInFlight } from "../payment-intents/errors.ts"
import type { Moved, PaymentIntent } from "../payment-intents/model.ts"
import { PaymentIntentRepository } from "../payment-intents/repository.ts"
import { PaymentMethods } from "../payment-methods/service.ts"
import { Rails, recordsOf } from "../rails/rail.ts"
import { referenceOf } from "../rails/simulator.ts"
import {
  type AcceptDisputeRequest,
  type AddEvidenceRequest,
  type Dispute,
  type DisputeFilter,
  DisputeId,
  REPORTED,
  type SimulateDisputeRequest,
  type SubmitEvidenceRequest
} from "./model.ts"
import * as network from "./provider/network.ts"
import { DisputeRepository } from "./repository.ts"
import { commitOf, wireOf } from "./road.ts"
import * as rules from "./rules.ts"
import type { DisputeDecision, Report } from "./rules.ts"

type DisputeWork<P> = Work<AccountFacts, Dispute, P>

type Answer<E> = Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState | E>

const isDisputeId = Schema.is(DisputeId)

const isOpen = ({ status }: Dispute): boolean => status === "open" || status === "under_review"

const nothing: Addition = {}

const stillOpen = ({ id, status }: Dispute, verb: string): InvalidState =>
  new InvalidState({
    message: `Cannot ${verb} a payment whose dispute ${id} is ${status.replace("_", " ")}: its money is held until that is decided. Accept the dispute to let the customer have it.`,
    details: { state: status, allowed: [], dispute_id: id }
  })

const beingRefunded = ({ state }: PaymentIntent) =>
  new PaymentInFlight({
    message: "A refund of this payment is on its way to the provider. Wait until it is answered: what was refunded is not disputed too.",
    details: { state, operation: "refund", retry_after: 2 }
  })

const noSuchFile = (id: string) =>
  new ValidationError({ code: "files", message: `files: this account has no file ${id}. Upload it with POST /v1/files and name the id of the answer.` })

export class Disputes extends Context.Service<Disputes, {
  readonly get: (account: string, id: string) => Effect.Effect<Dispute, NotFound>
  readonly list: (account: string, filter: DisputeFilter, page: PageRequest) => Effect.Effect<Page<Dispute>>
  /** Keeps evidence for later. */
  readonly addEvidence: (command: CommandOn<AccountFacts, AddEvidenceRequest>) => Answer<ValidationError>
  /** Sends all evidence to the network, once and for good. */
  readonly submit: (command: CommandOn<AccountFacts, SubmitEvidenceRequest>) => Answer<ValidationError>
  /** Lets the customer have the money. */
  readonly accept: (command: CommandOn<AccountFacts, AcceptDisputeRequest>) => Answer<never>
  /** As if the network reported one: for sandbox accounts. */
  readonly simulate: (command: Command<AccountFacts, SimulateDisputeRequest>) => Answer<ValidationError | Forbidden | PaymentInFlight>
  /** What a network reports opens a dispute, and what it reports again does nothing. */
  readonly report: (account: AccountFacts, intent: string, report: Report) => Effect.Effect<Dispute, NotFound | InvalidState | ValidationError | PaymentInFlight | VersionConflict>
  /** For captures: what their commit writes besides. */
  readonly onCapture: (moved: Moved) => Effect.Effect<Addition>
  /** For refunds: refused while a dispute is open. */
  readonly mayRefund: (intent: PaymentIntent) => Effect.Effect<void, InvalidState>
  /** What stands against closing the account, in words. */
  readonly againstClosing: (account: string) => Effect.Effect<ReadonlyArray<string>>
  /** For the timer of a payment: its customer disputes it. */
  readonly reported: (account: string, intent: string) => Effect.Effect<void, NotFound | PaymentInFlight | VersionConflict>
  /** For the timer of a dispute: its time has come. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/payments/Disputes") {
  static readonly layer = Layer.effect(Disputes, Effect.gen(function*() {
    const accounts = yield* Accounts
    const committer = yield* Committer
    const files = yield* Files
    const intents = yield* PaymentIntentRepository
    const methods = yield* PaymentMethods
    const rails = yield* Rails
    const repository = yield* DisputeRepository

    const get = Effect.fn("Disputes.get")(function*(account: string, id: string) {
      return (isDisputeId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound("dispute"))
    })

    const intentOf = Effect.fnUntraced(function*(account: string, id: string) {
      return (yield* intents.find(account, id)) ?? (yield* notFound("payment intent"))
    })

    const verbs = keyedVerbs<AccountFacts, Dispute, never>(yield* Idempotency, {
      name: "dispute",
      get,
      recall: () => undefined,
      resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
      actsOutside: false
    })

    /** What the network keeps of money that it took or gave back, where it is the simulator's. */
    const recordsOfDispute = ({ dispute: { amount, currency, merchant_id, network_reference, status, updated_at } }: DisputeDecision, { metadata, selected_rail }: PaymentIntent) => {
      const rail = selected_rail === null || (status !== "open" && status !== "won") ? undefined : rails.byName(selected_rail)
      const operation = status === "open" ? "dispute" : "dispute_reversal"
      return rail === undefined ? [] : recordsOf(rail, { operation, merchant: merchant_id, at: updated_at, metadata, reference: network_reference, amount, currency })
    }

    const answer = Effect.fnUntraced(function*<P>(work: Work<AccountFacts, Dispute | undefined, P>, decided: DisputeDecision, opened?: PaymentIntent) {
      const { dispute } = decided
      const reply = { status: opened === undefined ? 200 : 201, body: wireOf(dispute) }
      const key = keyDone(work.keyed, { type: "dispute", id: dispute.id }, reply, modeOf(work))
      yield* committer.commit(commitOf(decided, work.keyed.key, key, opened === undefined ? [] : recordsOfDispute(decided, opened)))
      return reply
    })

    /** Fails where a file of the evidence is not one of this account's. */
    const evidenceOf = Effect.fnUntraced(function*({ account, payload }: DisputeWork<AddEvidenceRequest>) {
      const evidence = rules.evidenceOf(payload)
      const known = new Set((yield* files.those(account.id, evidence.files ?? [])).map(({ id }) => id))
      const missing = evidence.files?.find((file) => !known.has(file))
      if (missing !== undefined) return yield* noSuchFile(missing)
      return evidence
    })

    const addEvidence = Effect.fnUntraced(function*(work: DisputeWork<AddEvidenceRequest>) {
      return yield* answer(work, yield* Effect.fromResult(rules.addEvidence(work.resource, yield* evidenceOf(work), work.at)))
    })

    const submit = Effect.fnUntraced(function*(work: DisputeWork<SubmitEvidenceRequest>) {
      const { account, at, resource } = work
      return yield* answer(work, yield* Effect.fromResult(rules.submit(resource, yield* evidenceOf(work), at, (evidence) => account.sandbox ? network.decidedAt(at, evidence) : undefined)))
    })

    const accept = Effect.fnUntraced(function*(work: DisputeWork<AcceptDisputeRequest>) {
      return yield* answer(work, yield* Effect.fromResult(rules.accept(work.resource, work.at)))
    })

    /** Decides to open one; the dispute itself where the network said so before. */
    const opening = Effect.fnUntraced(function*(account: AccountFacts, intent: PaymentIntent, report: Report, at: DateTime.Utc) {
      const known = yield* repository.ofPayment(account.id, intent.id)
      const same = known.find(({ network_reference }) => network_reference === report.network_reference)
      if (same !== undefined) return Result.fail(same)
      const open = known.find(isOpen)
      if (open !== undefined) return yield* stillOpen(open, "dispute")
      if (intent.open_call?.operation === "refund") return yield* beingRefunded(intent)
      const id = DisputeId.make(makeId("dp", at.epochMilliseconds))
      const previous = known.find(({ status }) => status === "won")
      return Result.succeed(yield* Effect.fromResult(rules.open(report, { id, intent, previous, fee: account.settings.dispute_fee, at })))
    })

    const reportOne = Effect.fnUntraced(function*(account: AccountFacts, id: string, report: Report) {
      const intent = yield* intentOf(account.id, id)
      const found = yield* opening(account, intent, report, yield* now)
      if (Result.isFailure(found)) return found.failure
      yield* committer.commit(commitOf(found.success, internalCause(REPORTED, report.network_reference), undefined, recordsOfDispute(found.success, intent)))
      return found.success.dispute
    })

    const report = Effect.fn("Disputes.report")((account: AccountFacts, id: string, reported: Report) =>
      untilCommitted("payment intent", reportOne(account, id, reported)))

    const simulate = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, SimulateDisputeRequest>) {
      const { account, at, keyed, payload: { amount, payment_intent_id, reason = network.FRAUD } } = work
      if (!account.sandbox) return yield* new Forbidden({ message: "Disputes of live accounts come from the network. Use a sandbox account to rehearse them." })
      const intent = yield* intentOf(account.id, payment_intent_id)
      const found = yield* opening(account, intent, { amount, reason, network_reference: referenceOf(keyed.key) }, at)
      return yield* Result.isFailure(found) ? Effect.succeed({ status: 201, body: wireOf(found.failure) }) : answer(work, found.success, intent)
    })

    /** The simulator's token of a payment, where it has one. */
    const tokenOf = (account: AccountFacts, { payment_method_id }: PaymentIntent) =>
      Effect.match(methods.tokenFor(account, payment_method_id ?? ""), { onFailure: () => "", onSuccess: ({ token }) => token })

    const reported = Effect.fn("Disputes.reported")(function*(account: string, id: string) {
      const facts = yield* accounts.get(AccountId.make(account))
      const intent = yield* intentOf(account, id)
      const reason = network.reasonFor(yield* tokenOf(facts, intent), intent) ?? network.FRAUD
      // Refunded meanwhile, or disputed already: there is nothing left to report.
      yield* Effect.catchTag(report(facts, id, network.reportOf(intent, reason)), ["ValidationError", "InvalidState"], () => Effect.void)
    })

    const proceedOne = Effect.fnUntraced(function*(account: string, id: string) {
      const dispute = yield* get(account, id)
      const [intent, facts] = yield* Effect.all([intentOf(account, dispute.payment_intent_id), accounts.get(AccountId.make(account))], { concurrency: 2 })
      const verdict = facts.sandbox ? network.verdictOn(dispute.evidence) : undefined
      const decided = rules.proceed(dispute, intent, yield* now, verdict)
      if (decided === undefined) return
      const records = decided.dispute.status === "won" ? recordsOfDispute(decided, intent) : []
      yield* committer.commit(commitOf(decided, internalCause("dispute.due", `${id}:${dispute.version}`), undefined, records))
    })

    return Disputes.of({
      get,
      list: Effect.fn("Disputes.list")(repository.list),
      addEvidence: verbs.on("Disputes.addEvidence", addEvidence),
      submit: verbs.on("Disputes.submit", submit),
      accept: verbs.on("Disputes.accept", accept),
      simulate: verbs.making("Disputes.simulate", simulate),
      report,
      onCapture: Effect.fnUntraced(function*({ account, intent }) {
        if (!account.sandbox) return nothing
        const reason = network.reasonFor(yield* tokenOf(account, intent), intent)
        return reason === undefined ? nothing : { set: [{ kind: REPORTED, resource_id: intent.id, due_at: network.reportedAt(intent, account) }] }
      }),
      mayRefund: Effect.fnUntraced(function*(intent) {
        const open = intent.disputed_amount === 0 ? undefined : (yield* repository.ofPayment(intent.merchant_id, intent.id)).find(isOpen)
        if (open !== undefined) return yield* stillOpen(open, "refund")
      }),
      againstClosing: (account) => Effect.map(repository.open(account), (open) => open === 0 ? [] : [`${open === 1 ? "a dispute is" : `${open} disputes are`} open`]),
      reported,
      proceed: Effect.fn("Disputes.proceed")((account: string, id: string) => untilCommitted("dispute", proceedOne(account, id)))
    })
  }))
}
